// The files in which a project says how its tests are run.

const NAMES = new Set([
  'package.json', 'Cargo.toml', 'pytest.ini', '.pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'noxfile.py', 'conftest.py',
  'junit-platform.properties', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'gradle.properties', 'testng.xml',
  'Makefile', 'makefile', 'GNUmakefile', 'justfile', 'Justfile', '.gitlab-ci.yml', '.travis.yml', '.mocharc.json', '.mocharc.jsonc',
  '.mocharc.yml', '.mocharc.yaml', '.mocharc.js', '.mocharc.cjs', '.mocharc.mjs',
])
const SCRIPTED = /^(?:vitest|vite|jest|playwright)(?:\.[\w-]+)?\.config\.(?:[cm]?[jt]s|json)$/
/** Set-up files that a runner loads before the tests, by the names that projects give them. */
const SETUP = /^(?:(?:jest|vitest|mocha|test)[.-]?)?set-?up(?:[.-]?(?:tests?|jest|vitest|mocha|after-?env|env))?\.[cm]?[jt]sx?$/i
/** Names that count only in one place. */
const PLACED = /(?:^|\/)(?:\.config\/nextest\.toml|\.cargo\/config(?:\.toml)?|\.circleci\/config\.ya?ml|\.github\/workflows\/[^/]+\.ya?ml)$/

export function isRunnerFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  // Asked of every file: the cheap questions come first.
  if (NAMES.has(name) || (name.includes('config') && SCRIPTED.test(name)) || (/[uU]p/.test(name) && SETUP.test(name))) return true
  return (path.startsWith('.') || path.includes('/.')) && PLACED.test(path)
}

/** Folders in which a project keeps such files, beside its top: looked into when only a part of it is linted. */
export const RUNNER_FOLDERS = ['', '.cargo', '.config', '.circleci', '.github/workflows', 'src/test/resources']

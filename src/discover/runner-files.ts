// The files in which a project says how its tests are run, and by which names its parts know each other.

const NAMES = new Set([
  'package.json',
  'Cargo.toml',
  'pytest.ini',
  '.pytest.ini',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'noxfile.py',
  'junit-platform.properties',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'gradle.properties',
  'testng.xml',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'justfile',
  'Justfile',
  '.gitlab-ci.yml',
  '.travis.yml',
  '.mocharc.json',
  '.mocharc.jsonc',
  '.mocharc.yml',
  '.mocharc.yaml',
  '.mocharc.js',
  '.mocharc.cjs',
  '.mocharc.mjs',
  'cypress.json',
  'org.junit.jupiter.api.extension.Extension',
  'go.mod',
  'tsconfig.json',
  'tsconfig.base.json',
  'jsconfig.json',
])
const SCRIPTED = /^(?:(?:vitest|vite|jest|playwright|cypress)(?:\.[\w-]+)?\.config|wdio(?:\.[\w-]+)?\.conf)\.(?:[cm]?[jt]s|json)$/
/** Names that count only in one place. */
const PLACED = /(?:^|\/)(?:\.config\/nextest\.toml|\.cargo\/config(?:\.toml)?|\.circleci\/config\.ya?ml|\.github\/workflows\/[^/]+\.ya?ml)$/

export function isRunnerFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  // Asked of every file: the cheap questions come first.
  if (NAMES.has(name) || (name.includes('conf') && SCRIPTED.test(name))) return true
  return (path.startsWith('.') || path.includes('/.')) && PLACED.test(path)
}

/** Folders in which a project keeps such files, beside its top: looked into when only a part of it is linted. */
export const RUNNER_FOLDERS = ['', '.cargo', '.config', '.circleci', '.github/workflows', 'src/test/resources',
  'src/test/resources/META-INF/services']

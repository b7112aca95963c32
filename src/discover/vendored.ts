// Folders whose files somebody else wrote, or a build did. Some names mean that everywhere; others (`build`, `target`,
// `vendor`) are also fine names for one's own code, and count only beside what makes them.

const ALWAYS = new Set(['node_modules', 'bower_components', 'jspm_packages', 'site-packages', 'dist-packages', 'third_party', 'third-party',
  '3rdparty', '__pycache__', '.venv', '.tox', '.nox', '.eggs', '.mypy_cache', '.pytest_cache', '.ruff_cache', '.gradle', '.next', '.nuxt',
  '.terraform'])

/** Never looked into and never counted: no part of the code at all. */
export const METADATA = new Set(['.git', '.hg', '.svn', '.jj'])

/** By name, in a map: a folder may be called `constructor`. */
const BESIDE: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  target: ['Cargo.toml', 'pom.xml', 'build.sbt'],
  build: ['package.json', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'setup.py', 'pyproject.toml'],
  dist: ['package.json', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'setup.py', 'pyproject.toml'],
  vendor: ['go.mod', 'composer.json', 'Gemfile'],
}))

/** What must lie inside. */
const INSIDE: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  vendor: ['modules.txt'],
  target: ['CACHEDIR.TAG'],
  venv: ['pyvenv.cfg'],
  env: ['pyvenv.cfg'],
}))

export interface Surroundings {
  /** A name that lies beside the folder. */
  readonly beside: (name: string) => boolean
  readonly inside: (name: string) => boolean
  /** Somewhere above is a go.mod: Go gives every folder named `vendor` its special meaning. */
  readonly underGo: boolean
}

export function isVendored(name: string, { beside, inside, underGo }: Surroundings): boolean {
  if (ALWAYS.has(name)) return true
  if (name === 'vendor' && underGo) return true
  return (BESIDE.get(name)?.some(beside) ?? false) || (INSIDE.get(name)?.some(inside) ?? false)
}

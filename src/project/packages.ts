// By which names the parts of a project know each other: Go modules, the crates of a workspace, packages of npm and the
// path aliases of a tsconfig, which hold for all below it: mostly those that extend it. Read from manifests as data.

import jsonc from 'jsonc-parser'
import { folderOf, isRecord, nameOf, section, valueIn, type RunnerFile } from './evidence.ts'

export interface Packages {
  /** What a Go file imports to get at the package of a path; undefined where no go.mod tells. */
  readonly goImport: (path: string) => string | undefined
  /** The crate that a Rust file belongs to: the name by which others know it, and its folder. */
  readonly crateOf: (path: string) => Part | undefined
  readonly crates: ReadonlySet<string>
  /** Where an import that is no path may lead, as paths from the root; `whole` where a package is meant and not a file of it. */
  readonly aliased: (from: string, name: string) => readonly Alias[]
}

export interface Part {
  readonly name: string
  readonly folder: string
}

export interface Alias {
  readonly path: string
  /** The folder of the package that was named, where one was. */
  readonly within?: string
}

interface Mapping {
  /** Holds for files below it. */
  readonly folder: string
  /** What an import begins with, and whether it must end there. */
  readonly prefix: string
  readonly exact: boolean
  readonly targets: readonly string[]
}

export const NO_PACKAGES: Packages = { goImport: () => undefined, crateOf: () => undefined, crates: new Set(), aliased: () => [] }

export function readPackages(files: readonly RunnerFile[]): Packages {
  const named = (name: string) => files.filter(f => nameOf(f.path) === name)
  const modules = deepestFirst(named('go.mod').flatMap(f => part(f, /^module\s+"?([^\s"]+)/m.exec(f.text)?.[1])))
  const crates = deepestFirst(named('Cargo.toml').flatMap(f => part(f, crateName(f.text))))
  const npm = deepestFirst(named('package.json').flatMap(f => part(f, json(f.text)['name'])))
  const mappings = [...named('tsconfig.json'), ...named('tsconfig.base.json'), ...named('jsconfig.json')].flatMap(pathsOf).concat(
    named('package.json').flatMap(importsOf),
  ).sort((a, b) => b.folder.length - a.folder.length)
  return {
    goImport: path => {
      const module = modules.find(m => isBelow(path, m.folder))
      return module && [module.name, ...parentOf(path).slice(module.folder.length).split('/')].filter(p => p !== '').join('/')
    },
    crateOf: path => crates.find(c => isBelow(path, c.folder)),
    crates: new Set(crates.map(c => c.name)),
    aliased: (from, name) => [
      ...mappings.filter(m => isBelow(from, m.folder) && fits(m, name)).flatMap(m =>
        m.targets.map(t => ({ path: t + name.slice(m.prefix.length) }))
      ),
      ...npm.filter(p => name === p.name || name.startsWith(`${p.name}/`) || name.startsWith(`${p.name}.`))
        .map(p => ({ path: joined(p.folder, name.slice(p.name.length).replace(/^\//, '')), within: p.folder })),
    ],
  }
}

const fits = (m: Mapping, name: string): boolean =>
  m.exact ? name === m.prefix || name.startsWith(`${m.prefix}.`) : name.startsWith(m.prefix)

const part = (file: RunnerFile, name: unknown): Part[] =>
  typeof name === 'string' && name !== '' ? [{ name, folder: folderOf(file.path) }] : []
const deepestFirst = (parts: readonly Part[]): Part[] =>
  [...parts].sort((a, b) => b.folder.length - a.folder.length || (a.folder < b.folder ? -1 : 1))
const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function crateName(text: string): string | undefined {
  const name = ['lib', 'package'].map(s => /["']([^"']+)["']/.exec(valueIn(section(text, s) ?? '', 'name') ?? '')?.[1]).find(n =>
    n !== undefined
  )
  return name?.replaceAll('-', '_')
}

function json(text: string): Record<string, unknown> {
  const value: unknown = jsonc.parse(text, [], { allowTrailingComma: true })
  return isRecord(value) ? value : {}
}

/** `compilerOptions.paths`: `"@/*": ["src/*"]`; and what stands below a `baseUrl` that is not the folder itself. */
function pathsOf(file: RunnerFile): Mapping[] {
  const options = json(file.text)['compilerOptions']
  if (!isRecord(options)) return []
  const folder = folderOf(file.path)
  const base = joined(folder, typeof options['baseUrl'] === 'string' ? options['baseUrl'] : '.')
  return mapped(options['paths'], folder, base)
}

/** The imports of a package.json: `"#db": "./src/db/index.js"`. */
function importsOf(file: RunnerFile): Mapping[] {
  const { imports } = json(file.text)
  return mapped(imports, folderOf(file.path), folderOf(file.path))
}

function mapped(table: unknown, folder: string, base: string): Mapping[] {
  if (!isRecord(table)) return []
  return Object.entries(table).flatMap(([pattern, to]) => {
    const targets = (Array.isArray(to) ? to : isRecord(to) ? Object.values(to) : [to]).filter(t => typeof t === 'string')
    const exact = !pattern.endsWith('*')
    if (!exact && pattern === '*') return []
    return [{ folder, prefix: exact ? pattern : pattern.slice(0, -1), exact, targets: targets.map(t => target(base, t, exact)) }]
  })
}

const target = (base: string, to: string, exact: boolean): string =>
  exact
    ? joined(base, to).replace(/\.[cm]?[jt]sx?$/, '')
    : `${joined(base, to.replace(/\*.*$/, ''))}/`.replace(/^\//, '')

/** A path from the root; what leads out of it leads nowhere. */
function joined(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const piece of path.split('/')) piece === '..' ? parts.pop() : piece !== '.' && piece !== '' && parts.push(piece)
  return parts.join('/')
}

// What holds for a file because of where it lies, found without walking the project: the configuration, what runner files on
// the way up say, the set-up files there. For editors, which ask for one file again and again and never say that another changed.

import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { loadConfig, type Config } from '../config/config.ts'
import { foldersUpward, runnerFilesIn } from '../discover/above.ts'
import type { FoundFile } from '../discover/discover.ts'
import { attempt, slashed } from '../discover/places.ts'
import type { Language } from '../facts/facts.ts'
import { languageOf } from '../parsers/registry.ts'
import { readBatsSuites } from '../project/bats.ts'
import { readProject, type ProjectFacts, type RunnerFile } from '../project/project.ts'
import { SETUP_FOLDERS, namedSetups, setupFiles } from '../project/setups.ts'
import { rules } from '../rules/registry.ts'
import { setupCuresNow } from './setups.ts'

export interface Surroundings {
  readonly config: () => Config
  readonly projectFor: (folder: string, language: Language) => ProjectFacts
}

/** Paths are told from the root. */
export function surroundingsOf(root: string, configFile?: string): Surroundings {
  const config = kept(() => readConfig(root, configFile))
  const projects = new Map<string, () => ProjectFacts>()
  return {
    config,
    projectFor: (folder, language) => {
      const key = `${language} ${folder}`
      let project = projects.get(key)
      if (!project) projects.set(key, (project = kept(() => readFolder(root, folder, language, config()))))
      return project()
    },
  }
}

interface Read<T> {
  readonly value: T
  /** The files and folders that it was made of. */
  readonly from: readonly string[]
}

/** Reads again only where something that was read is no longer what it was. */
function kept<T>(read: () => Read<T>): () => T {
  let last: { readonly made: Read<T>; readonly stamp: string } | undefined
  return () => {
    if (last && stampOf(last.made.from) === last.stamp) return last.made.value
    const made = read()
    last = { made, stamp: stampOf(made.from) }
    return made.value
  }
}

const stampOf = (paths: readonly string[]): string =>
  paths.map(path => {
    const stats = attempt(() => statSync(path))
    return stats ? `${stats.mtimeMs}:${stats.size}` : ''
  }).join()

function readConfig(root: string, configFile: string | undefined): Read<Config> {
  const value = loadConfig(root, rules.map(r => r.meta.id), configFile)
  const folders = configFile === undefined ? foldersUpward(root, root) : []
  return { value, from: [...folders, ...folders.map(f => join(f, 'package.json')), ...(value.file === null ? [] : [value.file])] }
}

function readFolder(root: string, folder: string, language: Language, config: Config): Read<ProjectFacts> {
  const upward = foldersUpward(folder, root)
  const shown = (path: string) => slashed(relative(root, path))
  const configs = upward.flatMap(runnerFilesIn).flatMap((path): RunnerFile[] => {
    const text = attempt(() => readFileSync(path, 'utf8'))
    return text === undefined ? [] : [{ path: shown(path), text }]
  })
  const listed = [...upward.flatMap(at => ['', ...SETUP_FOLDERS].map(part => join(at, part))), ...(language === 'bash' ? foldersIn(folder) : [])]
  const lists = new Map(listed.flatMap(at => {
    const names = attempt(() => readdirSync(at))
    return names ? [[at, names] as const] : []
  }))
  const paths = [...lists].flatMap(([at, names]) => names.map(name => join(at, name)))
  const named = namedSetups(configs).flatMap(path => withEndings(resolve(root, path)))
  const files = [...new Set([...paths, ...named])].flatMap((absolute): FoundFile[] => {
    const path = shown(absolute)
    return languageOf(path, '') === language ? [{ path, absolute, language, size: 0 }] : []
  })
  const bats = language === 'bash' ? readBatsSuites(files.map(f => f.path), path => attempt(() => readFileSync(join(root, path), 'utf8')), config.batsSequential) : {}
  const project = readProject(configs, bats)
  const read = [...configs, ...setupFiles(files.map(f => f.path), configs), ...(language === 'bash' ? files : [])].map(f => join(root, f.path))
  return {
    value: { ...project, cures: [...project.cures ?? [], ...setupCuresNow(files, configs)] },
    from: [...new Set([...upward, ...lists.keys(), ...read, ...(config.file === null ? [] : [config.file])])],
  }
}

const foldersIn = (folder: string): string[] =>
  (attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []).filter(e => e.isDirectory() && e.name !== 'node_modules').map(e => join(folder, e.name))

/** A configuration may name a module without its ending. */
const withEndings = (path: string): string[] => ['', '.ts', '.js', '.mts', '.mjs', '.cts', '.cjs', '.tsx', '.jsx'].map(ending => path + ending).filter(p => attempt(() => statSync(p))?.isFile())

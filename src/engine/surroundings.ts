// What holds for a file because of where it lies, found without walking the project: the configuration, what runner files on
// the way up say, the set-up files there. For editors, which ask for one file again and again and never say that another changed.

import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { loadConfig, type Config } from '../config/config.ts'
import { foldersUpward } from '../discover/above.ts'
import type { FoundFile } from '../discover/discover.ts'
import { attempt, slashed } from '../discover/places.ts'
import type { Language } from '../facts/facts.ts'
import { languageOf } from '../parsers/registry.ts'
import { readBatsSuites } from '../project/bats.ts'
import type { FolderCure } from '../project/cures.ts'
import { withBases } from '../project/derived.ts'
import { offeringFiles } from '../project/offers.ts'
import { readProject, type ProjectFacts, type RunnerFile } from '../project/project.ts'
import { namedSetups, setupFiles } from '../project/setups.ts'
import { rules } from '../rules/registry.ts'
import { filesOneBelow, listingOf, withEndings, type Listing } from './beside.ts'
import { makeKept } from './kept.ts'
import { setupCuresNow } from './setups.ts'

export interface Surroundings {
  readonly config: () => Config
  readonly projectFor: (folder: string, language: Language) => ProjectFacts
}

interface Told {
  readonly configs: readonly RunnerFile[]
  readonly project: ProjectFacts
}

/** Paths are told from the root. */
export function surroundingsOf(root: string, configFile?: string): Surroundings {
  const configs = makeKept<Config>(), projects = makeKept<ProjectFacts>(), listings = makeKept<Listing>(), told = makeKept<Told>(),
    cures = makeKept<FolderCure[]>()
  const shown = (path: string) => slashed(relative(root, path))

  const config = () =>
    configs.get('', () => {
      const value = loadConfig(root, rules.map(r => r.meta.id), configFile)
      const folders = configFile === undefined ? foldersUpward(root, root) : []
      return { value, from: [...folders, ...folders.map(f => join(f, 'package.json')), ...(value.file === null ? [] : [value.file])] }
    })

  const listing = (folder: string) =>
    listings.get(folder, () => {
      const value = listingOf(folder)
      return { value, from: value.folders }
    })

  /** Folders share most of what lies above them: it is read once. */
  const toldBy = (paths: readonly string[]) =>
    told.get(paths.join('\0'), () => {
      const read = paths.flatMap((path): RunnerFile[] => {
        const text = attempt(() => readFileSync(path, 'utf8'))
        return text === undefined ? [] : [{ path: shown(path), text }]
      })
      const configs = withBases(read, path => attempt(() => readFileSync(join(root, path), 'utf8')))
      const bases = configs.flatMap(c => (c.bases ?? []).map(b => join(root, b.path)))
      return { value: { configs, project: readProject(configs) }, from: [...new Set([...paths, ...bases])] }
    })

  const projectFor = (folder: string, language: Language) =>
    projects.get(`${language} ${folder}`, () => {
      const upward = foldersUpward(folder, root)
      const lists = upward.map(listing)
      const { configs: texts, project } = toldBy(lists.flatMap(l => l.runnerFiles))
      const named = namedSetups(texts).flatMap(path => withEndings(resolve(root, path)))
      const beside = language === 'bash' ? filesOneBelow(folder) : []
      const files = [...new Set([...lists.flatMap(l => l.files), ...named, ...beside])].flatMap((absolute): FoundFile[] => {
        const path = shown(absolute)
        return languageOf(path, '') === language ? [{ path, absolute, language, size: 0 }] : []
      })
      const paths = files.map(f => f.path)
      const setups = new Set([...setupFiles(paths, texts), ...offeringFiles(paths)].map(s => s.path))
      const telling = files.filter(f => setups.has(f.path))
      const made = cures.get(`${language} ${[...setups].join('\0')}`,
        () => ({ value: setupCuresNow(files, texts), from: telling.map(f => f.absolute) }))
      const bats = language === 'bash'
        ? readBatsSuites(paths, path => attempt(() => readFileSync(join(root, path), 'utf8')), config().batsSequential)
        : {}
      const read = [...texts.map(t => join(root, t.path)), ...(language === 'bash' ? files : telling).map(f => f.absolute)]
      return { value: { ...project, bats, cures: [...project.cures ?? [], ...made] },
        from: [...new Set([...lists.flatMap(l => l.folders), ...read])] }
    })
  return { config, projectFor }
}

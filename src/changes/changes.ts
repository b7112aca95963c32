// What changed: what is staged for the next commit, what a branch did since it left another, or what somebody says.

import { join } from 'node:path'
import { shownPath } from '../discover/places.ts'
import { askGit, cannot, records, tell, workTree } from './git.ts'
import { changedLines, type Lines } from './hunks.ts'

/** `given`: the paths that were asked for are the change; a hook manager knows which. */
export type ChangesOf = { readonly is: 'staged' } | { readonly is: 'since'; readonly ref: string } | { readonly is: 'given' }

export interface Changes {
  /** For a sentence: «in 3 staged files». */
  readonly title: string
  readonly has: (absolute: string) => boolean
  /** The lines that are new or different; null where only files are known. */
  readonly lines: ReadonlyMap<string, Lines> | null
  /** What files hold, where it is not what the disk holds. */
  readonly contents: ReadonlyMap<string, Uint8Array>
  /** All files there are, where the disk may hold others too. */
  readonly all: ReadonlySet<string> | null
}

/** Files; a submodule is a repository of its own, and what is deleted or in conflict has nothing to lint. */
const FILES = ['--no-ext-diff', '--no-textconv', '--no-relative', '--ignore-submodules=all', '-M', '--diff-filter=du']
const PATCH = ['-U0', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/', '--no-color']

/** `wanted` tells of a path whether its content is of interest. */
export function readChanges(of: ChangesOf, folder: string, wanted: (path: string) => boolean): Changes {
  switch (of.is) {
    case 'staged':
      return staged(workTree(folder, '--staged'), wanted)
    case 'since':
      return since(workTree(folder, '--since'), of.ref)
    case 'given':
      return { title: 'given', has: () => true, lines: null, contents: new Map(), all: null }
  }
}

function staged(top: string, wanted: (path: string) => boolean): Changes {
  const changed = absolute(top, records(tell(top, ['diff', '--cached', '--name-only', '-z', ...FILES])))
  const index = indexOf(top)
  const different = records(
    tell(top, ['diff', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--no-relative', '--ignore-submodules=all']),
  )
  const needed = different.filter(path => index.has(path) && wanted(path))
  return { title: 'staged', has: path => changed.has(path), lines: null, contents: contentsOf(top, index, needed),
    all: absolute(top, [...index.keys()]) }
}

/** Plain files of the index with the names of their contents. */
function indexOf(top: string): Map<string, string> {
  return new Map(records(tell(top, ['ls-files', '-z', '--stage'])).flatMap(record => {
    const [, mode, name, stage, path] = /^(\d+) (\w+) (\d)\t([^]*)$/.exec(record) ?? []
    return mode?.startsWith('100') && stage === '0' ? [[path!, name!] as const] : []
  }))
}

function contentsOf(top: string, index: ReadonlyMap<string, string>, paths: readonly string[]): Map<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>()
  if (paths.length === 0) return contents
  const bytes = tell(top, ['cat-file', '--batch'], paths.map(p => `${index.get(p)!}\n`).join(''))
  let at = 0
  for (const path of paths) {
    const end = bytes.indexOf(10, at)
    const size = Number(/ blob (\d+)$/.exec(bytes.toString('latin1', at, end))?.[1] ?? cannot(`git cannot read what is staged of ${path}`))
    contents.set(join(top, path), bytes.subarray(end + 1, end + 1 + size))
    at = end + 1 + size + 1
  }
  return contents
}

/** Against the last common commit; what is not committed yet counts, and so do new files that git does not ignore. */
function since(top: string, ref: string): Changes {
  const commit = ref.startsWith('-') ? undefined : askGit(top, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
  if (!commit?.ok)
    cannot(
      `--since ${ref}: git knows no such commit; is it fetched? \`git fetch origin ${
        ref.replace(/^origin\//, '')
      }\`, or fetch-depth: 0 in a CI's checkout`,
    )
  const base = askGit(top, ['merge-base', commit.bytes.toString('utf8').trim(), 'HEAD'])
  if (!base.ok)
    cannot(
      `--since ${ref}: it has no commit in common with HEAD${
        isShallow(top) ? "; this clone is shallow: `git fetch --unshallow`, or fetch-depth: 0 in a CI's checkout" : ''
      }`,
    )
  const from = base.bytes.toString('utf8').trim()
  const fresh = records(tell(top, ['ls-files', '-z', '--others', '--exclude-standard']))
  const files = absolute(top, [...records(tell(top, ['diff', '--name-only', '-z', ...FILES, from])), ...fresh])
  const lines = changedLines(tell(top, ['diff', ...PATCH, ...FILES, from]), shownPath)
  const everything: Lines = [[1, Infinity]]
  return {
    title: `changed since ${ref}`,
    has: path => files.has(path),
    contents: new Map(),
    all: null,
    lines: new Map([...[...lines].map(([path, l]) => [join(top, path), l] as const),
      ...fresh.map(path => [join(top, path), everything] as const)]),
  }
}

const isShallow = (top: string): boolean => askGit(top, ['rev-parse', '--is-shallow-repository']).bytes.toString('utf8').trim() === 'true'

const absolute = (top: string, paths: readonly string[]): Set<string> => new Set(paths.map(p => join(top, p)))

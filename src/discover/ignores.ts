// The ignore rules that hold in a folder: those of the folders above it, then its own. One list in git's order, so that
// the last rule to match decides, and a deeper file can take back what a higher one ignores.

import ignore, { type Ignore } from 'ignore'

export interface IgnoreRules {
  /** Whether the path (relative to the origin; folders end in `/`) is ignored. The folders above it must not be. */
  readonly ignores: (path: string) => boolean
  /** True where one of our own files or the configuration asks for it in so many words. */
  readonly wanted: (path: string) => boolean
  /** With the rules of a folder below, given by its path (`''` or `a/b/`). */
  readonly extend: (folder: string, texts: { readonly git?: string; readonly own?: string }) => IgnoreRules
  /** The same, but with these folders let in whatever the rules above say. */
  readonly open: (folders: readonly string[]) => IgnoreRules
}

/** The rules of one file, compiled once and shared by every list they are part of. */
interface Part {
  readonly rules: Ignore
  readonly patterns: readonly string[]
}

/** The rules of `.gitignore` files come first and ours after them, so that ours can overrule any of git's. */
export const NO_IGNORES: IgnoreRules = make([], [])

function make(git: readonly Part[], own: readonly Part[]): IgnoreRules {
  const all = [...git, ...own]
  const rules = joined(all)
  const ours = joined(own)
  const mayMatch = screen(all.flatMap(part => part.patterns))
  const add = (to: readonly Part[], text: string | undefined,
    folder: string) => (text === undefined ? to : [...to, compile(patternsIn(text, folder))])
  return {
    ignores: path => mayMatch(path) && rules.test(path).ignored,
    wanted: path => own.length > 0 && ours.test(path).unignored,
    extend: (folder, texts) => make(add(git, texts.git, folder), add(own, texts.own, folder)),
    open: folders => make(git, [...own, compile(folders.map(f => `!/${escape(f)}`))]),
  }
}

const compile = (patterns: readonly string[]): Part => ({ rules: ignore({ ignorecase: false }).add(patterns), patterns })

// A matcher remembers its answers, so each folder with rules of its own needs a new one.
function joined(parts: readonly Part[]): Ignore {
  const matcher = ignore({ ignorecase: false })
  for (const part of parts) matcher.add(part.rules)
  return matcher
}

/** The patterns of a folder's ignore file, rewritten to hold from the origin. */
export function patternsIn(text: string, folder: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r?\n/).flatMap(line => {
    if (line === '' || line.startsWith('#')) return []
    if (folder === '') return [line]
    const not = line.startsWith('!') ? '!' : ''
    const body = line.slice(not.length)
    const bare = body.replace(/ +$/, '').replace(/\/$/, '')
    if (bare === '') return []
    return [`${not}/${escape(folder)}${bare.includes('/') ? body.replace(/^\//, '') : `**/${body}`}`]
  })
}

const escape = (path: string) => path.replace(/[\\*?[\]!# ]/g, '\\$&')

/**
 * A quick no for most paths: a pattern's last part begins or ends in plain characters, and so must the name. Running
 * every rule over every path took more time than the rest of the walk.
 */
function screen(patterns: readonly string[]): (path: string) => boolean {
  const names = new Set<string>(), folders = new Set<string>(), heads: string[] = [], tails: string[] = [], parents: string[] = []
  let any = false
  // What is not ignored needs nothing to take it back: only what ignores counts.
  for (const pattern of patterns.filter(p => !p.startsWith('!'))) {
    const trimmed = pattern.replace(/\s+$/, '')
    const parts = trimmed.split('/').filter(part => part !== '')
    const last = parts.at(-1) ?? ''
    const head = /^[^*?[]*/.exec(last)![0], tail = /[^*?\]]*$/.exec(last)![0]
    const parent = parts.slice(0, -1).find(part => !/[*?[]/.test(part))
    if (trimmed.includes('\\')) any = true
    else if (head === last) (trimmed.endsWith('/') ? folders : names).add(last)
    else if (head !== '') heads.push(head)
    else if (tail !== '') tails.push(tail)
    else if (parent !== undefined) parents.push(`/${parent}/`)
    else any = true
  }
  return path => {
    if (any) return true
    const isFolder = path.endsWith('/')
    const end = isFolder ? path.length - 1 : path.length
    const name = path.slice(path.lastIndexOf('/', end - 1) + 1, end)
    if (names.has(name) || (isFolder && folders.has(name))) return true
    for (const head of heads) if (name.startsWith(head)) return true
    for (const tail of tails) if (name.endsWith(tail)) return true
    return parents.length > 0 && parents.some(parent => `/${path}`.includes(parent))
  }
}

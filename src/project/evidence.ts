// How the readers of this room look at files: by name and folder, as commands, as sections. No file is trusted to be
// well-formed, and none is run. Patterns here have no unbounded stretch that could begin at many places: a hostile file
// must not cost more than its length.

import type { Language } from '../facts/facts.ts'
import type { Parallel } from './project.ts'

export interface RunnerFile {
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly text: string
  /** Those that it is built on, the nearest first. */
  readonly bases?: readonly RunnerFile[]
}

/** Something said for a folder and all below it. Among several of one folder the heaviest counts. */
export interface Statement {
  readonly language: Language
  readonly folder: string
  readonly weight: number
  readonly parallel: Parallel
}

export type Says = (files: readonly RunnerFile[]) => readonly Omit<Statement, 'language'>[]

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Folders that hold files on behalf of the one around them. */
const HOLDERS = /(?:^|\/)(?:\.github\/workflows|\.circleci|\.cargo|\.config|src\/[^/]+\/resources(?:\/META-INF\/services)?)$/

/** The folder whose tests a file speaks of. */
export function folderOf(path: string): string {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  return folder.replace(HOLDERS, '')
}

/** Settings that are shown or tested, not used. */
export const isSample = (path: string): boolean => /(?:^|\/)(?:__fixtures__|fixtures?|examples?|testdata|templates?)\//.test(path)

export const isManifest = (path: string): boolean => nameOf(path) === 'package.json'

/** Files whose lines are commands: make, just, CI, tox. */
export const isScript = (path: string): boolean =>
  /^(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|tox\.ini|noxfile\.py|\.gitlab-ci\.yml|\.travis\.yml)$/.test(nameOf(path))
  || /(?:^|\/)\.(?:github\/workflows|circleci)\/[^/]+$/.test(path)

export interface Command {
  readonly file: string
  readonly folder: string
  /** From the program's name to the end of the command. */
  readonly text: string
}

/** Each use of a program in make files, CI and npm scripts. `program` is a piece of a regular expression. */
export function commands(files: readonly RunnerFile[], program: string): Command[] {
  const use = new RegExp(String.raw`(?:^|[\s"'` + '`' + String.raw`@(=/])(${program})(?=[\s"'` + '`' + String.raw`)]|$)([^;&|\n]*)`, 'g')
  return files.filter(f => isScript(f.path) || isManifest(f.path)).flatMap(f =>
    linesOf(f).flatMap(line => [...line.matchAll(use)].map(m => ({ file: f.path, folder: folderOf(f.path), text: m[1]! + m[2]! })))
  )
}

function linesOf({ path, text }: RunnerFile): string[] {
  if (isManifest(path)) return scriptsIn(text)
  // A step's name is a title, not a command.
  return text.replace(/\\\r?\n\s*/g, ' ').split(/\r?\n/).filter(line => line.trim() !== '' && !/^\s*(?:#|- name:|name:)/.test(line))
}

function scriptsIn(text: string): string[] {
  const scripts = json(text)?.scripts
  return isRecord(scripts) ? Object.values(scripts).filter(s => typeof s === 'string') : []
}

/** The object in a JSON text, if there is one. */
export function json(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a section of an INI or TOML file, headings left out. */
export function section(text: string, name: string): string | undefined {
  const lines = text.split(/\r?\n/)
  const heading = (line: string) => /^\s*\[{1,2}([^\][]+)\]/.exec(line)?.[1]?.trim()
  const start = lines.findIndex(line => heading(line) === name)
  if (start === -1) return undefined
  const rest = lines.slice(start + 1)
  // A list in TOML may have a line that begins with a bracket; a heading stands at the margin and holds a name.
  const end = rest.findIndex(line => /^\[{1,2}[\w.:"' -]+\]/.test(line))
  return (end === -1 ? rest : rest.slice(0, end)).filter(line => !/^\s*[#;]/.test(line)).join('\n')
}

/** The value of a key and the lines that carry it on: deeper ones in INI, up to the closing sign in TOML. */
export function valueIn(text: string, key: string): string | undefined {
  const lines = text.split('\n')
  const at = lines.findIndex(line => new RegExp(String.raw`^\s*${key}\s*=`).test(line))
  if (at === -1) return undefined
  const first = lines[at]!.slice(lines[at]!.indexOf('=') + 1)
  const close = /^\s*\[[^\]]*$/.test(first) ? ']' : /^\s*("""|''')(?!.*\1)/.exec(first)?.[1]
  const rest = lines.slice(at + 1)
  const end = rest.findIndex(line => (close ? line.includes(close) : !/^\s+\S/.test(line)))
  return [first, ...rest.slice(0, end === -1 ? undefined : close ? end + 1 : end)].join('\n')
}

/** What a flag is set to: `-n 4`, `-n4`, `-n=4`, `--jobs auto`. Undefined where it is not there. */
export function flag(text: string, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const short = /^-\w$/.test(name)
    const between = short ? String.raw`[\s"',=]*` : String.raw`[\s"',=]+`
    const found = new RegExp(String.raw`(?:^|[\s"'=,\[])${name}${between}([^\s"',\]]+)`).exec(text)
    if (found) return found[1]
  }
  return undefined
}

/** A script without its comments; what stands in strings is kept, where `/*` is often part of a glob. */
export function withoutComments(text: string): string {
  let kept = '', quote = ''
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!
    if (quote !== '') {
      if (c === '\\') kept += text[at++]
      else if (c === quote || (c === '\n' && quote !== '`')) quote = ''
    } else if (c === '"' || c === "'" || c === '`') quote = c
    else if (c === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
      const end = text[at + 1] === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2) + 1
      if (end <= 0) return kept
      at = end
      kept += '\n'
      continue
    }
    kept += text[at] ?? ''
  }
  return kept
}

/** XML without its comments. */
export function withoutXmlComments(text: string): string {
  const [first, ...rest] = text.split('<!--')
  return first + rest.map(part => (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : '')).join(' ')
}

// What `node --test` is told by the project's script: flags for every process, and where the test files are.

import { join } from 'node:path'
import type { Place } from '../../runner.ts'
import type { Said } from '../scripts.ts'

export interface CommandLine {
  readonly flags: readonly string[]
  /** As `node --test` takes them. */
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Flags of Node that take the next word as their value. */
const WITH_VALUE =
  /^(?:-r|-C|--(?:require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists|stack-trace-limit|max-old-space-size|title|test-[a-z-]+))$/
/** Ours to say, or of no use when tests are chosen. */
const LEFT_OUT = /^--(?:test|watch|experimental-test|no-experimental-test)/

export function commandLineOf(place: Place, folder: string, said: Said | undefined, major: number): CommandLine {
  const flags: string[] = [], files: string[] = []
  const words = [...said?.args ?? []]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith('-')) {
      // Before Node 21 it was the shell that knew what a pattern means.
      files.push(...(major < 21 && /[*?{[]/.test(word) ? matching(place, folder, word) : [word]))
      continue
    }
    const taken = WITH_VALUE.test(word) && words.length > 0 && !SWITCHES.test(word) ? [word, words.shift()!] : [word]
    if (!LEFT_OUT.test(word)) flags.push(...taken)
  }
  return { flags, files, env: said?.env ?? {} }
}

const SWITCHES = /^--test-(?:only|force-exit|randomize|update-snapshots)$/

/** The files that a pattern of `*`, `**` and `?` means; dot files and packages are not among them. */
export function matching(place: Place, folder: string, pattern: string): string[] {
  const meant = new RegExp(
    `^${pattern.replace(/^\.\//, '').replace(/\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\]/g, sign => SIGNS[sign] ?? `\\${sign}`)}$`,
  )
  const walk = (at: string): string[] =>
    place.names(at === '' ? folder || '.' : join(folder, at)).filter(n => !n.startsWith('.') && n !== 'node_modules').flatMap(name => {
      const path = at === '' ? name : `${at}/${name}`
      return meant.test(path) ? [path] : /\.\w+$/.test(name) ? [] : walk(path)
    })
  return walk('')
}

const SIGNS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]', '{': '(?:', '}': ')', ',': '|' }

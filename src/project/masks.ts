// Where a script runs the tests and throws away what they say: make files, CI, npm scripts. As everywhere in this room a file
// is data, and each pattern costs no more than the text is long.

import type { Span } from '../facts/facts.ts'
import { type RunnerFile, isManifest, isSample, isScript, nameOf } from './evidence.ts'
import { TEST_COMMAND } from './retries.ts'

export interface Mask {
  /** Relative to the root, with `/`. */
  readonly file: string
  readonly span: Span
  /** The command whose failure is lost. */
  readonly command: string
  /** What hides it, as it is written. */
  readonly how: string
  /** What the tests say is kept in a file: somebody else may judge it. */
  readonly kept: boolean
}

const HIDES = /\s*(\|\|\s*(?:true|:|exit 0|echo\s[^|;&\n]{0,200}))\s*(?=$|["';)#])/
/** Gets a runner or asks for it, and runs nothing. */
const GETS =
  /\b(?:install|add|which|command\s+-v|rm|pkill|kill|killall|apt(?:-get)?|brew|uninstall|clean)\b|--(?:version|help|clearCache)\b/

export function readMasks(files: readonly RunnerFile[]): Mask[] {
  return files.filter(f => (isScript(f.path) || isManifest(f.path)) && !isSample(f.path)).flatMap(({ path, text }) => {
    const make = /^(?:GNU)?[Mm]akefile$/.test(nameOf(path))
    let start = 0
    return text.split('\n').flatMap(line => {
      const at = start
      start += line.length + 1
      if (line.length > 2000 || /^\s*(?:#|- name:|name:)/.test(line) || !TEST_COMMAND.test(make ? line.replace(/^\t[@-]+/, '\t') : line))
        return []
      const mask = maskIn(line, make)
      return mask
        ? [{ file: path, span: { start: at + mask.from, end: at + mask.to }, command: mask.command, how: mask.how,
          kept: KEEPS.test(mask.command) }]
        : []
    })
  })
}

const KEEPS = /\d?>\s*(?!\/dev\/null|&)|\btee\b|junit|report|-json\b/

function maskIn(line: string, make: boolean): { from: number; to: number; command: string; how: string } | undefined {
  const hides = HIDES.exec(line)
  // In a make file a dash before the command says that its failure does not count.
  const dash = make ? /^\t@?-@?\s*(?=\S)/.exec(line) : null
  if (!hides && !dash) return undefined
  const end = hides?.index ?? line.trimEnd().length
  const before = line.slice(0, end)
  const joints = [...before.matchAll(/&&|;|\|\||["(]|:\s|^\s*@?-?@?\s*/g)].map(m => m.index + m[0].length)
  const from = joints.filter(j => j < end).at(-1) ?? 0
  const command = before.slice(from).trim()
  if (!TEST_COMMAND.test(`${command} `) || GETS.test(command)) return undefined
  const lead = /^\s*/.exec(before.slice(from))![0].length
  return { from: from + lead, to: hides ? hides.index + hides[0].trimEnd().length : end, command: command.slice(0, 60),
    how: hides?.[1]!.trim() ?? 'a dash before it' }
}

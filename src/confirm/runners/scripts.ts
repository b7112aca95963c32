// What a script of package.json says to a command: many projects name their test files and flags nowhere else.

import type { Place } from '../runner.ts'
import { manifestIn } from './node-packages.ts'

export interface Said {
  /** The script's name. */
  readonly script: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The first script, `test` before the others, that starts the command (with this flag); undefined where none does. */
export function saidTo(place: Place, folder: string, command: string, flag?: string): Said | undefined {
  const scripts = Object.entries(manifestIn(place, folder)?.scripts ?? {}).filter(([, text]) => typeof text === 'string')
  for (const [script, text] of scripts.sort(([a], [b]) => Number(b === 'test') - Number(a === 'test'))) {
    for (const words of commandsIn(text)) {
      const at = words.indexOf(command)
      if (at >= 0 && (flag === undefined || words.includes(flag, at)))
        return { script, args: words.slice(at + 1), env: Object.fromEntries(words.slice(0, at).flatMap(assignment)) }
    }
  }
  return undefined
}

const assignment = (word: string): [string, string][] => {
  const found = /^([A-Za-z_]\w*)=(.*)$/s.exec(word)
  return found ? [[found[1]!, found[2]!]] : []
}

/** The commands of a line as lists of words; quotes hold words together, and nothing is expanded. */
export function commandsIn(text: string): string[][] {
  const commands: string[][] = [[]]
  for (const [token, double, single] of text.matchAll(/&&|\|\||[;|&]|(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|[^\s"';|&])+/g)) {
    if (/^(?:&&|\|\||[;|&])$/.test(token)) commands.push([])
    else commands.at(-1)!.push(
        token === `"${double}"` ? double!.replace(/\\(.)/g, '$1') : token === `'${single}'` ? single! : token.replace(/["']/g, ''),
      )
  }
  return commands.filter(words => words.length > 0)
}

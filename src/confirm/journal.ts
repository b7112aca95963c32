// What was asked and answered, a line each, so that an interrupted confirmation goes on where it stopped: protocols know no
// chance and no clock, so the same answers lead to the same questions.

import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { confirmError } from './error.ts'
import type { Answer, Ask } from './protocols/ask.ts'

export interface Journal {
  readonly recorded: (ask: Ask) => Answer | undefined
  readonly add: (ask: Ask, answer: Answer) => void
  readonly held: number
}

export interface JournalHead {
  readonly target: string
  readonly runner: string
  readonly tests: number
}

const VERSION = 1

export const noJournal: Journal = { recorded: () => undefined, add: () => {}, held: 0 }

/** Begins the file, or goes on with it. Throws where it belongs to something else. */
export function openJournal(file: string, head: JournalHead): Journal {
  const first = { journal: VERSION, ...head }
  if (!existsSync(file) || readFileSync(file, 'utf8').trim() === '') {
    writeFileSync(file, `${JSON.stringify(first)}\n`)
    return journalOf(file, [])
  }
  const [header, ...entries] = readLines(readFileSync(file, 'utf8'))
  const differs = (['journal', 'target', 'runner', 'tests'] as const).find(key => header?.[key] !== first[key])
  if (differs)
    throw confirmError(
      `${file} is not the journal of this confirmation (${differs} is ${JSON.stringify(header?.[differs])}, not ${
        JSON.stringify(first[differs])
      }): name another file, or remove it to begin anew`,
    )
  return journalOf(file, entries as unknown as { key: string; answer: Answer }[])
}

function journalOf(file: string, entries: readonly { readonly key: string; readonly answer: Answer }[]): Journal {
  let at = 0
  return {
    held: entries.length,
    recorded: ask => (entries[at]?.key === keyOf(ask) ? entries[at++]!.answer : undefined),
    add: (ask, answer) => appendFileSync(file, `${JSON.stringify({ key: keyOf(ask), answer })}\n`),
  }
}

/** A last line cut short is left out: its run is made again. */
const readLines = (text: string): Record<string, unknown>[] =>
  text.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line) as Record<string, unknown>]
    } catch {
      return []
    }
  })

const keyOf = ({ tests, ...ask }: Ask): string =>
  createHash('sha256').update(
    JSON.stringify([ask.protocol, ask.what, ask.parallel ?? false, ask.seed ?? null, ask.race ?? false, ask.copies ?? 1, ask.shake ?? null,
      tests?.map(t => t.id) ?? null]),
  ).digest('hex').slice(0, 16)

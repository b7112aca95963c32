// Numbers and outcomes as reports write them.

import type { Confirmation, RunLine } from '../confirmation.ts'
import type { RunOutcome } from '../protocols/ask.ts'

export const LETTERS: Readonly<Record<RunOutcome, string>> = { pass: 'P', fail: 'F', timeout: 'T', skip: 'S', missing: '?', broken: '!' }

export const letters = (outcomes: readonly RunOutcome[]): string => outcomes.map(o => LETTERS[o]).join(' ')
export const lettersOf = (lines: readonly RunLine[]): string => letters(lines.map(l => l.outcome))

export const isFailure = (line: { readonly outcome: RunOutcome }): boolean => line.outcome === 'fail' || line.outcome === 'timeout'
export const isCounted = (line: { readonly outcome: RunOutcome }): boolean => isFailure(line) || line.outcome === 'pass'

export const percent = (rate: number): string => {
  const hundred = rate * 100
  return `${hundred > 0 && hundred < 10 ? Number(hundred.toFixed(1)) : Math.round(hundred)}%`
}

export const rateOf = (lines: readonly RunLine[]): string => {
  const all = lines.filter(isCounted).length
  return all === 0 ? 'unknown' : percent(lines.filter(isFailure).length / all)
}

export const ms = (value: number): string => `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)}ms`

/** `3 of 10 runs failed (30%; 95% interval 11% to 60%)`, or what the absence of failures excludes. */
export function rateSentence({ runs, failures, interval, excludedAbove }: Confirmation): string {
  if (runs === 0) return 'No run told anything of it.'
  if (excludedAbove !== null) return `Not one of ${runs} runs failed: a failure rate above ${percent(excludedAbove)} is excluded at 95%.`
  return `${failures} of ${runs} runs failed (${percent(failures / runs)}; 95% interval ${percent(interval.low)} to ${
    percent(interval.high)
  }).`
}

export const ENDINGS: Readonly<Record<Confirmation['ending'], string>> = {
  done: '',
  budget: 'The time budget was used up: this is what is known so far (--budget gives more).',
  interrupted: 'It was interrupted: this is what is known so far (with --resume FILE it can go on later).',
  useless: 'It was given up: several runs in a row told nothing of the target.',
}

/** What to do next, where the verdict alone does not say. */
export function advice(c: Confirmation): string | null {
  switch (c.verdict) {
    case 'not-reproduced':
      return c.shard
        ? null
        : 'It may not be flaky in this environment: look at how it failed (CI logs, load, time of day), and confirm there or with --perturb.'
    case 'flaky':
      return c.failures >= 0.75 * c.runs ? `It appears consistently broken, yet it passed ${c.runs - c.failures} times: both are so.` : null
    case 'masked-by-retry':
      return 'Turn the retries off while you look for the cause: they hide it.'
    case 'order-dependent':
      return c.interferers.length > 0 ? 'Undo in the interfering test what it leaves behind, or let the target set up what it needs.' : null
    case 'brittle':
      return 'Let the target set up by itself what the other test leaves for it.'
    default:
      return null
  }
}

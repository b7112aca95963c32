// The stream that bats hands to its formatters: `suite FILE`, `begin N TITLE`, then `ok N TITLE in 5ms` or `not ok …`, and lines of
// comment after a failure. A test that is tried again begins again, so retries show here although no report of bats tells them.
// Tests are known by their number: bats expands `$` in some titles before it shows them.

import type { Listed, TestRecord } from '../../runner.ts'

interface Begun {
  readonly test: Listed
  readonly title: string
  tries: number
  result?: { readonly outcome: TestRecord['outcome']; readonly ms: number | null; readonly comments: string[] }
}

export interface Heard {
  readonly records: readonly TestRecord[]
  /** How many tests bats said it would run; null where it never said so. */
  readonly planned: number | null
}

/** `expected` are the tests that bats was asked for, in the order in which it numbers them. `ended` tells how the process ended. */
export function hear(text: string, expected: readonly Listed[], root: string, ended: string): Heard {
  const begun = new Map<number, Begun>()
  const failedFiles = new Map<string, string[]>()
  let planned: number | null = null
  let file = ''
  let comments: string[] | undefined

  for (const line of text.split('\n')) {
    const [, word, number, rest] = /^(begin|ok|not ok) (\d+) (.*)$/.exec(line) ?? []
    const known = begun.get(Number(number))
    if (/^1\.\.\d+$/.test(line) && planned === null) planned = Number(line.slice(3))
    else if (line.startsWith('suite ')) file = line.slice(6)
    else if (word === 'begin') begin(Number(number), rest!)
    // Text that a test prints may look like a result; a true one repeats the title.
    else if (word !== undefined && known && !known.result && rest!.startsWith(known.title))
      known.result = resultOf(word, rest!.slice(known.title.length), comments = [])
    else if (word === 'not ok' && !known && / failed( in \d+ms)?$/.test(rest!)) failedFiles.set(file, comments = [rest!])
    else if (line.startsWith('# ')) comments?.push(line.slice(2))
  }

  function begin(number: number, title: string): void {
    const test = expected[number - 1]
    const before = begun.get(number)
    if (before) before.tries++
    else if (test) begun.set(number, { test, title, tries: 1 })
  }

  const ran = [...begun.values()].map(b => recordOf(b, ended))
  const never = expected.filter((_, at) => !begun.has(at + 1)).flatMap(test => {
    const said = [...failedFiles].find(([path]) => path === `${root}/${test.file}`)?.[1]
    return said
      ? [{ id: test.id, outcome: 'fail' as const, attempts: 1, setupMs: null, testMs: null, teardownMs: null, message: headOf(said) }]
      : []
  })
  return { records: [...ran, ...never], planned }
}

function resultOf(word: string, tail: string, comments: string[]): NonNullable<Begun['result']> {
  const ms = /^ in (\d+)ms/.exec(tail)?.[1]
  const skipped = word === 'ok' && /^( in \d+ms)? # skip\b/.test(tail)
  return { outcome: skipped ? 'skip' : word === 'ok' ? 'pass' : 'fail', ms: ms === undefined ? null : Number(ms), comments }
}

// Set-up and teardown of a test are inside the one time that bats tells.
function recordOf({ test, tries, result }: Begun, ended: string): TestRecord {
  const record = { id: test.id, attempts: tries, setupMs: null, testMs: result?.ms ?? null, teardownMs: null }
  if (!result) return { ...record, outcome: 'fail', message: `the run ended during the test (${ended})` }
  return { ...record, outcome: result.outcome, ...(result.outcome === 'fail' && { message: headOf(result.comments) }) }
}

const headOf = (lines: readonly string[]): string => lines.slice(0, 6).join('\n')

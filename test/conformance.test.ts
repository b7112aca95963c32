// docs/conformance.md against the tests that it names, read by our own parser.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadLanguages } from '../src/index.ts'
import { frontendOf } from '../src/parsers/registry.ts'

await loadLanguages(['typescript'])
const { parse, kindOf } = await frontendOf('typescript')

const absolute = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const page = readFileSync(absolute('docs/conformance.md'), 'utf8')

interface Row {
  readonly id: string
  readonly tests: readonly { readonly file: string; readonly title: string }[]
}

/** `| C-001 | requirement | `file` title<br>`file` title |` */
const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^\| ([CF]-\d{3}) \| [^|]+ \|([^|]*)\|$/gm)].map(([, id, cell]) => ({
    id: id!,
    tests: cell!.split('<br>').flatMap(entry => [...entry.matchAll(/^\s*`(\S+)` (.+?)\s*$/g)].map(m => ({ file: m[1]!, title: m[2]! }))),
  }))

const titles = new Map<string, ReadonlySet<string>>()
/** Those that run: one that is skipped holds nothing. */
function titlesIn(file: string): ReadonlySet<string> {
  let known = titles.get(file)
  if (!known) {
    const units = existsSync(absolute(file))
      ? parse(readFileSync(absolute(file), 'utf8'), { path: file, kind: kindOf(file), testFunctions: [] }).units
      : []
    titles.set(file, known = new Set(units.filter(u => u.role.is === 'test' && u.skips.length === 0).map(u => u.title)))
  }
  return known
}

const faultsIn = (text: string): string[] =>
  rowsOf(text).flatMap(({ id, tests }) =>
    tests.length === 0
      ? [`${id} names no test`]
      : tests.filter(t => !titlesIn(t.file).has(t.title)).map(t => `${id} names a test that does not run: ${t.file} ${t.title}`)
  )

test('every row names its tests, and they are there', () => {
  expect(faultsIn(page)).toEqual([])
})

test('no requirement is missing or stands twice, and no line of a table is passed over', () => {
  const ids = rowsOf(page).map(r => r.id)
  expect(ids.slice(0, 11)).toEqual(Array.from({ length: 11 }, (_, i) => `C-${String(i + 1).padStart(3, '0')}`))
  expect(new Set(ids).size).toBe(ids.length)
  expect(page.split('\n').filter(line => /^\| [A-Z]-/.test(line))).toHaveLength(ids.length)
})

describe('a row', () => {
  const row = (tests: string) => `| C-001 | Something | ${tests} |`

  test('that names no test is reported', () => {
    expect(faultsIn(row(''))).toEqual(['C-001 names no test'])
    expect(faultsIn(row('somewhere in the tests'))).toEqual(['C-001 names no test'])
  })

  test.each([['`test/nowhere.test.ts` a title'], ['`test/cli.test.ts` the exit status is 3'], [
    '`test/cli.test.ts` every language is found in the fixtures<br>`test/cli.test.ts` the exit status',
  ]])('that names %s is reported', tests => {
    expect(faultsIn(row(tests))).toEqual([expect.stringMatching(/^C-001 names a test that does not run: /)])
  })

  test('that names one that is there is not', () => {
    expect(faultsIn(row('`test/cli.test.ts` every language is found in the fixtures'))).toEqual([])
  })
})

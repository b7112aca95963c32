// The root-cause analysis as Markdown: a summary, the causes worst first, and the catalogue of endangered tests.

import { causesOf, type Cause, type CauseTest } from './causes.ts'
import { code, plain } from './markup.ts'
import type { Formatter, Summary } from './summary.ts'
import { RECKONING } from './likelihood.ts'
import { visible } from './visible.ts'

/** Below a cause, at most so many tests of a file are named, and so many files; the catalogue has them all. */
const NAMED_TESTS = 8, NAMED_FILES = 12

export const formatMarkdown: Formatter = summary => {
  const causes = causesOf(summary)
  return `${
    [...overview(summary, causes), ...causes.flatMap((cause, i) => causeSection(cause, i + 1)), ...catalogue(causes), ...reckoning(causes),
      ...limits(summary)].join('\n')
  }\n`
}

const count = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? '' : 's'}`

/** A table's cell ends at every bar that is not escaped, code or not. */
const cell = (markdown: string): string => markdown.replaceAll('|', '\\|')

function overview(summary: Summary, causes: readonly Cause[]): string[] {
  const tests = new Set(causes.flatMap(c => c.tests.map(keyOf))).size
  const seen = Object.values(summary.tests).reduce((a, b) => a + b, 0)
  const lines = ['# Flaky tests: root causes', '', '## Summary', '']
  if (causes.length === 0) return [...lines, `No source of nondeterminism was found in ${count(seen, 'test')}.`, '']
  const systemic = causes.filter(c => c.tests.length > 1)
  lines.push(
    `${count(causes.length, 'cause')} of nondeterminism in ${count(seen, 'test')}, with ${count(tests, 'test')} endangered. ${
      count(systemic.length, 'cause')
    } ${systemic.length === 1 ? 'is' : 'are'} systemic: ${systemic.length === 1 ? 'it endangers' : 'they endanger'} more than one test.`,
    '',
    'These are risks, not verdicts: which tests fail, and how often, only runs can tell. Each cause says what would confirm it.',
    '',
    '| | cause | where | tests | risk |',
    '|---:|---|---|---:|---:|',
    ...causes.slice(0, 20).map((c, i) =>
      `| ${i + 1} | ${plain(c.title)} | ${cell(code(`${c.finding.file}:${c.finding.startLine}`))} | ${c.tests.length} | ${
        c.score.toFixed(1)
      } |`
    ),
    ...(causes.length > 20 ? ['', `And ${count(causes.length - 20, 'more cause')} below.`] : []),
    '',
    'Risk is the number of endangered tests times how often findings of this kind had to be fixed in real projects: [how it is reckoned](#how-risk-is-reckoned).',
    '',
    '## Root causes',
    '',
  )
  return lines
}

function causeSection(cause: Cause, number: number): string[] {
  const { finding } = cause
  return [
    `### ${number}. ${plain(cause.title)}`,
    '',
    `**Class**: ${cause.category}, ${code(cause.rule)} (${cause.severity}, ${cause.confidence} confidence)`,
    '',
    `**Location**: ${code(`${finding.file}:${finding.startLine}`)}${finding.test === null ? '' : ` in ${code(finding.test)}`}`,
    '',
    ...(cause.places.length > 1
      ? [
        `**Also at**: ${cause.places.slice(1, 9).map(p => code(`${p.file}:${p.startLine}`)).join(', ')}${
          cause.places.length > 9 ? ' …' : ''
        }`,
        '',
      ]
      : []),
    '**Mechanism**:',
    '',
    ...frame(cause),
    '',
    `${plain(finding.message)}.`,
    '',
    ...cause.why.flatMap(w => [w, '']),
    `**Tests affected**: ${cause.tests.length}`,
    '',
    ...affected(cause.tests),
    '',
    ...(cause.path.length > 0
      ? ['**A way from a test to it**:', '', ...cause.path.map(s => `- ${code(`${s.file}:${s.startLine}`)} ${plain(s.message)}`), '']
      : []),
    ...list('How it would show', cause.shows),
    ...list('Fixes', cause.fixes.map(f => `${f.fix}${f.here ? ` (${f.here})` : ''}. ${f.tradeOff}`)),
    '**What would confirm it**:',
    '',
    '```sh',
    ...cause.confirm.map(visible),
    '```',
    '',
    ...list('Competing explanations', cause.others),
  ]
}

const list = (title: string, entries: readonly string[]): string[] =>
  entries.length === 0 ? [] : [`**${title}**:`, '', ...entries.map(e => `- ${e}`), '']

function frame({ finding }: Cause): string[] {
  const body = finding.frame.map(l =>
    `${String(l.line).padStart(5)} ${l.line === finding.startLine ? '>' : ' '} ${visible(l.text.replaceAll('\t', '    '))}`
  )
  const fence = '`'.repeat(Math.max(3, ...body.map(b => Math.max(0, ...[...b.matchAll(/`+/g)].map(m => m[0].length)) + 1)))
  return [fence, ...body, fence]
}

function affected(tests: readonly CauseTest[]): string[] {
  const files = grouped(tests)
  return [
    ...files.slice(0, NAMED_FILES).map(([file, inside]) =>
      `- ${code(file)}: ${inside.slice(0, NAMED_TESTS).map(t => code(t.test)).join(', ')}${
        inside.length > NAMED_TESTS ? ` and ${inside.length - NAMED_TESTS} more` : ''
      }`
    ),
    ...(files.length > NAMED_FILES ? [`- and ${count(files.length - NAMED_FILES, 'more file')}`] : []),
  ]
}

function grouped(tests: readonly CauseTest[]): [string, CauseTest[]][] {
  const files = new Map<string, CauseTest[]>()
  for (const test of tests) files.get(test.file)?.push(test) ?? files.set(test.file, [test])
  return [...files]
}

const keyOf = (test: CauseTest): string => `${test.file}\0${test.test}`

function catalogue(causes: readonly Cause[]): string[] {
  if (causes.length === 0) return []
  const tests = new Map<string, { readonly test: CauseTest; readonly causes: number[] }>()
  causes.forEach((cause, i) =>
    cause.tests.forEach(test => {
      const known = tests.get(keyOf(test)) ?? tests.set(keyOf(test), { test, causes: [] }).get(keyOf(test))!
      known.causes.push(i + 1)
    })
  )
  const files = new Map<string, { readonly test: CauseTest; readonly causes: number[] }[]>()
  for (const entry of [...tests.values()].sort((a,
    b) => (a.test.file < b.test.file ? -1 : a.test.file > b.test.file ? 1 : a.test.line - b.test.line)
  )) files.get(entry.test.file)?.push(entry) ?? files.set(entry.test.file, [entry])
  return ['## Endangered tests', '', ...[...files].flatMap((
    [file, inside],
  ) => [`### ${code(file)}`, '',
    ...inside.map(e => `- ${code(e.test.test)} (line ${e.test.line}): ${e.causes.map(n => `cause ${n}`).join(', ')}`), '']
  )]
}

const reckoning = (
  causes: readonly Cause[],
): string[] => causes.length === 0 ? [] : ['## How risk is reckoned', '', ...RECKONING.flatMap(p => [p, ''])]

function limits({ files }: Summary): string[] {
  const left = Object.entries(files.leftOut).filter(([, n]) => n > 0).map(([why, n]) => `${n} ${visible(why)}`)
  return ['## What was looked at', '',
    `${count(files.checked, 'file')} checked, ${files.parsed} of them parsed${
      files.withProblems > 0 ? `, ${files.withProblems} only in part` : ''
    }${left.length > 0 ? `; left out: ${left.join(', ')}` : ''}.`, '']
}

// Failures that are printed and not let through: a `catch` that logs, an error that is told to the log, a difference that
// nobody but the log learns of. The run stays green.

import type { FileFacts, Region, Span, Swallow, Unit, Value } from '../../facts/facts.ts'
import { has, isExample, valuesIn } from '../../facts/query.ts'

type TextOf = (span: Span) => string

export interface Printed extends Swallow {
  /** The test ends there, so that nothing after it is checked. */
  readonly ends: boolean
}

const EXPECTED = /(^|[._])(want|wanted|expected|expect|exp|golden)([A-Z_.[]|$)|(Want|Expected)$/

/** `if got != want { t.Logf(…) }` */
export function* printedDifferences(unit: Unit, textOf: TextOf): Generator<Span> {
  if (unit.role.is !== 'test') return
  for (const region of unit.regions)
    if (region.kind === 'if' && region.condition && differs(region.condition, unit) && printsOnly(unit, region.span, textOf))
      yield region.span
}

function differs(condition: Value, unit: Unit): boolean {
  if (condition.is !== 'op' || !/^(!=|not)$/.test(condition.op)) return false
  if (condition.op === 'not' && !condition.of.some(v => v.is === 'call' && /equal|same/i.test(unit.calls[v.call]!.name))) return false
  return [...valuesIn(condition, unit)].some(v => v.is === 'name' && EXPECTED.test(v.path))
}

/** What is caught, or given as an error, and only printed. */
export function* printedFailures(facts: FileFacts, unit: Unit, textOf: TextOf): Generator<Printed> {
  // What an example prints is what is asserted of it.
  if (isExample(facts, unit)) return
  for (const region of unit.regions) {
    const failed = failure(facts, unit, region, textOf)
    if (!failed) continue
    const ends = unit.role.is === 'test' && /\breturn\s*(;|\n|\}|$)/.test(textOf(region.span))
    if (printsOnly(unit, region.span, textOf, ends)) yield { ...failed, span: region.span, in: region.in, ends }
  }
}

type Failed = Pick<Swallow, 'how' | 'calls' | 'text'>

function failure(facts: FileFacts, unit: Unit, region: Region, textOf: TextOf): Failed | undefined {
  if (region.kind === 'catch' && !region.empty) {
    const tried = unit.regions.filter(r =>
      r.kind === 'try' && r.in === region.in && r.span.end <= region.span.start
    ).sort((a, b) => b.span.end - a.span.end)[0]
    if (!tried || /\b(return|break|fail)\b/.test(textOf(tried.span)))
      return undefined
    const calls = unit.calls.flatMap((c, i) => (stands(tried.span)(c) ? [i] : []))
    return {
      how: `${facts.language === 'python' ? 'except' : 'catch'} ${(region.catches ?? []).join(facts.language === 'python' ? ', ' : ' | ')}`
        .trim(),
      calls,
      text: textOf(tried.span).replace(/^\{\s*|\s*\}$/g, ''),
    }
  }
  if (region.kind === 'closure' && region.call !== undefined && /\.catch$/.test(unit.calls[region.call]!.name)) {
    const { receiver, result } = unit.calls[region.call]!
    return receiver?.is === 'call' && result !== 'used'
      ? { how: '.catch', calls: [receiver.call], text: textOf(unit.calls[receiver.call]!.span) }
      : undefined
  }
  if (region.kind !== 'if') return undefined
  const before = textOf({ start: Math.max(unit.span.start, region.span.start - 300), end: region.span.start })
  const given = facts.language === 'go'
    ? /\b(err\w*|\w+Err)\s*!=\s*nil\s*$/.exec(before)
    : facts.language === 'rust'
    ? /(?:\bif let\s+)?\bErr\((\w+)\)\s*(?:=>|=[^;{}]*)\s*$/.exec(before)
    : null
  if (!given) return undefined
  const last = unit.calls.findLastIndex(c => c.span.end <= region.span.start && !has(c, 'log'))
  return last < 0
    ? undefined
    : { how: given[0].replace(/\s*=[^=]*$/, '').trim() || given[1]!, calls: [last], text: textOf(unit.calls[last]!.span) }
}

const stands = (span: Span) => (item: { readonly span: Span }): boolean => item.span.start >= span.start && item.span.end <= span.end

const FAILS = /\.(Error|Errorf|Fatal|Fatalf|Fatalln|Panic|Panicf|Panicln|Skip|Skipf)$/
/** The names under which the failure itself is at hand. */
const CAUGHT = /^(e|ex|err|error|exc|r|t|_\w*)$/
const LEAVES = /\b(throw|raise|continue|break|panic|exit|fail\w*|goto|yield|assert\w*|done|reject|resolve|skip)\b|\+\+|--|\+=/

/** Nothing but printing goes on there: nobody fails, keeps or counts anything, and nobody leaves unless the test may end. */
function printsOnly(unit: Unit, span: Span, textOf: TextOf, mayEnd = false): boolean {
  const here = stands(span)
  const calls = unit.calls.filter(here)
  const prints = calls.filter(c => has(c, 'log') && !has(c, 'exit') && !FAILS.test(c.name))
  if (prints.length === 0 || calls.some(c => !prints.some(p => stands(p.span)(c)))) return false
  if (unit.writes.some(w => here(w) && !CAUGHT.test(w.target)) || unit.assertions.some(here) || unit.skips.some(here)) return false
  const text = textOf(span).replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g, '""').replace(/(\/\/|#)[^\n]*/g, '')
  return !LEAVES.test(text) && (mayEnd || !/\breturn\b(?!\s*\w+\.)/.test(text))
}

import type { EffectKind } from '../../facts/effects.ts'
import type { Span, Unit, Value } from '../../facts/facts.ts'
import { cured, frozenClock, has, isProperty, isTestCode, marked } from '../../facts/query.ts'
import type { Origin } from '../../flow/flow.ts'
import { isMasked } from '../../flow/claims/masked.ts'
import { heldIn, originsOf } from '../../flow/records.ts'
import { defineRule, type FileView } from '../rule.ts'
import { confidenceOf, lower, way } from '../wording.ts'

const WHAT: Readonly<Partial<Record<EffectKind, string>>> = {
  clock: 'the time of the run',
  mono: 'a measured time',
  elapsed: 'a measured time',
  random: 'a random number',
  'unique-id': 'an id that is drawn anew',
  'temp-dir': 'the path of a temporary folder',
  'process-id': 'the id of a process',
  'fs-order': 'a listing in no promised order',
}

/** `assert_snapshot!(out, @"…")` */
const INLINE = /,\s*@r?#*"|[iI]nlineSnapshot\(\s*[`'"]/

export default defineRule(
  {
    id: 'nondeterministic-snapshot',
    title: 'A snapshot holds a value that is another one on every run',
    category: 'time',
    severity: 'warning',
    triggers: ['snapshot'],
    words: { rust: ['\\bassert_(?:\\w+_)?snapshot!'], python: ['== snapshot(?:_\\w+)?\\b'], go: ['sebdah/goldie'] },
    confirm: ['clock-shift', 'seed-vary'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* (view) {
    const { facts, flows } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const { span, values } of recorded(unit)) {
        if (isMasked(unit, span, view.textOf)) continue
        // A path that is another one each time never matches what is written right here; it is a folder to work in.
        const inline = INLINE.test(view.textOf(span))
        const tells = (o: Origin) =>
          WHAT[o.kind] !== undefined && o.shape !== 'truth' && !isHeld(o, unit, view) && !(inline && o.kind === 'temp-dir')
        const origin = values.flatMap(v => flows.ingredients(unit, v, span.start).origins).find(tells)
          ?? inRecord(unit, span, values, view).find(tells)
        if (!origin) continue
        const sure = confidenceOf(facts.units[origin.unit]!.calls[origin.call]!)
        yield {
          // What the code makes of it may leave it out.
          at: span,
          unit: unit.id,
          confidence: !origin.opaque ? sure : origin.kind === 'temp-dir' ? 'low' : lower(sure),
          message: `a snapshot of ${WHAT[origin.kind]} (${view.textOf(origin.span).slice(0, 60)}): the next run records another one`,
          trace: way(origin, 'it arises', { span, message: 'and is recorded' }),
        }
      }
    }
  },
)

/** What a helper or class of the file put into what is recorded. */
const inRecord = (unit: Unit, span: Span, values: readonly Value[], view: FileView): Origin[] =>
  values.flatMap(v =>
    [...heldIn(view, unit, v, span.start)].flatMap(({ part, through }) =>
      originsOf(part, view.flows).map(o => (through ? { ...o, opaque: true } : o))
    )
  )

/** What goes into snapshots: by an assertion, by being equal to pytest's fixture of that name, or by a call that is not one. */
function recorded(unit: Unit): { readonly span: Span; readonly values: readonly Value[] }[] {
  const isFixture = (v: Value) => v.is === 'name' && /^snapshot(_\w+)?$/.test(v.path) && unit.params.includes(v.path)
  const asserted = unit.assertions.filter(a => a.compare === 'snapshot' || (a.compare === '==' && a.operands.some(isFixture))).map(a => ({
    span: a.span,
    values: a.operands,
  }))
  const called = unit.calls.filter(c => has(c, 'snapshot') && !asserted.some(a => a.span.start <= c.span.start && a.span.end >= c.span.end))
    .map(c => ({ span: c.span, values: c.args }))
  return [...asserted, ...called]
}

function isHeld(origin: Origin, unit: Unit, { facts }: FileView): boolean {
  if (origin.kind === 'clock' || origin.kind === 'mono' || origin.kind === 'elapsed')
    return frozenClock(facts, unit) || has(facts.units[origin.unit]!.calls[origin.call]!, 'fake-clock')
  return (origin.kind === 'random' || origin.kind === 'unique-id') && (cured(facts, unit, 'seed') || marked(facts, unit, 'seeded'))
}

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { argumentOf, effectOf, frozenClock, valuesIn } from '../../facts/query.ts'
import { DATABASE, inShared, sharedNames } from '../../flow/state/shared-names.ts'
import type { Ingredients, Origin } from '../../flow/flow.ts'
import { defineRule, type Confidence, type FileView, type Report } from '../rule.ts'
import { confidenceOf, least, way } from '../wording.ts'

/** What a variable or a piece of text must be called for its name to be a resource's. */
const NAMES = /(^|[^a-z])(db|database|schema|table|topic|bucket|queue|collection|keyspace|tablespace|memdb|dbname|index_name|stream_name|consumer_group|group_id|namespace|tmpdir|temp_dir|container_name|app_?id|application_?id)(?![a-z])|(Db|Database|Schema|Table|Topic|Bucket|Queue|Collection|Keyspace|DbName|GroupId|Namespace|AppId|ApplicationId)(Name|Path|Url)?$/

export default defineRule(
  {
    id: 'time-based-name', title: 'A shared thing is named by the clock', category: 'time', severity: 'warning',
    triggers: ['clock', 'mono', 'process-id'], source: ['clock', 'process-id'], confirm: ['parallelise'], crowds: 5, since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (unit.calls.every(c => c.effects.length === 0) && unit.writes.length === 0) continue
      const told = new Set<number>()
      for (const report of [...sinks(unit, view), ...names(unit, view), ...given(unit, view)]) {
        const key = report.trace?.[0]?.span.start ?? report.at.start
        if (told.has(key)) continue
        told.add(key)
        yield report
      }
    }
  },
)

/** The clock is the only thing in a name that varies. */
function clockAlone({ origins, unknown }: Ingredients): Origin | undefined {
  // A property is the same for the whole process.
  if (unknown.some(u => !/System\.getProperty$/.test(u)) || origins.some(o => o.kind === 'random' || o.kind === 'unique-id' || o.kind === 'temp-dir')) return undefined
  return origins.find(o => (o.kind === 'clock' || o.kind === 'mono' || o.kind === 'process-id') && !o.opaque && o.shape !== 'truth' && o.shape !== 'duration')
}

const shares = (clock: Origin): string => (clock.kind === 'process-id' ? 'the number of the process: all its tests share it' : 'the clock: two tests that start in the same tick share it')
const readOf = (clock: Origin): string => (clock.kind === 'process-id' ? 'the process is asked for its number' : 'the clock is read')
/** What is made once for a whole file or process may bear its number, and in the shell every test is a process. */
const sureOf = (clock: Origin, unit: Unit, { facts }: FileView, sure: Confidence): Confidence =>
  clock.kind === 'process-id' && (facts.language === 'bash' || unit.role.is === 'module' || unit.role.is === 'suite' || (unit.role.is === 'hook' && unit.role.per !== 'test')) ? 'low' : sure

function* sinks(unit: Unit, view: FileView): Generator<Report> {
  for (const call of unit.calls) {
    const effect = effectOf(call, 'name-resource')
    const name = effect && argumentOf(call, effect)
    if (!effect || !name || !isText(name, unit, call)) continue
    const clock = clockAlone(view.flows.ingredients(unit, name, call.span.start))
    if (!clock || frozenClock(view.facts, unit, clock.span.start)) continue
    yield {
      at: textSpan(clock, call, unit), unit: unit.id, confidence: sureOf(clock, unit, view, effect.what === 'database' ? confidenceOf(call) : least(confidenceOf(call), 'medium')), ...(effect.what === 'database' && { severity: 'error' as const }),
      message: `names a ${effect.what ?? 'resource'} by ${shares(clock)}`,
      trace: way(clock, readOf(clock), { span: call.span, message: `and names a ${effect.what ?? 'resource'}` }),
    }
  }
}

/** Where no call is known to take the name, its variable says what it is for. */
function* names(unit: Unit, view: FileView): Generator<Report> {
  for (const write of unit.writes) {
    if (write.value.is !== 'text') continue
    const clock = clockAlone(view.flows.ingredients(unit, write.value, write.span.start))
    const prefix = [...valuesIn(write.value, unit)].find(v => v.is === 'literal' && typeof v.value === 'string') as { value: string } | undefined
    // The number of a day is what the code under test calls its table by.
    if (clock?.steps.some(s => unit.writes.some(w => w.span.start === s.span.start && isDivided(w.value, unit)))) continue
    if (!clock || !(NAMES.test(write.target) || NAMES.test(prefix?.value ?? '') || DATABASE.test(prefix?.value ?? '') || inShared(write.value, unit)) || frozenClock(view.facts, unit, clock.span.start)) continue
    yield {
      at: write.span, unit: unit.id, confidence: sureOf(clock, unit, view, 'medium'), message: `${write.target} is named by ${shares(clock)}`,
      trace: way(clock, readOf(clock), { span: write.span, message: `and becomes part of ${write.target}` }),
    }
  }
}

/** Where the text itself, or what takes it, says what it names. */
function* given(unit: Unit, view: FileView): Generator<Report> {
  for (const { call, value, what } of sharedNames(unit)) {
    const clock = clockAlone(view.flows.ingredients(unit, value, call.span.start))
    if (!clock || frozenClock(view.facts, unit, clock.span.start)) continue
    yield {
      at: call.span, unit: unit.id, confidence: sureOf(clock, unit, view, 'medium'), message: `names a ${what} by ${shares(clock)}`,
      trace: way(clock, readOf(clock), { span: call.span, message: `and names a ${what}` }),
    }
  }
}

/** A number handed to a file call is a descriptor or a size; a name is text. */
function isText(value: Value, unit: Unit, call: Call): boolean {
  const kept = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= call.span.start)?.value : value
  return kept === undefined ? false : kept.is === 'text' || [...valuesIn(kept, unit)].some(v => v.is === 'text' || (v.is === 'literal' && typeof v.value === 'string'))
}

/** The line where the name is put together is where the cure goes. */
function textSpan(clock: Origin, call: Call, unit: Unit) {
  const made = clock.steps.findLast(s => unit.writes.some(w => w.span.start === s.span.start && w.value.is === 'text'))
  return clock.unit === unit.id && made ? (clock.steps.find(s => unit.writes.some(w => w.span.start === s.span.start && w.value.is === 'text')) ?? made).span : call.span
}

const isDivided = (value: Value, unit: Unit): boolean => [...valuesIn(value, unit)].some(v => v.is === 'op' && (v.op === '/' || v.op === '//'))

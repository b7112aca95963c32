import type { Call, Unit, Value } from '../../facts/facts.ts'
import { has, valuesIn } from '../../facts/query.ts'
import type { Ingredients, Origin } from '../../flow/flow.ts'
import { type Confidence, type FileView } from '../rule.ts'

/** What a variable or a piece of text must be called for its name to be a resource's. */
export const NAMES =
  /(^|[^a-z])(db|database|schema|table|topic|bucket|queue|collection|keyspace|tablespace|memdb|dbname|index_name|stream_name|consumer_group|group_id|namespace|tmpdir|temp_dir|container_name|app_?id|application_?id)(?![a-z])|(Db|Database|Schema|Table|Topic|Bucket|Queue|Collection|Keyspace|DbName|GroupId|Namespace|AppId|ApplicationId)(Name|Path|Url)?$/

/** The clock is the only thing in a name that varies. */
export function clockAlone({ origins, unknown }: Ingredients): Origin | undefined {
  // A property is the same for the whole process.
  if (unknown.some(u => !/System\.getProperty$/.test(u))
    || origins.some(o => o.kind === 'random' || o.kind === 'unique-id' || o.kind === 'temp-dir')) return undefined
  // Two tests of a process differ by the clock, and two processes of the same tick by their numbers.
  if (origins.some(o => o.kind === 'process-id') && origins.some(o => o.kind === 'clock' || o.kind === 'mono')) return undefined
  return origins.find(o =>
    (o.kind === 'clock' || o.kind === 'mono' || o.kind === 'process-id') && !o.opaque && o.shape !== 'truth' && o.shape !== 'duration'
  )
}

export const shares = (
  clock: Origin,
): string =>
  clock.kind === 'process-id'
    ? 'the number of the process: all its tests share it'
    : 'the clock: two tests that start in the same tick share it'
export const readOf = (clock: Origin): string => (clock.kind === 'process-id' ? 'the process is asked for its number' : 'the clock is read')
/** What is made once for a whole file or process may bear its number, and in the shell every test is a process. */
export const sureOf = (clock: Origin, unit: Unit, view: FileView, sure: Confidence): Confidence =>
  clock.kind === 'process-id'
    && (view.facts.language === 'bash' || isOnlyHere(unit, view) || unit.role.is === 'module' || unit.role.is === 'suite'
      || (unit.role.is === 'hook' && unit.role.per !== 'test'))
    ? 'low'
    : sure

/** The number stands beside a word that the file has nowhere else: no other test of the process makes the same name. */
function isOnlyHere(unit: Unit, { facts, textOf }: FileView): boolean {
  if (unit.role.is !== 'test' || unit.params.length > 0) return false
  const file = textOf(facts.units[0]!.span)
  const numbered = unit.writes.map(w => w.value).filter(v =>
    v.is === 'text' && [...valuesIn(v, unit)].some(x => x.is === 'call' && has(unit.calls[x.call]!, 'process-id'))
  )
  return numbered.length > 0
    && numbered.every(v =>
      [...valuesIn(v, unit)].some(x =>
        x.is === 'literal' && typeof x.value === 'string' && /\w{3}/.test(x.value) && x.value !== '/tmp' && file.split(x.value).length === 2
      )
    )
}

/** A number handed to a file call is a descriptor or a size; a name is text. */
export function isText(value: Value, unit: Unit, call: Call): boolean {
  const kept = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= call.span.start)?.value : value
  // `/proc/4711/mounts` is what the system tells of the process.
  return kept === undefined || (kept.is === 'text' && kept.parts[0]?.is === 'literal' && /^\/proc\//.test(String(kept.parts[0].value)))
    ? false
    : kept.is === 'text' || [...valuesIn(kept, unit)].some(v => v.is === 'text' || (v.is === 'literal' && typeof v.value === 'string'))
}

/** The line where the name is put together is where the cure goes. */
export function textSpan(clock: Origin, call: Call, unit: Unit) {
  const made = clock.steps.findLast(s => unit.writes.some(w => w.span.start === s.span.start && w.value.is === 'text'))
  return clock.unit === unit.id && made
    ? (clock.steps.find(s => unit.writes.some(w => w.span.start === s.span.start && w.value.is === 'text')) ?? made).span
    : call.span
}

export const isDivided = (value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].some(v => v.is === 'op' && (v.op === '/' || v.op === '//'))

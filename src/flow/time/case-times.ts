// Readings of the clock in the cases of a test, which are known as text alone.

import type { FileFacts, Unit, Value } from '../../facts/facts.ts'
import { frozenClock } from '../../facts/query.ts'
import { isInstant, type Flows, type Origin } from '../flow.ts'

const READING = new RegExp([
  String.raw`\b(?:datetime|dt|timezone|pendulum|arrow|Arrow|Timestamp|dt_util|timeutils)\.(?:utcnow|now)\([^()]*\)`,
  String.raw`\b(?:date|pendulum|datetime|Timestamp)\.today\([^()]*\)`,
  String.raw`\btime\.time\(\)|\butcnow\(\)`,
].join('|'))

/** A time that the unit read, as it is, moved or as text. */
export const isTime = (o: Origin, unit: Unit): boolean =>
  o.kind === 'clock' && o.unit === unit.id && !o.opaque && (isInstant(o) || o.shape === 'text')

/**
 * What reads the clock in `[(datetime.now(), True)]`, or the name under which the file keeps a reading: `[(NOW - timedelta(hours=1),
 * True)]`.
 */
export function readInCases(cases: string, unit: Unit, { facts, flows }: { readonly facts: FileFacts; readonly flows: Flows }):
  | string
  | undefined
{
  const read = READING.exec(cases)?.[0]
  if (read) return read
  const [file] = facts.units
  const isKept = (value: Unit['writes'][number]) =>
    flows.ingredients(file!, value.value, value.span.end).origins.some(o => isTime(o, file!))
  return file!.writes.find(w =>
    /^[A-Z_]{3,}$/.test(w.target) && w.value.is !== 'group' && new RegExp(`\\b${w.target}\\b`).test(cases) && isKept(w)
    && !frozenClock(facts, unit)
  )?.target
}

/** `clock.timestamp = () => NOW`: what stands in for a clock tells the same time. */
export const givesIt = (unit: Unit, isIt: (v: Value) => boolean): boolean =>
  unit.role.is === 'helper' && unit.params.length === 0 && unit.assertions.length === 0 && unit.calls.length === 0
  && unit.returns.some(isIt)

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { isInstant, type Origin } from '../../flow/flow.ts'
import { keptIn } from '../../flow/zones/zone.ts'
import { type FileView } from '../rule.ts'

export const STRICT = new Set(['!=', '<', '>'])
const STAMP =
  /(^|[._])(created|updated|modified|changed|mtime|ctime|timestamp)$|(created|updated|modified|changed|last_?used|last_?seen)_?(at|on|time|date|timestamp)$|[a-z]Timestamp$|(^|[._])last_?modified$/i
/** What asks for such a time. */
const ASKED =
  /^(get_?)?(last_?)?(created|updated|modified|changed)_?(at|on|time|date|timestamp)$|^(get)?mtime$|^ModTime$|^modified$|^(get)?[lL]astModified(Time)?$|^getUpdated$|^getLast(Updated?|Modified|Changed)(Time|Date|At|On)?$|^(get)?Timestamp$/i
/** The same time in another form. */
const SAME = /^(getTime|valueOf|Unix\w*|toMillis|toInstant|toEpochMilli|timestamp|unwrap|getNanos|isoformat|get|orElseThrow)$/
/** A clock of the project's own that is moved, a file whose time is set. */
export const MOVES =
  /(^|[.:_])(advance\w*|tick\w*|travel\w*|fast_?forward\w*|utimes?(Sync)?|Chtimes|set_?file_?m?times?|set_modified|setLastModified(Time)?|setSystemTime|move_to|sleep\w*|wait\w*|delay\w*|pause\w*)$/i

export const KEYS = 'two entries are kept under the time at which each was made: in the same tick the second takes the place of the first'

export const BESIDE =
  'expects a time that was just taken to differ from a reading of the clock beside it: on a fast machine, or with a coarse clock, both are the same'

/** A reading as it was, not moved by a time: that would be a bound on how long something took. */
export function isBare(value: Value, unit: Unit, offset: number, { facts }: FileView): boolean {
  const kept = value.is === 'name' ? keptIn(facts, unit, value.path, offset) : { value, unit }
  return kept !== undefined
    && valuesIn(kept.value, kept.unit).every(v => {
      const call = v.is === 'call' ? kept.unit.calls[v.call] : undefined
      return call ? has(call, 'clock') || call.args.length === 0 : v.is === 'name' || v.is === 'group' || v.is === 'literal'
    })
}

/** A time that the code under test keeps, such as `a.updated`, `b.getUpdatedAt()`, the time of a file; names looked behind. */
export function isStamp(value: Value, unit: Unit, offset: number, view: FileView, depth = 0): boolean {
  if (value.is === 'name') {
    const kept = STAMP.test(value.path) || depth > 3 ? undefined : keptIn(view.facts, unit, value.path, offset)
    return STAMP.test(value.path)
      || (kept?.unit === unit && !value.path.includes('.') && isStamp(kept.value, unit, kept.offset, view, depth + 1))
  }
  // `stat(path).mtime` keeps the call and leaves out the field's name, which is read behind it.
  const inner = value.is === 'group' && value.of.length === 1 ? value.of[0]! : value
  const call = inner.is === 'call' ? unit.calls[inner.call] : undefined
  if (!call) return false
  if (inner !== value)
    return STAMP.test(
      /^(\.\w+)/.exec(view.textOf({ start: call.span.end, end: call.span.end + 24 }))?.[1]?.replace(/^\.st_/, '.').replace(
        /(?<=mtime)(_ns|Ms|Ns)$/,
        '',
      ) ?? '',
    )
  const last = call.name.slice(Math.max(call.name.lastIndexOf('.'), call.name.lastIndexOf(':')) + 1)
  return (call.args.length < 2 && ASKED.test(last))
    || (call.receiver !== null && SAME.test(last) && call.args.length === 0
      && isStamp(view.facts.language === 'java' && call.receiver.is === 'group' ? call.receiver.of[0] ?? call.receiver : call.receiver,
        unit, offset, view, depth + 1))
}

/** The same, or what is read out of data by the name of such a time: `parse(row["created_at"])`. */
const isNoted = (value: Value, unit: Unit, offset: number, view: FileView): boolean =>
  isStamp(value, unit, offset, view)
  || (value.is !== 'literal' && value.is !== 'text'
    && [...valuesIn(value, unit)].some(v => v.is === 'literal' && typeof v.value === 'string' && STAMP.test(v.value)))

/** A time that the code under test has just taken, and beside it a reading of the test's own, as it was. */
export function besideReading(operands: readonly Value[], unit: Unit, offset: number, view: FileView): Origin | undefined {
  const reads = operands.map(o =>
    view.flows.ingredients(unit, o, offset).origins.find(x => x.kind === 'clock' && isInstant(x) && !x.opaque && x.unit === unit.id)
  )
  const at = reads.findIndex(r => r !== undefined), reading = reads[at], other = operands[1 - at]
  return reading && other && !reads[1 - at] && isBare(operands[at]!, unit, offset, view) && isNoted(other, unit, offset, view)
      && !isGiven(unit)
    ? reading
    : undefined
}

/** The test says itself which time it is to be. */
export const isGiven = (unit: Unit): boolean =>
  unit.writes.some(w => w.target.includes('.') && STAMP.test(w.target))
  || unit.calls.some(c =>
    Object.keys(c.named).some(n => STAMP.test(n))
    || (c.args.length > 0 && /(^|[.:])set\w*(Modified|Updated|Created|Timestamp|Time)\w*$/.test(c.name))
  )

export const isSameBut = (at: number, a: Call, b: Call): boolean =>
  a.args.length === b.args.length
  && a.args.every((v, i) => i === at || (v.is === 'literal' && b.args[i]?.is === 'literal' && v.value === b.args[i].value))

export const isKept = (value: Value | undefined, call: Call, unit: Unit, flows: FileView['flows']): boolean =>
  value?.is === 'name' && flows.ingredients(unit, value, call.span.start).origins.some(o => o.kind === 'clock' && isInstant(o))

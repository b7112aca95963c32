import type { Assertion, Call, Unit, Value } from '../../facts/facts.ts'
import { frozenClock, has, isProperty, isTestCode, valuesIn } from '../../facts/query.ts'
import { isInstant, type Origin } from '../../flow/flow.ts'
import { countedByReading, stampedApart, strictOf } from '../../flow/time/stamps.ts'
import { keptIn } from '../../flow/zones/zone.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { way } from '../wording.ts'

const STRICT = new Set(['!=', '<', '>'])
const STAMP = /(^|[._])(created|updated|modified|changed|mtime|ctime|timestamp)$|(created|updated|modified|changed|last_?used|last_?seen)_?(at|on|time|date|timestamp)$|[a-z]Timestamp$|(^|[._])last_?modified$/i
/** What asks for such a time. */
const ASKED = /^(get_?)?(last_?)?(created|updated|modified|changed)_?(at|on|time|date|timestamp)$|^(get)?mtime$|^ModTime$|^modified$|^(get)?[lL]astModified(Time)?$|^getUpdated$|^getLast(Updated?|Modified|Changed)(Time|Date|At|On)?$|^(get)?Timestamp$/i
/** The same time in another form. */
const SAME = /^(getTime|valueOf|Unix\w*|toMillis|toInstant|toEpochMilli|timestamp|unwrap|getNanos|isoformat|get|orElseThrow)$/
/** A clock of the project's own that is moved, a file whose time is set. */
const MOVES = /(^|[.:_])(advance\w*|tick\w*|travel\w*|fast_?forward\w*|utimes?(Sync)?|Chtimes|set_?file_?m?times?|set_modified|setLastModified(Time)?|setSystemTime|move_to|sleep\w*|wait\w*|delay\w*|pause\w*)$/i

export default defineRule(
  {
    id: 'timestamp-uniqueness-or-order', title: 'Two readings of the clock are expected to differ', category: 'time', severity: 'warning',
    triggers: ['clock'], confirm: ['repeat'], since: '0.2.0',
    words: ['(?:[uU]pdated|[mM]odified)_?(?:[aA]t|[oO]n|[tT]ime|[dD]ate)\\b', '\\b(?:st_|get)?mtime(?:Ms|Ns|_ns)?\\b', '\\bModTime\\(', '\\b(?:get)?[lL]astModified(?:Time)?\\(', '\\.modified\\(\\)', '[tT]imestamp\\(\\)\\)\\.is(?:Before|After|Less|Greater)\\w*\\('],
  },
  function* (view) {
    const { facts, flows } = view
    for (const unit of facts.units) {
      // Who waits between the readings has another problem, and another rule.
      if (!isTestCode(facts, unit) || isProperty(facts, unit) || unit.calls.some(c => has(c, 'sleep', 'fake-clock', 'wait-until') || MOVES.test(c.name)) || frozenClock(facts, unit)) continue
      for (const assertion of unit.assertions) {
        const { compare, operands } = strictOf(assertion, unit)
        if (!STRICT.has(compare) || operands.length < 2 || operands.some(o => o.is === 'op')) continue
        const [a, b] = operands.map(o => flows.ingredients(unit, o, assertion.span.start).origins.find(x => x.kind === 'clock' && isInstant(x) && !x.opaque))
        const made = a && b ? undefined : stampedApart(view, unit, operands, compare, assertion.span.start)
        if (a && b) {
          if (a.call !== b.call && a.unit === unit.id && b.unit === unit.id && operands.every(o => isBare(o, unit, assertion.span.start, view))) yield report(assertion, unit, a)
        }
        else if (made || operands.every(o => isStamp(o, unit, assertion.span.start, view)) && !isGiven(unit)) yield report(assertion, unit, made)
      }
      for (const { put, counted } of countedByReading(unit)) yield { at: put.span, unit: unit.id, confidence: 'medium', message: KEYS, related: [{ span: counted.span, message: 'both are counted' }] }
      yield* again(unit, view)
    }
  },
)

const KEYS = 'two entries are kept under the time at which each was made: in the same tick the second takes the place of the first'

function report(assertion: Assertion, unit: Unit, clock: Origin | undefined): Report {
  return {
    at: assertion.span, unit: unit.id, confidence: 'medium',
    message: 'expects two times to differ: on a fast machine, or with a coarse clock, both are read in the same tick',
    ...(clock && { trace: way(clock, 'one reading', { span: assertion.span, message: 'and compared with another' }) }),
  }
}

/** A reading as it was, not moved by a time: that would be a bound on how long something took. */
function isBare(value: Value, unit: Unit, offset: number, { facts }: FileView): boolean {
  const kept = value.is === 'name' ? keptIn(facts, unit, value.path, offset)?.value : value
  return kept !== undefined && [...valuesIn(kept, unit)].every(v => v.is === 'name' || v.is === 'group' || v.is === 'literal' || (v.is === 'call' && (has(unit.calls[v.call]!, 'clock') || unit.calls[v.call]!.args.length === 0)))
}

/** A time that the code under test keeps, such as `a.updated`, `b.getUpdatedAt()`, the time of a file; names looked behind. */
function isStamp(value: Value, unit: Unit, offset: number, view: FileView, depth = 0): boolean {
  if (value.is === 'name') {
    const kept = STAMP.test(value.path) || depth > 3 ? undefined : keptIn(view.facts, unit, value.path, offset)
    return STAMP.test(value.path) || (kept?.unit === unit && !value.path.includes('.') && isStamp(kept.value, unit, kept.offset, view, depth + 1))
  }
  // `stat(path).mtime` keeps the call and leaves out the field's name, which is read behind it.
  const inner = value.is === 'group' && value.of.length === 1 ? value.of[0]! : value
  const call = inner.is === 'call' ? unit.calls[inner.call] : undefined
  if (!call) return false
  if (inner !== value) return STAMP.test(/^(\.\w+)/.exec(view.textOf({ start: call.span.end, end: call.span.end + 24 }))?.[1]?.replace(/^\.st_/, '.').replace(/(?<=mtime)(_ns|Ms|Ns)$/, '') ?? '')
  const last = call.name.slice(Math.max(call.name.lastIndexOf('.'), call.name.lastIndexOf(':')) + 1)
  return (call.args.length < 2 && ASKED.test(last)) || (call.receiver !== null && SAME.test(last) && call.args.length === 0 && isStamp(view.facts.language === 'java' && call.receiver.is === 'group' ? call.receiver.of[0] ?? call.receiver : call.receiver, unit, offset, view, depth + 1))
}

/** The test says itself which time it is to be. */
const isGiven = (unit: Unit): boolean =>
  unit.writes.some(w => w.target.includes('.') && STAMP.test(w.target)) || unit.calls.some(c => Object.keys(c.named).some(n => STAMP.test(n)) || (c.args.length > 0 && /(^|[.:])set\w*(Modified|Updated|Created|Timestamp|Time)\w*$/.test(c.name)))

/** The same call with a reading that was kept and, later, with a fresh one that must not match. */
function* again(unit: Unit, { flows }: FileView): Generator<Report> {
  const readings = unit.calls.filter(c => has(c, 'clock'))
  if (readings.length < 2) return
  for (const call of unit.calls) {
    const fresh = call.args.find(a => a.is === 'call' && has(unit.calls[a.call]!, 'clock'))
    const next = fresh && unit.assertions.find(a => a.span.start >= call.span.end)
    if (!next || next.claims !== 'absence' || next.compare === 'throws') continue
    const at = call.args.indexOf(fresh)
    if (unit.calls.some(c => c !== call && c.name === call.name && c.span.end <= call.span.start && isSameBut(at, c, call) && isKept(c.args[at], c, unit, flows)))
      yield { at: call.span, unit: unit.id, confidence: 'high', message: 'expects a fresh reading of the clock to differ from an earlier one: both can be read in the same tick' }
  }
}

const isSameBut = (at: number, a: Call, b: Call): boolean => a.args.length === b.args.length && a.args.every((v, i) => i === at || (v.is === 'literal' && b.args[i]?.is === 'literal' && v.value === b.args[i].value))

const isKept = (value: Value | undefined, call: Call, unit: Unit, flows: FileView['flows']): boolean =>
  value?.is === 'name' && flows.ingredients(unit, value, call.span.start).origins.some(o => o.kind === 'clock' && isInstant(o))

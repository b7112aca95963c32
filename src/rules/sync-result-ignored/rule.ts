import type { Call, Unit } from '../../facts/facts.ts'
import { effectOf, has, isCalledElsewhere, isTestCode, polls, runsIn, valuesIn, within } from '../../facts/query.ts'
import { assertCall } from '../../fixes/claims.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, least, spell } from '../wording.ts'

export default defineRule(
  {
    id: 'sync-result-ignored', title: 'A wait with a time limit whose outcome nobody looks at: after the limit the test goes on as if it had been reached', category: 'waiting', severity: 'error',
    triggers: ['sync-timed'], words: { python: ['\\.join\\(\\s*(?:timeout\\s*=\\s*)?\\.?\\d'] }, confirm: ['cpu-stress'], cap: 'medium', crowds: 6, since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isCalledElsewhere(facts, unit)) continue
      for (const call of unit.calls) {
        const wait = effectOf(call, 'sync-timed')
        if (!wait || call.result === 'used' || call.result === 'returned' || polls(unit, call.in) || runsIn(unit, call.in) !== 'inline') continue
        // A wait that throws when its time is up cannot be ignored.
        if (wait.note === 'throws' || (wait.ms !== undefined && wait.ms <= 0) || asksLater(unit, call, wait.note) || isOver(unit, call)) continue
        const cleaning = (unit.role.is === 'hook' && unit.role.when === 'after') || within(unit, call.in, 'finally', 'catch', 'with')
        const observed = unit.assertions.some(a => a.span.start > call.span.end)
        // Right after it the test asks for what was awaited: it fails there when the time was up, with a poorer message.
        const asked = asksNext(unit, call)
        const confidence = asked === 'same' ? 'low' : asked === 'something' || waitsAgain(unit, call) ? least('medium', confidenceOf(call)) : confidenceOf(call)
        yield {
          at: call.span, unit: unit.id,
          confidence: cleaning || !observed || isPatient(unit, call, wait.ms) ? 'low' : confidence, ...((cleaning || !observed) && { severity: 'note' as const }),
          message: `waits at most ${wait.ms === undefined ? 'some time' : spell(wait.ms)} and does not look whether it was reached`,
          fixes: assertCall(view, call),
        }
      }
    }
  },
)

/** So long a list of threads, or one that only its name tells, is given to end at all; what they did is done by then. */
const PATIENT_MS = 5000
const isPatient = (unit: Unit, { name, resolution, in: at }: Call, ms = 0): boolean => ms >= PATIENT_MS && /[.]Thread\.join$/.test(name) && (resolution === 'guess' || within(unit, at, 'loop'))

/** What is waited for: `thread` of `thread.join(5)` and of `Threads.join(thread, 5)`. */
function subjectOf({ receiver, args }: Call): string | undefined {
  const on = receiver?.is === 'name' && !/(^|\.)[A-Z][a-z]\w*$/.test(receiver.path) ? receiver : args[0]
  return on?.is === 'name' ? on.path : undefined
}

/** The test has waited for the same thing without a limit before: it is over. */
const isOver = (unit: Unit, call: Call): boolean => unit.calls.some(c => c.span.end < call.span.start && has(c, 'sync') && subjectOf(c) === subjectOf(call) && subjectOf(c) !== undefined && runsIn(unit, c.in) === 'inline')

/** Before it asserts, the test waits for something else that cannot be ignored: it rarely gets there too early. */
function waitsAgain(unit: Unit, call: Call): boolean {
  const next = unit.assertions.find(a => a.span.start > call.span.end)
  return next !== undefined && unit.calls.some(c => c.span.start > call.span.end && c.span.end <= next.span.end && (has(c, 'sync', 'wait-until') || (has(c, 'sync-timed') && c.result === 'used')))
}

/** `thread.join(5)` tells nothing; asking the same thread `is_alive()` afterwards does. */
function asksLater(unit: Unit, call: Call, question: string | undefined): boolean {
  const waited = subjectOf(call)
  if (question === undefined || waited === undefined) return false
  const asks = new RegExp(`(^|[.:])(${question}|isAlive|is_alive|exitcode|is_finished|getState)$`)
  const later = [...unit.calls].filter(c => c.span.start > call.span.end && c.receiver?.is === 'name' && c.receiver.path === waited && asks.test(c.name))
  return later.length > 0 || unit.assertions.some(a => a.span.start > call.span.end && a.operands.some(o => o.is === 'name' && o.path.startsWith(`${waited}.`) && asks.test(o.path)))
}

/** What the next statement asserts: the state of what was awaited, something, or nothing. */
function asksNext(unit: Unit, call: Call): 'same' | 'something' | undefined {
  const next = unit.assertions.find(a => a.span.start > call.span.end)
  if (!next || next.claims === 'absence' || unit.calls.some(c => c.span.start > call.span.end && c.span.end < next.span.start)) return undefined
  const asks = next.operands.flatMap(o => [...valuesIn(o, unit)]).some(v => /(^|[.:])(is_set|isSet|is_alive|isAlive|isDone|is_done|done|getCount|get_count|isTerminated|isCompleted|count)$/.test(v.is === 'call' ? unit.calls[v.call]!.name : v.is === 'name' ? v.path : ''))
  return asks ? 'same' : 'something'
}

// Slow work that a test plays where nobody in sight waits for it: in a handler, a stub, a timer, a function that somebody
// else calls. How long it takes is meant to be longer or shorter than something, and often nothing says than what.

import type { Call, FileFacts, Unit } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { closureOf, effectOf, has, isCalledElsewhere, looksLikePoll, polls, runsIn } from '../../facts/query.ts'
import { familyOf, type Delay } from './delays.ts'
import { isInPage, isRaced, looksAfter } from './sleeps.ts'
import { isTimer } from './waiting.ts'

type File = Pick<FileFacts, 'units' | 'kind'>

/**
 * Sleeps after which nothing need come: `doAnswer(call -> { sleep(20); return null; })`. One that is told how long is as slow as its caller
 * says.
 */
export function* playedBy(file: File, unit: Unit): Generator<Delay> {
  const elsewhere = isCalledElsewhere(file, unit)
  for (const call of unit.calls) {
    const sleep = effectOf(call, 'sleep'), where = runsIn(unit, call.in)
    if (!sleep || (sleep.ms !== undefined && sleep.ms < 1) || (where === 'inline' && !elsewhere) || call.name === 'setTimeout(done)'
      || looksAfter(unit, call)) continue
    if (!call.args.some(a => a.is === 'name' && unit.params.includes(a.path)) && !polls(unit, call.in) && !isRaced(unit, call)
      && !isTimer(unit, call)) yield { unit, span: call.span, ms: sleep.ms, call, by: call, home: unit }
  }
}

/**
 * Nobody in sight waits for it. A thread of the test's own is joined; of several delays in one test each was held against the
 * others; a timer that ends the test is its wait; a stub is only slow, where the test has no other time.
 */
export function isOutOfSight({ home: unit, by: call, span }: Delay, delays: readonly Delay[], file: File, folding: Folding): boolean {
  const where = runsIn(unit, call.in)
  if (where === 'spawn' || isInPage(unit, call) || unit.role.is === 'suite' || unit.role.is === 'module') return false
  if (!has(call, 'sleep')) return !delays.some(d => d.unit === unit && d.span !== span) && !endsTest(unit, call)
  return where === 'inline'
    ? file.units.some(u => u.role.is === 'test') && !isThread(file, unit)
    : familyOf(file, unit).some(u => hasTime(u, call, folding))
}

const ENDS_TEST = /(^|[.:])(done|cb|callback|resolve|reject|testComplete)$/

const endsTest = (unit: Unit, timer: Call): boolean =>
  timer.args.some(a => a.is === 'name' && ENDS_TEST.test(a.path))
  || (unit.role.is === 'test' && closureOf(unit, timer) > 0 && unit.calls.some(c =>
    ENDS_TEST.test(c.name) && c.span.start > timer.span.start && c.span.end < unit.regions[closureOf(unit, timer)]!.span.end
  ))

const STARTS = /(^|[.:_])(Thread|Process|Timer|submit|spawn\w*|start\w*|create_task|ensure_future|run_in_executor)$/

/** `Thread(target=supplier)`. */
const isThread = (file: File, { name }: Unit): boolean =>
  file.units.some(u =>
    u.calls.some(c =>
      (has(c, 'spawn') || STARTS.test(c.name))
      && [...c.args, ...Object.values(c.named)].some(a => a.is === 'name' && (a.path === name || a.path.endsWith(`.${name}`)))
    )
  )

const TIME = /time_?out|delay|interval|ttl(?!e(?!x)|ing|y)|deadline|period|elapsed|duration/i

/** A poll that looks for so long does not race with anybody. */
const PATIENT_MS = 5000
const isPatient = (call: Call, unit: Unit, folding: Folding): boolean =>
  (has(call, 'wait-until') || looksLikePoll(call)) && call.args.some(a => {
    const worth = fold(a, unit, folding)
    return typeof worth === 'object' && worth.ms >= PATIENT_MS
  })

/** The call itself, what stands in it, or the promise that is made around it. */
const isPartOf = ({ span }: Call, { span: of }: Call): boolean =>
  (span.start >= of.start && span.end <= of.end) || (span.start <= of.start && span.end >= of.end)

/** A time of the test's own, told or named, or a clock that it reads. */
const hasTime = (unit: Unit, but: Call, folding: Folding): boolean =>
  unit.writes.some(w => TIME.test(w.target))
  || unit.calls.some(c =>
    !isPartOf(c, but) && !isPatient(c, unit, folding) && runsIn(unit, c.in) === 'inline'
    && (has(c, 'clock', 'mono', 'elapsed') || TIME.test(c.name) || Object.keys(c.named).some(key => TIME.test(key))
      || c.effects.some(e => e.ms !== undefined) || c.args.some(a => typeof fold(a, unit, folding) === 'object'))
  )

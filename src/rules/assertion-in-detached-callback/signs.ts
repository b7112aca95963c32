import type { Assertion, Call, Unit } from '../../facts/facts.ts'
import { frozenClock, has, within } from '../../facts/query.ts'
import { callsOf, isInside, isLeftForLater, isListener, isWaitedFor, startOf, type Work } from '../../flow/threads/background.ts'
import { isCaught, isDirect, isInherited, isLetGo, isToldAfter, signalsAnyway, sleepsBeside,
  endsWithTest } from '../../flow/masking/dropped.ts'
import { type FileView, type Report } from '../rule.ts'

/** Helpers of Go that are given the test end it as `t.Fatal` does: `testutil.Ok(t, run())`. */
const CHECKS = /(?<!assert)\.(Ok|NotOk|Equals|Must\w*|Require\w*|CheckErr\w*)$/
export const endsThread = (call: Call): boolean =>
  call.effects.some(e => e.kind === 'exit' && e.note === 'thread')
  || (call.resolution === 'import' && CHECKS.test(call.name) && call.args[0]?.is === 'name' && /^(t|tb)$/.test(call.args[0].path))

export function* judge({ facts, textOf }: FileView, unit: Unit, work: Work): Generator<Report> {
  // Turns of the event loop that a test with a fake clock makes itself.
  if (frozenClock(facts, unit, work.call.span.start) || isDirect(unit, work.call)) return
  const letGo = isLetGo(facts, unit, work.call)
  if (isListener(work.call) && !letGo) return
  const own = callsOf(work)
  if (isWatchdog(unit, work.call)) return
  const through = own.find(c =>
    c.target !== undefined && c.resolution !== 'global' && facts.units[c.target]!.calls.some(endsThread)
    && facts.units[c.target]!.assertions.length > 0
  )
  const fatal = own.find(c => endsThread(c) && !caught(own, c)) ?? through
  const asserted = work.body.assertions.find(a =>
    isInside(work.body, a.in, work.region) && startOf(work.body, a.in) === (work.region === 0 ? undefined : work.region)
    && !isCaught(work, a.in) && !isLeftForLater(work.body, a.in)
  )
  const lost = letGo || work.call.effects.some(e => e.kind === 'spawn' && e.note === 'keeps failures')
  // A helper's server that panics is no assertion of a test.
  if (!fatal && unit.role.is === 'helper' && !lost) return
  if ((!fatal && !asserted) || unit.params.some(p => /^(done|cb|callback|next|end|assert)$/.test(p)) || tells(work, own)
    || isCounted(unit, own)) return
  if (lost && !fatal && (isToldAfter(unit, work, own, asserted!) || (letGo && isInherited(work, asserted!)))) return
  const waited = isWaitedFor(facts, unit, work, textOf)
  const place = { span: fatal?.span ?? asserted!.span, message: 'asserts here' }
  if (!waited)
    yield {
      at: work.call.nameSpan,
      unit: unit.id,
      confidence: fatal && !through && unit.role.is === 'test'
        ? 'high'
        : facts.language !== 'go' || sleepsBeside(unit, work.call) || endsWithTest(unit, own)
        ? 'medium'
        : 'low',
      related: [place],
      message: `asserts in what ${named(work.call)} runs, and nobody waits for it: the test may be over before the assertion is made`,
    }
  else if (fatal)
    yield {
      at: fatal.span,
      unit: unit.id,
      confidence: signalsAnyway(facts, work, own)
        ? 'low'
        : through || unit.role.is !== 'test' || isLastWord(work, fatal, textOf)
        ? 'medium'
        : 'high',
      severity: 'warning',
      message: `${short(textOf(fatal.nameSpan))} ends the thread in which it runs, not the test: what waits for it may wait forever`,
    }
  else if (lost && asserted)
    yield { at: asserted.span, unit: unit.id, confidence: 'high', severity: 'warning',
      message: `the failure of this assertion stays in its ${
        letGo && !/execute$/.test(work.call.name) ? 'future' : 'thread'
      }: the test passes all the same` }
}

/** A failure that is handed over: sent through a channel, kept for later, or told to `done`. */
const tells = (work: Work, own: readonly Call[]): boolean =>
  own.some(c =>
    /(^|[.:])(done|reject|resolve|completeExceptionally|set_exception|catch_unwind|offer|setException|failNow|completeNow|VertxTestContext\.verify)$/
      .test(c.name) || (c.name !== 'close' && c.args.some(a => a.is === 'name' && /^(done|resolve|reject)$/.test(a.path)))
  ) || work.body.regions.some((r, i) => r.kind === 'catch' && isInside(work.body, i, work.region) && !r.empty) || work.body.calls.some(c =>
    /[.:](set|default)?UncaughtExceptionHandler$/i.test(c.name)
  )

/** `await t.completed`: what counts its own assertions is waited for, and with it each of them. */
const isCounted = (unit: Unit, own: readonly Call[]): boolean =>
  unit.awaits?.some(({ path }) => path.includes('.') && own.some(c => c.receiver?.is === 'name' && path === `${c.receiver.path}.completed`))
    === true

/**
 * `go func() { require.NoError(t, server.Run()) }()`: no signal stays out when it fails. What it was to do is what the test waits for, and
 * says so itself.
 */
const isLastWord = ({ body, region }: Work, { name, span }: Call, textOf: FileView['textOf']): boolean =>
  /(^|\.)NoErrorf?$/.test(name) && /^[\s})]*$/.test(textOf({ start: span.end, end: (body.regions[region] ?? body).span.end }))

const caught = (own: readonly Call[], call: Call): boolean => /gomega/.test(call.name) && own.some(c => /\.GinkgoRecover$/.test(c.name))
const named = (call: Call): string => (call.name === 'go' ? 'a goroutine' : short(call.name))
export const short = (name: string): string =>
  name.replace(/^.*\//, '').replace(/^\?\./, '').replace(/^java\.(\w+\.)*(?=[A-Z])/, '').replace(/\.new$/, '')

/** A test that neither awaits nor returns the promise in whose callback it asserts. */
export function* promised({ facts }: FileView, unit: Unit): Generator<Report> {
  // Cypress queues what it is told, and waits for all of it.
  if (unit.role.is !== 'test' || unit.params.length > 0 || unit.calls.some(c => c.name.startsWith('cy.'))) return
  for (const [region, r] of unit.regions.entries()) {
    const call = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call] : undefined
    if (!call || call.result !== 'discarded' || !/\.(then|catch|finally)$/.test(call.name) || !has(call, 'inline')
      || within(unit, call.in, 'closure')) continue
    const asserted: Assertion | undefined = unit.assertions.find(a => a.in === region)
    if (!asserted
      || unit.calls.some(c => (c.result === 'awaited' || c.result === 'returned') && c.span.start > call.span.end && c.in === 0)) continue
    if (facts.units.some(u => u.role.is === 'hook' && u.role.when === 'after' && u.calls.some(c => c.result === 'awaited'))) continue
    yield { at: asserted.span, unit: unit.id, confidence: 'high',
      message: 'asserts when a promise is settled, and the test neither awaits nor returns it' }
  }
}

/** `defer time.AfterFunc(limit, func() { t.Fatal("deadlock") }).Stop()`: it only ever speaks when all else hangs. */
const isWatchdog = (unit: Unit, call: Work['call']): boolean =>
  /(^|\.)AfterFunc$/.test(call.name)
  && unit.calls.some(c => /\.Stop$/.test(c.name) && c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call)

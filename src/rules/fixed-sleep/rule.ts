import { assertionsAfter, effectOf, has, isCalledElsewhere, isTestCode, polls, runsIn, stillTime, valuesIn, within } from '../../facts/query.ts'
import type { Assertion, Call, Span, Unit } from '../../facts/facts.ts'
import { milliseconds } from '../../facts/fold.ts'
import { followsSync, isTimer } from '../../flow/waiting/waiting.ts'
import { wrappedSleep } from '../../flow/helpers.ts'
import { checksAfter, givesWay, isAllThereIs, isChange, isEnd, isGlance, isIdle, isInPage, isLong, isMeasured, isOwnPace, isPace, isProgram, isRaced, isRepeated, isSetUpScript, isStubbed, isTurn, isUnderTest, isUntold, isWaitFor, letsTick, looksAfter, looksAfterPause, outlasts, triesAgain } from '../../flow/waiting/sleeps.ts'
import { defineRule, type Confidence, type FileView, type Report } from '../rule.ts'
import { confidenceOf, duration, least, lower, RANK } from '../wording.ts'

export default defineRule(
  {
    id: 'fixed-sleep', title: 'A test waits a fixed time instead of waiting for the thing it needs', category: 'waiting', severity: 'warning',
    triggers: ['sleep', 'yield'], words: { go: ['<-time\\.(?:After|Tick)\\('], java: ['\\bpollDelay\\(', '\\bexpectNoM(?:essage|sg)\\('], typescript: ['ValueFrom\\(', 'toPromise\\(', '[\'"`]sleep[\'"` ]', '\\.(?:delay|wait)\\(\\w', '\\b(?:later|delay)\\('] }, confirm: ['cpu-stress', 'latency-inject'], crowds: 20, since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    const wrapped = facts.units.map(wrappedSleep)
    const isRoot = (id: number) => wrapped[id] !== undefined && !isTold(facts.units[id]!, wrapped[id])
    for (const unit of facts.units) {
      const own = wrapped[unit.id]
      if (!isTestCode(facts, unit)) continue
      if (own && isRoot(unit.id)) yield* atRoot(unit, own, view)
      if (own) continue
      for (const call of unit.calls) {
        if (givesWay(unit, call) && !stillTime(facts, unit, call.span.start)) yield { at: call.span, unit: unit.id, confidence: 'medium', message: 'gives way for no time and then asserts: nothing says that another thread has come so far' }
        if (looksAfterPause(unit, call, view.textOf) && !stillTime(facts, unit, call.span.start)) yield { at: call.span, unit: unit.id, confidence: 'medium', message: `waits ${duration({ ms: milliseconds(call.args[0], unit, view.folding, 1) })} for nothing to break and then asserts: on a slow machine the assertion comes too early` }
        const verdict = call.target !== undefined && isRoot(call.target) ? undefined : verdictOf(unit, call, view)
        if (verdict) yield { at: placeOf(unit, call, view), unit: unit.id, ...verdict }
      }
    }
  },
)

type Verdict = Pick<Report, 'message' | 'confidence' | 'severity'>

/** A helper that always sleeps as long is one mistake, however many call it: it is told once, as surely as its surest caller says. */
function* atRoot(unit: Unit, sleep: Call, view: FileView): Generator<Report> {
  const calls = view.facts.units.flatMap(u => (isTestCode(view.facts, u) ? u.calls.filter(c => c.target === unit.id).map(call => ({ call, verdict: verdictOf(u, call, view) })) : []))
  const told = calls.filter(c => c.verdict !== undefined).sort((a, b) => RANK[b.verdict!.confidence] - RANK[a.verdict!.confidence])
  if (told[0]) yield { at: sleep.span, unit: unit.id, ...told[0].verdict!, related: told.slice(0, 5).map(({ call }) => ({ span: call.span, message: 'called here' })) }
}

/** The caller says how long. */
const isTold = (helper: Unit, sleep: Call): boolean => [...sleep.args, ...Object.values(sleep.named)].some(a => [...valuesIn(a, helper)].some(v => v.is === 'name' && helper.params.includes(v.path)))

function verdictOf(unit: Unit, call: Call, { facts, folding, textOf }: FileView): Verdict | undefined {
  const sleep = effectOf(call, 'sleep')
  if (!sleep || (sleep.ms !== undefined && sleep.ms < 1 && !(sleep.ms > 0 && isLookedAt(unit, call, textOf))) || (polls(unit, call.in) && !assertsEachTime(unit, call)) || !isAwaitedHere(unit, call) || isRaced(unit, call)) return undefined
  if (isTimer(unit, call) || stillTime(facts, unit, call.span.start) || followsSync(unit, call) || isCalledElsewhere(facts, unit) || isAllThereIs(unit) || isUnderTest(unit, call) || isStubbed(unit, call) || isInPage(unit, call)) return undefined
  const verdict = judge(unit, call, duration(sleep), checksAfter(facts.units, unit, call), textOf)
  return { ...verdict, confidence: letsTick(unit, call) || triesAgain(unit, call, textOf) || isUntold(call) ? 'low' : outlasts(unit, call, folding) || isSetUpScript(facts.path) ? least('medium', verdict.confidence) : verdict.confidence }
}

/** The time of a timer stands behind what it does: up to there, unless that is long. */
function placeOf(unit: Unit, call: Call, { textOf }: FileView): Span {
  const callback = unit.regions.find(r => r.kind === 'closure' && r.span.start >= call.span.start && r.span.start <= call.span.end && r.span.end > call.span.end)
  const rest = callback && /^\s*,\s*[\w.* +]+\)?/.exec(textOf({ start: callback.span.end, end: callback.span.end + 40 }))
  return callback && rest && textOf(callback.span).split('\n').length <= 12 ? { start: call.span.start, end: callback.span.end + rest[0].length } : call.span
}

/** Whoever is called just that and is given a time does nothing else, wherever it comes from; so does a helper of the project whose name is one of a pause. */
const isCalledSleep = (call: Call): boolean => effectOf(call, 'sleep')?.ms !== undefined && (/(^|[./:])[sS]leep$|\(own\)$/.test(call.name) || call.effects.some(e => e.kind === 'sleep' && e.note?.startsWith('pause by name')))

/** A loop that asserts after every sleep looks once each time. */
const assertsEachTime = (unit: Unit, call: Call): boolean => unit.regions[call.in]!.kind === 'loop' && unit.regions[call.in]!.counted === true && unit.assertions.some(a => a.in === call.in && a.span.start > call.span.end)

/** Less than a millisecond is no wait to speak of, unless the next thing is to look. */
const isLookedAt = (unit: Unit, call: Call, textOf: FileView['textOf']): boolean => unit.assertions.some(a => a.in === call.in && a.span.start > call.span.end && /^[\s;)]*(\.await;?\s*)?$/.test(textOf({ start: call.span.end, end: a.span.start }).replace(/(\/\/|#).*/g, '')))

/** Where it stands, or in a callback that looks after it: `on('ready', () => setTimeout(() => { assert(x); done() }, 300))`, `withStore(store => { sleep(50); assert(x) })`. */
const isAwaitedHere = (unit: Unit, call: Call): boolean => runsIn(unit, call.in) === 'inline' || /^setTimeout\((done|hook)\)$/.test(call.name) || looksAfter(unit, call)

function judge(unit: Unit, call: Call, waits: string, checks: readonly Assertion[], textOf: FileView['textOf']): Verdict {
  const after = [...assertionsAfter(unit, call.span.end), ...checks].sort((a, b) => a.span.start - b.span.start)
  const next = after[0]
  const sure = isCalledSleep(call) ? 'high' : confidenceOf(call)
  if (unit.role.is === 'helper' && isOwnPace(unit, call)) return { message: `waits ${waits}, as slow as it was told to be`, confidence: 'low', severity: 'note' }
  if (within(unit, call.in, 'finally') || (unit.role.is === 'hook' && unit.role.when === 'after'))
    return { message: `waits ${waits} while cleaning up, and hopes that it is enough`, confidence: 'low', severity: 'note' }
  // A wait between the sleep and the assertion makes the sleep harmless more often than not.
  const waitsAnyway = next && unit.calls.some(c => c.span.start > call.span.end && c.span.end <= next.span.end && (has(c, 'sync', 'sync-timed') || isWaitFor(c)))
  if (next && ((next.claims === 'absence' && !isChange(next) && !isEnd(unit, call, next, textOf)) || isRepeated(unit, call, next, textOf)))
    return { message: `waits ${waits} to see that something does not happen: on a slow machine it has not happened yet`, confidence: sure, severity: 'note' }
  if (next && !waitsAnyway) return { message: `waits ${waits} and then asserts: on a slow machine the assertion comes too early`, confidence: asserted(unit, call, next, sure) }
  return { message: `waits ${waits} instead of waiting for what it needs`, confidence: call.name === 'cy.wait' || /[.]waitForTimeout$/.test(call.name) ? 'medium' : isIdle(unit, call, next) ? 'low' : isGlance(call) ? 'medium' : isLong(call) || effectOf(call, 'sleep')?.ms === undefined || isProgram(unit, call) ? lower(sure) : sure, ...(unit.role.is !== 'test' && { severity: 'note' as const }) }
}

function asserted(unit: Unit, call: Call, next: Assertion, sure: Confidence): Confidence {
  return unit.role.is === 'helper' || isTurn(call) || isLong(call) || isPace(unit, call, next) || isChange(next) || isMeasured(unit, call, next) ? 'medium' : sure
}

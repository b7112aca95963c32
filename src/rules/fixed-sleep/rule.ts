import { assertionsAfter, effectOf, isCalledElsewhere, isTestCode, polls, runsApart, stillTime } from '../../facts/query.ts'
import type { Call, Unit } from '../../facts/facts.ts'
import { milliseconds } from '../../facts/fold.ts'
import { followsSync, isTimer } from '../../flow/waiting/waiting.ts'
import { wrappedSleep } from '../../flow/helpers.ts'
import { purposeOf, staysSame } from '../../flow/waiting/said.ts'
import { checksAfter, endsHelper, givesWay, goesByAge, hasOwnClock, isAllThereIs, isAnsweredHere, isCutOff, isInBubble, isAsTold, isAsked,
  isBoxed, isForOneSystem, isHandler, isInPage, isKeptAlive, isMadeOver, isOfProgram, isRaced, isSetUpScript, isPartOf, isStubbed,
  isUnderSecond, isUnderTest, isUntold, isWhatIsTried, letsTick, looksAfterPause, playsPart, runsOut,
  triesAgain } from '../../flow/waiting/sleeps.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { duration, least, RANK } from '../wording.ts'
import { assertsEachTime, isAwaitedHere, isLookedAt, isTold, judge, placeOf, type Verdict } from './signs.ts'

export default defineRule(
  {
    id: 'fixed-sleep',
    title: 'A test waits a fixed time instead of waiting for the thing it needs',
    category: 'waiting',
    severity: 'warning',
    triggers: ['sleep', 'yield'],
    words: { go: ['<-time\\.(?:After|Tick)\\('], java: ['\\bpollDelay\\(', '\\bexpectNoM(?:essage|sg)\\('],
      typescript: ['ValueFrom\\(', 'toPromise\\(', '[\'"`]sleep[\'"` ]', '\\.(?:delay|wait)\\(\\w', '\\b(?:later|delay)\\('] },
    confirm: ['cpu-stress', 'latency-inject'],
    crowds: 20,
    foremost: 5,
    since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    const wrapped = facts.units.map(wrappedSleep)
    const isRoot = (id: number) => wrapped[id] !== undefined && !isTold(facts.units[id]!, wrapped[id])
    for (const unit of facts.units) {
      const own = wrapped[unit.id]
      if (!isTestCode(facts, unit) || runsApart(facts, unit)) continue
      if (own && isRoot(unit.id)) yield* atRoot(unit, own, view)
      if (own) continue
      for (const call of unit.calls) {
        if (givesWay(unit, call) && !stillTime(facts, unit, call.span.start))
          yield { at: call.span, unit: unit.id, confidence: 'medium',
            message: 'gives way for no time and then asserts: nothing says that another thread has come so far' }
        if (looksAfterPause(unit, call, view.textOf) && !stillTime(facts, unit, call.span.start))
          yield { at: call.span, unit: unit.id, confidence: 'medium',
            message: `waits ${
              duration({ ms: milliseconds(call.args[0], unit, view.folding, 1) })
            } for nothing to break and then asserts: on a slow machine the assertion comes too early` }
        const verdict = call.target !== undefined && isRoot(call.target) ? undefined : verdictOf(unit, call, view)
        if (verdict) yield { at: placeOf(unit, call, view), unit: unit.id, ...verdict }
      }
    }
  },
)

/** A helper that always sleeps as long is one mistake, however many call it: it is told once, as surely as its surest caller says. */
function* atRoot(unit: Unit, sleep: Call, view: FileView): Generator<Report> {
  const calls = view.facts.units.flatMap(
    u => (isTestCode(view.facts, u)
      ? u.calls.filter(c => c.target === unit.id).map(call => ({ call, verdict: verdictOf(u, call, view) }))
      : []),
  )
  const told = calls.filter(c => c.verdict !== undefined).sort((a, b) => RANK[b.verdict!.confidence] - RANK[a.verdict!.confidence])
  if (told[0])
    yield { at: sleep.span, unit: unit.id, ...told[0].verdict!,
      related: told.slice(0, 5).map(({ call }) => ({ span: call.span, message: 'called here' })) }
}

function verdictOf(unit: Unit, call: Call, { facts, folding, textOf }: FileView): Verdict | undefined {
  const sleep = effectOf(call, 'sleep')
  if (!sleep || (sleep.ms !== undefined && sleep.ms < 1 && !(sleep.ms > 0 && isLookedAt(unit, call, textOf)))
    || (polls(unit, call.in) && !assertsEachTime(unit, call)) || !isAwaitedHere(unit, call) || isRaced(unit, call)) return undefined
  if (isTimer(unit, call) || stillTime(facts, unit, call.span.start) || followsSync(unit, call) || isCalledElsewhere(facts, unit)
    || isAllThereIs(unit) || isUnderTest(unit, call) || isStubbed(unit, call) || isPartOf(unit, call, textOf) || isHandler(unit, call)
    || isBoxed(call, textOf)
    || isInPage(unit, call) || isInBubble(unit, call) || isCutOff(unit)
    || isKeptAlive(call) || call.named['result'] || isWhatIsTried(unit, call, facts) || isAsked(unit, call)
    || isMadeOver(facts, unit, textOf)
    || playsPart(facts, unit))
    return undefined
  const over = runsOut(unit, call, folding), said = purposeOf(facts, unit, call, textOf)
  const verdict = judge(unit, call, { waits: duration(sleep), checks: checksAfter(facts.units, unit, call), said,
    stays: next => staysSame(facts, call, next, textOf), runsOut: over, isLast: endsHelper(facts.units, unit, call) }, textOf)
  return { ...verdict, confidence: letsTick(unit, call) || triesAgain(unit, call, textOf) || isUntold(call) || isOfProgram(facts, unit)
    ? 'low'
    : said === 'clock'
        || (said === undefined && (isAsTold(facts.units, call) || goesByAge(unit, call, assertionsAfter(unit, call.span.end)[0], textOf)))
        || (over && isUnderSecond(call)) || hasOwnClock(facts, unit) || isAnsweredHere(facts) || isSetUpScript(facts.path)
        || isForOneSystem(unit, call)
    ? least('medium', verdict.confidence)
    : verdict.confidence }
}

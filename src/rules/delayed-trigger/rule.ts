import { has, isProperty, isTestCode, stillTime } from '../../facts/query.ts'
import { areApart, cutsShort, delaysOf, familyOf, isInHandler, looksIn, onOneLoop, precedesListening,
  type Delay } from '../../flow/waiting/delays.ts'
import { clockLoops } from '../../flow/time/elapsed.ts'
import { limitsOf } from '../../flow/waiting/limits.ts'
import { isOutOfSight, playedBy } from '../../flow/waiting/played.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { spell } from '../wording.ts'
import { isAfter, isApartFromTests, isClose, isFar, isPast, isTelling, LONG_MS, PAUSE_MS, RACE, type Rival, waitOf } from './signs.ts'

export default defineRule(
  {
    id: 'delayed-trigger',
    title: 'A delay elsewhere decides which of two things happens first',
    category: 'waiting',
    severity: 'warning',
    triggers: ['sleep'],
    words: { typescript: ['\\bsetTimeout\\b'], go: ['\\bAfterFunc\\b', '<-time\\.(?:After|Tick)\\('],
      java: ['\\bsetTimer\\b', '\\.schedule\\([^;]*,\\s*\\w+(?:,\\s*[\\w.]+)?\\)'],
      python: ['\\bthreading\\.Timer\\b|\\bcall_?[lL]ater\\b'] },
    confirm: ['cpu-stress'],
    cap: 'medium',
    crowds: 8,
    since: '0.2.0',
  },
  function* (view) {
    const { facts, folding } = view
    const units = facts.units.filter(unit => isTestCode(facts, unit) && !isProperty(facts, unit))
    const delays = units.flatMap(unit => [...delaysOf(facts, unit, folding)]),
      unsure: { readonly delay: Delay; readonly report?: Report }[] = []
    for (const delay of delays) {
      if (stillTime(facts, delay.unit, delay.span.start)) continue
      const rival = isApartFromTests(delay, view) ? undefined : rivalOf(delay, delays, view), wait = waitOf(delay)
      if (rival)
        yield { at: delay.span, unit: delay.unit.id, confidence: rival.far ? 'low' : rival.sure ? 'high' : 'medium',
          message: `acts after ${wait} elsewhere, against ${rival.message}: a busy machine turns the order round`,
          related: [{ span: rival.span, message: rival.message }] }
      else if (precedesListening(delay))
        yield { at: delay.span, unit: delay.unit.id, confidence: 'medium',
          message: `acts after ${wait} elsewhere, and what it needs begins to listen meanwhile: a busy machine begins later` }
      else if (isApartFromTests(delay, view)) unsure.push({ delay })
      else if (looksIn(delay))
        yield { at: delay.span, unit: delay.unit.id, confidence: 'medium',
          message: `looks after ${wait} in a timer: what it looks for may come later` }
      else unsure.push({ delay,
          report: { at: delay.span, unit: delay.unit.id, confidence: isTelling(delay, facts.language) ? 'medium' : 'low', severity: 'note',
            message: `acts after ${wait} elsewhere: what must happen before it may come later` } })
    }
    for (const unit of units)
      for (const delay of playedBy(facts, unit))
        if (!stillTime(facts, unit, delay.span.start) && !delays.some(d => d.span.start === delay.span.start)) unsure.push({ delay })
    // How a file plays slow work is seen in the first place where it does.
    const first = unsure.filter(({ delay }) => (delay.ms ?? LONG_MS) < LONG_MS && isOutOfSight(delay, delays, facts, folding)).reduce<
      Delay | undefined
    >((a, { delay: b }) => (a && a.span.start <= b.span.start ? a : b), undefined)
    for (const { delay, report } of unsure) {
      if (report) yield delay === first && (cutsShort(delay) || isInHandler(delay)) ? { ...report, confidence: 'medium' } : report
      else if (delay === first)
        yield { at: delay.span, unit: delay.unit.id, confidence: 'medium', severity: 'note',
          message: `is slow by ${waitOf(delay)} elsewhere: what the test expects meanwhile may come later` }
    }
  },
)

/** What the delay runs against in the same test: a time limit, or another delay. */
function rivalOf(delay: Delay, delays: readonly Delay[], { facts, folding, flows }: FileView): Rival | undefined {
  const { ms } = delay
  // One helper that is told different times in one test orders what it does by them.
  const sibling = delays.find(d =>
    d.by === delay.by && d.span !== delay.span && d.unit === delay.unit && (d.ms === undefined || d.ms !== ms)
    && Math.min(ms ?? 0, d.ms ?? 0) < LONG_MS
  )
  if (sibling)
    return { span: sibling.span, sure: true, message: sibling.ms === undefined ? 'another delay' : `another delay of ${spell(sibling.ms)}` }
  if (ms === undefined) return undefined
  const family = familyOf(facts, delay.unit), isTimer = !has(delay.by, 'sleep')
  const races = (other: number | undefined): other is number =>
    other !== undefined && other > 0 && Math.min(ms, other) < LONG_MS && Math.max(ms, other) <= RACE * Math.min(ms, other)
  for (const unit of family) {
    for (const loop of clockLoops(unit, folding, flows))
      if (races(loop.ms)) return { span: loop.span, sure: false, message: `a loop of ${spell(loop.ms)}` }
    for (const limit of limitsOf(unit, folding, flows))
      if (races(limit.ms) && !isAfter(limit.in, unit, delay) && !isPast(limit, unit, delay))
        return { span: limit.span, far: isFar(ms, limit.ms) || (facts.language === 'typescript' && isTimer && limit.is === 'budget'),
          sure: isClose(ms, limit.ms) && ms !== limit.ms && (isTimer || Math.max(ms, limit.ms) <= PAUSE_MS),
          message: `a limit of ${spell(limit.ms)}` }
  }
  const other = delays.find(d =>
    d.by !== delay.by && !onOneLoop(d, delay) && family.includes(d.unit) && races(d.ms) && d.ms !== ms && !isAfter(d.call.in, d.unit, delay)
    && !areApart(d, delay)
  )
  return other
    && { span: other.span, far: isFar(ms, other.ms!), sure: isTimer && isClose(ms, other.ms!),
      message: `another delay of ${spell(other.ms!)}` }
}

import type { FileFacts, Span, Unit } from '../../facts/facts.ts'
import { frozenClock, isCalledElsewhere, isProperty, isTestCode, polls, runsIn, testOf, within } from '../../facts/query.ts'
import { snake } from '../../flow/flow.ts'
import { isPlayed, isShrugged, limitsOf, wantsItToPass, type Limit } from '../../flow/limits.ts'
import { defineRule, type Confidence } from '../rule.ts'
import { spell } from '../wording.ts'

/** Below the first a loaded machine misses it often, below the second now and then. */
const TIGHT_MS = 100, SHORT_MS = 1000
/** Up to here a limit of each kind is worth a word at all. */
const WORTH: Readonly<Record<Limit['is'], number>> = { limit: 999, option: 1000, guard: 4999, budget: 3000, rounds: 3000, deadline: 5000, handed: 100, asked: 1999 }

const SAYS: Readonly<Record<Limit['is'], (time: string) => string>> = {
  limit: time => `gives it ${time} of real time`, option: time => `sets a limit of ${time} of real time`, guard: time => `fails by itself after ${time}`,
  budget: time => `looks for ${time} at most`, rounds: time => `looks again for ${time} in all`, deadline: time => `gives up after ${time}`, handed: time => `hands ${time} of real time to what it tests`, asked: time => `asserts that ${time} were enough`,
}

export default defineRule(
  {
    id: 'tight-timeout', title: 'Something must succeed within a time limit that a busy machine misses', category: 'waiting', severity: 'warning',
    triggers: ['timeout', 'sync-timed', 'sleep', 'clock', 'mono', 'elapsed'], words: {
      go: ['(?:[tT]imeout|TTL|ttl|Lease|Expir|Deadline)\\w*\\s*[:=]+[^\\n;]*time\\.Millisecond', '\\b(?:[nN]ew|[mM]ake|[cC]reate|[sS]tart|[wW]ait|[eE]xpect|[rR]ecv|[rR]eceive|[nN]ext|[aA]wait)\\w*\\([^\\n]*time\\.Millisecond', '(?:Eventually\\w*|[pP]oll\\w*|[wW]ait(?:For|Until)\\w*)\\(', '\\},\\s*[\\w*. ]*time\\.(?:Milli|Micro)?[sS]econd'],
      typescript: ['(?:[tT]imeout|[tT]tl|[lL]ease|expiresIn|maxWait)(?:Ms)?\\s*:\\s*\\d{1,3}\\b', '[tT]imeout[\\w\'"]*,\\s*\\d{1,3}\\b', '\\},\\s*\\d{2,3}\\)', '[wW]ait(?:For|Until)\\([^\\n]*,\\s*\\d{2,3}\\)', '(?:with|promise)Timeout\\('],
      python: ['(?:timeout|deadline|ttl|lease|expir|stop_after_delay|max_wait)\\w*["\']?\\s*[:=]\\s*\\.?\\d', '\\.(?:join|wait)\\(\\s*\\.?\\d', '(?:\\.(?:result|poll|get|acquire|select|expect|recv)|wait_\\w+|Timer)\\([^\\n]*\\b0?\\.\\d'],
      java: ['(?:[sS]et|with)\\w*(?:Timeout|Deadline)\\w*\\(\\s*\\d{1,3}\\b', '(?:[wW]ait|[pP]oll|[tT]imeout|[tT]tl)\\w*\\([^\\n]*ofMillis\\(\\d{1,3}\\)', '[wW]aitFor\\([^\\n]*\\b\\d{3,4},', '(?:[tT]imeout|TIMEOUT)[\\w."]*,\\s*"?\\d{1,3}\\b', '\\.join\\(\\d', '\\b\\d{1,3}L?, (?:TimeUnit\\.)?MILLISECONDS', '(?:block|await\\w*|take\\w*|receive\\w*|expect\\w*|[wW]ithin|\\bnew [\\w<>]+)\\([^\\n]*ofMillis\\(\\d{1,3}\\)', 'timeOut\\s*=\\s*\\d{1,3}\\b'],
      rust: ['(?:timeout|ttl|lease|expir)\\w*\\s*[:=][^;,]*from_millis', 'timeout\\([^\\n]*from_millis', '(?:eventually|poll|wait_for|wait_until|retry|expect\\w*|recv\\w*|::new|::spawn|::start|::with_\\w+)!?\\([^\\n]*from_millis'],
    },
    confirm: ['cpu-stress'], crowds: 8, since: '0.1.0',
  },
  function* ({ facts, folding, flows, textOf }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isCalledElsewhere(facts, unit) || isProperty(facts, unit)) continue
      const aboutTime = expectsTimeout(facts, unit)
      const said = new Set<number>()
      for (const limit of limitsOf(unit, folding, flows)) {
        if (limit.ms < 1 || limit.ms > (isCommand(limit) ? SHORT_MS : WORTH[limit.is]) || said.has(limit.span.start) || !isBinding(limit, unit, aboutTime) || frozenClock(facts, unit, limit.span.start) || (limit.is === 'option' && handsClock(unit))) continue
        said.add(limit.span.start)
        yield {
          at: placeOf(limit, textOf), unit: unit.id, confidence: isCommand(limit) || runsIn(unit, limit.in) === 'spawn' && limit.is === 'limit' || (limit.is === 'guard' && (isShrugged(limit, unit) || /[rR]ace|reject/.test(textOf(limit.span)))) ? 'medium' : judge(limit, within(unit, limit.in, 'select')), ...(limit.ms >= TIGHT_MS && { severity: 'note' as const }),
          message: `${SAYS[limit.is](spell(limit.ms))}: a busy machine needs longer`,
        }
      }
    }
  },
)

/** Where an option stands in a call of many lines. */
function placeOf({ span, key }: Limit, textOf: (span: Span) => string): Span {
  const found = key === undefined ? null : new RegExp(`(?<![\\w.])["']?${key.replace(/\W/g, '\\$&')}["']?\\s*[:=][^\\n]*`).exec(textOf(span))
  return found ? { start: span.start + found.index, end: Math.min(span.end, span.start + found.index + found[0].length) } : span
}

/** Success is needed within it, as far as one can see. */
function isBinding(limit: Limit, unit: Unit, aboutTime: boolean): boolean {
  // A guard fails the test, and a loop that looks again is followed by an assertion: both want it to be in time. Where the race must come to nothing, the guard is to win.
  if (limit.is === 'guard') return !isPlayed(limit, unit) && (!isShrugged(limit, unit) || isCounted(limit, unit)) && !unit.assertions.some(a => a.claims === 'absence' && a.compare === 'truth' && a.span.start <= limit.span.start && a.span.end >= limit.span.end)
  if (limit.is === 'asked' || (limit.is === 'handed' && limit.ms <= TIGHT_MS / 2)) return true
  if (limit.is === 'rounds' || limit.is === 'deadline') return !aboutTime
  return !aboutTime && !isThere(limit, unit) && !polls(unit, limit.in) && (runsIn(unit, limit.in) !== 'spawn' || limit.is === 'limit' && limit.sure) && !wantsItToPass(unit, limit)
}

/** Whole seconds are the least that a script gives, and starting or ending a program takes its share. */
const isCommand = ({ is, call }: Limit): boolean => is === 'limit' && /^(g?timeout|curl|wget|nc|read)$|^subprocess\.|[.:](communicate|wait_timeout)$|(^|\.)Process\.waitFor$/.test(call?.name ?? '')

/** `checkPending(t, sub, 3)` has waited for what `sub.Next(limit)` then takes. */
const isThere = ({ call }: Limit, unit: Unit): boolean => call?.receiver?.is === 'name'
  && unit.calls.some(c => c.span.end <= call.span.start && /(^|[.:_])(check|wait|await)\w*(Pending|Ready|For|Until|Received|Msgs|Messages)/i.test(c.name) && c.args.some(a => a.is === 'name' && a.path === (call.receiver as { path: string }).path))

/** Nobody asks who won, but what must have come by then is asserted. */
const isCounted = ({ ms, span, in: region }: Limit, unit: Unit): boolean => ms <= SHORT_MS && unit.assertions.some(a => a.span.start >= span.end && a.in === region && a.claims === 'presence' && /^(==|contains)$/.test(a.compare))

/** Code that is given a clock of the test's own counts its limits by that one. */
const handsClock = (unit: Unit): boolean => unit.calls.some(c => /(^|[.:])(Mock|Fake|Manual|Virtual|Simulated)(Time|Timer|Clock|Ticker|Scheduler)(\.new|::new)?$/.test(c.name))

/** A wait that fails when its time is over; a join that comes back, or a result that is there already, is none. */
const WAITS = /(^|[.:_])(wait|await)(_?(for|until))?$/i

function judge({ is, ms, sure, bare, call }: Limit, inSelect: boolean): Confidence {
  // A case of a select is written as easily as a wait, and a second or two are what most give it.
  if (is === 'guard') return inSelect ? (ms <= SHORT_MS / 2 ? 'high' : ms >= SHORT_MS ? 'low' : 'medium') : ms <= 3 * SHORT_MS ? 'high' : 'medium'
  if (is === 'rounds' || is === 'deadline') return sure || ms < SHORT_MS ? 'medium' : 'low'
  if (is === 'budget') return ms <= (bare ? SHORT_MS : SHORT_MS / 2) ? 'medium' : 'low'
  if (is === 'option') return ms < SHORT_MS || (sure && ms === SHORT_MS) ? 'medium' : 'low'
  if (is === 'asked') return ms <= SHORT_MS ? 'high' : 'medium'
  if (is === 'handed') return 'medium'
  if (is === 'limit' && bare) return ms <= SHORT_MS / 2 ? 'medium' : 'low'
  return ms < TIGHT_MS && WAITS.test(call?.name ?? '') ? 'high' : ms <= (sure ? SHORT_MS / 2 : 3 * TIGHT_MS) ? 'medium' : 'low'
}

/** `deadlineNotExceeded` wants the opposite. */
const IN_TIME = /(^|[_ ])(not|never|no|without|before|within|doesn_?t|does_?not)[_ ](\w*[_ ])?(time_?d?_?out|deadline|expire)|(deadline|time_?out)_?(is_?)?not/i
const ABOUT_TIME = /time_?d?_?out|timeout|timelimit|deadline|expir|ttl|slow|cancel|abort|latency|delay/i

/** A test of timeouts wants its limit to pass. */
const expectsTimeout = (facts: FileFacts, unit: Unit): boolean => {
  const name = snake(testOf(facts, unit)?.name ?? unit.name)
  return ABOUT_TIME.test(name) && !IN_TIME.test(name)
}

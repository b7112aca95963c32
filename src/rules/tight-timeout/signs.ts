import type { FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { valuesIn } from '../../facts/query.ts'
import { type Limit } from '../../flow/waiting/limits.ts'
import { repeatedCommands } from '../../flow/masking/retried-commands.ts'
import { retriedIn } from '../../flow/masking/retried.ts'
import { type Confidence } from '../rule.ts'

/** Below the first a loaded machine misses it often, below the second now and then. */
export const TIGHT_MS = 100, SHORT_MS = 1000
/** Up to here a limit of each kind is worth a word at all. */
export const WORTH: Readonly<Record<Limit['is'], number>> = { limit: 999, option: 1000, guard: 4999, budget: 3000, rounds: 3000,
  deadline: 5000, handed: 100, asked: 1999, named: 999 }

export const SAYS: Readonly<Record<Limit['is'], (time: string) => string>> = {
  limit: time => `gives it ${time} of real time`,
  option: time => `sets a limit of ${time} of real time`,
  guard: time => `fails by itself after ${time}`,
  budget: time => `looks for ${time} at most`,
  rounds: time => `looks again for ${time} in all`,
  deadline: time => `gives up after ${time}`,
  handed: time => `hands ${time} of real time to what it tests`,
  asked: time => `asserts that ${time} were enough`,
  named: time => `calls ${time} of real time a limit`,
}

/** A loop that does the test's own steps again waits for nothing, and more rounds would only hide more. */
export const isDoneAgain = (file: FileFacts, unit: Unit, { span }: Limit, textOf: (span: Span) => string): boolean =>
  [...[...repeatedCommands(file, unit, textOf)].map(r => r.loop.span), ...[...retriedIn(file, unit, textOf)].map(r => r.span)].some(s =>
    s.start === span.start
  )

/** `setTimeout(() => resolve('late'), 10)`, `setTimeout(resolve, 10, 'late')`, `sleep(10).then(() => 'late')`: what a timer gives. */
const GIVES =
  /setTimeout\(\s*(?:(?:\(\)\s*=>|function\s*\(\)\s*\{)\s*\w+\(\s*|\w+\s*,[^,()]*,\s*)(['"`])(.*?)\1|\.then\(\(\)\s*=>\s*(['"`])(.*?)\3/g

/** That the timer came first is what the test expects: `expect(await race).toBe('late')`. */
export function isFirst({ call, span }: Limit, unit: Unit, textOf: (span: Span) => string): boolean {
  if (!call || !/^Promise\.(race|any)\b/.test(call.name)) return false
  const isIt = (v: Value): boolean => v.is === 'call' && unit.calls[v.call] === call
  const kept = unit.writes.find(w => [...valuesIn(w.value, unit)].some(isIt))?.target
  const given = [...textOf(span).matchAll(GIVES)].map(m => m[2] ?? m[4])
  return unit.assertions.some(a =>
    a.compare === '==' && a.claims === 'presence' && a.operands.some(o => o.is === 'literal' && given.some(g => g === o.value))
    && a.operands.some(o => [...valuesIn(o, unit)].some(v => isIt(v) || (v.is === 'name' && v.path === kept)))
  )
}

/** Where an option stands in a call of many lines, or where the timer of a select was made. */
export function placeOf({ span, key, is, call }: Limit, unit: Unit, textOf: (span: Span) => string): Span {
  const timer = is === 'guard' ? /^(\w+)(\.C)?$/.exec(textOf(span))?.[1] : undefined
  const made = timer === undefined ? undefined : unit.writes.findLast(w => w.target === timer && w.span.end <= span.start)
  if (made) return made.span
  const found = key === undefined
    ? null
    : new RegExp(`(?<![\\w.])["']?${key.replace(/\W/g, '\\$&')}["']?\\s*[:=][^\\n]*`).exec(textOf(span))
  return found
    ? { start: span.start + found.index, end: Math.min(span.end, span.start + found.index + found[0].length) }
    : is === 'limit' && call?.receiver?.is === 'call'
    ? { start: call.nameSpan.start, end: span.end }
    : span
}

/** Whole seconds are the least that a script gives, and starting or ending a program takes its share. */
export const isCommand = ({ is, call }: Limit): boolean =>
  is === 'limit'
  && /^(g?timeout|curl( options)?|wget|nc|read|flock|inotifywait|mosquitto_\w+|expect|pg_isready|waitpid|grpcurl)$|^subprocess\.|[.:](communicate|wait_timeout)$|(^|\.)Process\.waitFor$/
    .test(call?.name ?? '')

/** A poll is told its limit by a call of its own: `await().atMost(1, SECONDS)`. */
export const isOfPoll = ({ is, call }: Limit): boolean =>
  is === 'limit' && /[.](ConditionFactory\.(atMost|timeout)|Awaitility\.waitAtMost)$/.test(call?.name ?? '')

/** A wait that fails when its time is over; a join that comes back, or a result that is there already, is none. */
const WAITS = /(^|[.:_])(wait|await)(_?(for|until))?$/i

export function judge(limit: Limit, inSelect: boolean): Confidence {
  const { is, ms, sure, bare, asserted, call } = limit
  // A case of a select is written as easily as a wait, and a second or two are what most give it.
  if (is === 'guard')
    return inSelect
      ? (ms <= SHORT_MS / 2 ? 'high' : ms <= SHORT_MS ? 'medium' : 'low')
      : ms <= 3 * SHORT_MS
      ? 'high'
      : 'medium'
  // An assertion on the clock is one wherever it stands, in the rounds of a poll as well as after it.
  if (asserted && ms <= SHORT_MS / 2) return 'high'
  if (is === 'rounds' || is === 'deadline') return sure || ms < SHORT_MS ? 'medium' : 'low'
  if (is === 'budget') return ms <= SHORT_MS / 2 ? 'high' : bare && ms <= SHORT_MS ? 'medium' : 'low'
  if (is === 'option') return ms < SHORT_MS || (sure && ms === SHORT_MS) ? 'medium' : 'low'
  if (is === 'asked') return ms <= SHORT_MS ? 'high' : 'medium'
  // Only its place tells that it is a limit, and most are how often something is done.
  if (is === 'handed') return 'low'
  if (is === 'limit' && bare) return ms <= SHORT_MS / 2 ? 'medium' : 'low'
  if (isOfPoll(limit) && ms > SHORT_MS / 2) return ms <= SHORT_MS ? 'medium' : 'low'
  if (ms < TIGHT_MS && WAITS.test(call?.name ?? '')) return 'high'
  // The shortest are meant to run out as often as not; a few hundred milliseconds are somebody's idea of plenty.
  if (sure && ms > TIGHT_MS && ms <= SHORT_MS / 2) return 'high'
  return ms <= (sure ? SHORT_MS / 2 : 3 * TIGHT_MS) ? 'medium' : 'low'
}

import type { FileFacts, Span, Unit } from '../../facts/facts.ts'
import { frozenClock, isCalledElsewhere, isProperty, isTestCode, runsIn, within } from '../../facts/query.ts'
import { expectsTimeout, handsClock, inRealTime, isBinding, isOfServer, isRaced } from '../../flow/waiting/binding.ts'
import { exampleLimits, isShrugged, keptIn, limitsOf, type Limit } from '../../flow/waiting/limits.ts'
import { passedLimits } from '../../flow/waiting/passed-limits.ts'
import { repeatedCommands } from '../../flow/masking/retried-commands.ts'
import { retriedIn } from '../../flow/masking/retried.ts'
import { defineRule, type Confidence } from '../rule.ts'
import { spell } from '../wording.ts'
import { words } from './words.ts'

/** Below the first a loaded machine misses it often, below the second now and then. */
const TIGHT_MS = 100, SHORT_MS = 1000
/** Up to here a limit of each kind is worth a word at all. */
const WORTH: Readonly<Record<Limit['is'], number>> = { limit: 999, option: 1000, guard: 4999, budget: 3000, rounds: 3000, deadline: 5000, handed: 100, asked: 1999, named: 999 }

const SAYS: Readonly<Record<Limit['is'], (time: string) => string>> = {
  limit: time => `gives it ${time} of real time`, option: time => `sets a limit of ${time} of real time`, guard: time => `fails by itself after ${time}`,
  budget: time => `looks for ${time} at most`, rounds: time => `looks again for ${time} in all`, deadline: time => `gives up after ${time}`, handed: time => `hands ${time} of real time to what it tests`, asked: time => `asserts that ${time} were enough`,
  named: time => `calls ${time} of real time a limit`,
}

export default defineRule(
  {
    id: 'tight-timeout', title: 'Something must succeed within a time limit that a busy machine misses', category: 'waiting', severity: 'warning',
    triggers: ['timeout', 'sync-timed', 'wait-until', 'sleep', 'clock', 'mono', 'elapsed'], words,
    confirm: ['cpu-stress'], crowds: 8, since: '0.1.0',
  },
  function* ({ facts, folding, flows, textOf }) {
    const told = new Set<number>()
    // What is taken by its name is told where its number stands, once.
    const kept = new Map(facts.units.filter(u => isTestCode(facts, u)).flatMap(u => [...keptIn(u, folding)].map(limit => [limit.name!, limit] as const)))
    const placed = new Set<number>()
    const aside: { readonly unit: Unit; readonly limit: Limit }[] = []
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isCalledElsewhere(facts, unit)) continue
      const aboutTime = expectsTimeout(facts, unit)
      const said = new Set<number>()
      for (const limit of isProperty(facts, unit) ? exampleLimits(unit) : [...limitsOf(unit, folding, flows), ...passedLimits(unit, facts.units, folding)]) {
        if (limit.ms < (limit.is === 'named' ? 0.001 : 1) || limit.ms > (isCommand(limit) ? SHORT_MS : isOfServer(limit) ? Infinity : WORTH[limit.is]) || said.has(limit.span.start) || frozenClock(facts, unit, limit.span.start) || (limit.is === 'option' && handsClock(unit))) continue
        const isBehind = limit.is === 'named' || !isBinding(limit, unit, aboutTime)
        if (isBehind && (limit.is === 'named' || isRaced(limit, unit, aboutTime))) aside.push({ unit, limit })
        if (isBehind || (limit.is === 'rounds' && isDoneAgain(facts, unit, limit, textOf))) continue
        const source = [...(limit.call?.args ?? []), ...Object.values(limit.call?.named ?? {})].flatMap(a => (a.is === 'name' ? kept.get(a.path) ?? [] : [])).find(k => k.ms === limit.ms)
        if (source && placed.has(source.span.start)) continue
        if (source) placed.add(source.span.start)
        said.add(limit.span.start)
        told.add(limit.ms)
        yield {
          at: source ? source.span : placeOf(limit, unit, textOf), unit: unit.id, confidence: isCommand(limit) || isOfServer(limit) || runsIn(unit, limit.in) === 'spawn' && limit.is === 'limit' || (limit.is === 'guard' && (limit.bare || isShrugged(limit, unit) || /[rR]ace|reject/.test(textOf(limit.span)))) ? 'medium' : judge(limit, within(unit, limit.in, 'select')), ...(limit.ms >= TIGHT_MS && { severity: 'note' as const }),
          message: `${SAYS[limit.is](spell(limit.ms))}: a busy machine needs longer`,
        }
      }
    }
    // Once a file: whoever takes it may be out of sight.
    const named = aside.find(({ limit }) => limit.is === 'named' && !told.has(limit.ms) && inRealTime(facts, limit.name!))
    if (named) yield { at: named.limit.span, unit: named.unit.id, confidence: 'medium', severity: 'note', message: `${SAYS.named(spell(named.limit.ms))}: a busy machine needs longer` }
    // And what is meant to run out races with all that must come before.
    const raced = aside.find(({ limit }) => limit.is !== 'named')
    if (raced) yield { at: placeOf(raced.limit, raced.unit, textOf), unit: raced.unit.id, confidence: 'medium', severity: 'note', message: `lets ${spell(raced.limit.ms)} of real time run out: on a busy machine what must come before comes too late` }
  },
  function* ({ limits = [] }) {
    for (const { file, span, whom, ms } of limits) yield { file, at: span, confidence: 'medium', message: `gives ${whom} ${spell(ms)} of real time: a busy machine needs longer` }
  },
)

/** A loop that does the test's own steps again waits for nothing, and more rounds would only hide more. */
const isDoneAgain = (file: FileFacts, unit: Unit, { span }: Limit, textOf: (span: Span) => string): boolean =>
  [...[...repeatedCommands(file, unit, textOf)].map(r => r.loop.span), ...[...retriedIn(file, unit, textOf)].map(r => r.span)].some(s => s.start === span.start)

/** Where an option stands in a call of many lines, or where the timer of a select was made. */
function placeOf({ span, key, is, call }: Limit, unit: Unit, textOf: (span: Span) => string): Span {
  const timer = is === 'guard' ? /^(\w+)(\.C)?$/.exec(textOf(span))?.[1] : undefined
  const made = timer === undefined ? undefined : unit.writes.findLast(w => w.target === timer && w.span.end <= span.start)
  if (made) return made.span
  const found = key === undefined ? null : new RegExp(`(?<![\\w.])["']?${key.replace(/\W/g, '\\$&')}["']?\\s*[:=][^\\n]*`).exec(textOf(span))
  return found ? { start: span.start + found.index, end: Math.min(span.end, span.start + found.index + found[0].length) } : is === 'limit' && call?.receiver?.is === 'call' ? { start: call.nameSpan.start, end: span.end } : span
}

/** Whole seconds are the least that a script gives, and starting or ending a program takes its share. */
const isCommand = ({ is, call }: Limit): boolean => is === 'limit' && /^(g?timeout|curl( options)?|wget|nc|read|flock|inotifywait|mosquitto_\w+|expect|pg_isready|waitpid|grpcurl)$|^subprocess\.|[.:](communicate|wait_timeout)$|(^|\.)Process\.waitFor$/.test(call?.name ?? '')

/** A wait that fails when its time is over; a join that comes back, or a result that is there already, is none. */
const WAITS = /(^|[.:_])(wait|await)(_?(for|until))?$/i

function judge({ is, ms, sure, bare, call }: Limit, inSelect: boolean): Confidence {
  // A case of a select is written as easily as a wait, and a second or two are what most give it.
  if (is === 'guard') return inSelect ? (ms <= SHORT_MS / 2 ? 'high' : ms >= SHORT_MS ? 'low' : 'medium') : ms <= 3 * SHORT_MS ? 'high' : 'medium'
  if (is === 'rounds' || is === 'deadline') return sure || ms < SHORT_MS ? 'medium' : 'low'
  if (is === 'budget') return ms <= SHORT_MS / 2 ? 'high' : bare && ms <= SHORT_MS ? 'medium' : 'low'
  if (is === 'option') return ms < SHORT_MS || (sure && ms === SHORT_MS) ? 'medium' : 'low'
  if (is === 'asked') return ms <= SHORT_MS ? 'high' : 'medium'
  if (is === 'handed') return 'medium'
  if (is === 'limit' && bare) return ms <= SHORT_MS / 2 ? 'medium' : 'low'
  return ms < TIGHT_MS && WAITS.test(call?.name ?? '') ? 'high' : ms <= (sure ? SHORT_MS / 2 : 3 * TIGHT_MS) ? 'medium' : 'low'
}

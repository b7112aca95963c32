// The present in what the code under test is given or asked for, where the test expects what holds at most moments only: a field of
// an expected record, the arguments of a mock, the word for a day, a text of the moment, the seconds until a limit.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { fold, milliseconds } from '../../facts/fold.ts'
import { frozenClock, has, polls, valuesIn } from '../../facts/query.ts'
import { asserts, expectedBy } from '../claims/expected.ts'
import { isHandedOn, isInstant, type Origin } from '../flow.ts'
import { EXPECTED, isComparedExactly, isMoved, type Now, type View, isDeadline } from './now.ts'

export function* presentIn(unit: Unit, view: View): Generator<Now> {
  if (!unit.calls.some(c => isReading(c)) || !asserts(view.facts, unit)) return
  yield* inRecords(unit, view)
  yield* ofMocks(unit)
  yield* soonByText(unit, view)
  const moved = movedReading(unit, view)
  if (moved) yield* byWords(unit, moved, view)
  yield* asText(unit, view)
  yield* withinMargin(unit, view)
}

const isReading = (call: Call): boolean => has(call, 'clock') && !has(call, 'fake-clock')

/** Records, and what looks for a text on a page. */
const HOLDS =
  /\{\}$|(^|[.:])((get|query|find)(All)?By\w+|hasText|withText|containsString|equalTo|is|call|objectContaining|HaveField|[mM]ust\w*|replace|eq|includes|contains|startsWith|endsWith|startswith|endswith|String)$/
/** A record that is made in place: `new Entry(now)`. */
const MAKES = /(^|[.:])[A-Z]\w*(\.new)?$/
const EXACT = new Set(['==', '!=', 'contains', 'matches', 'truth', 'other'])

/** A reading that stands in a value as it is, or in another form: in a record, in a text, in what a page is searched for. */
function readingIn(unit: Unit, value: Value, held = false, depth = 0, asked = false):
  | { readonly clock: Call; readonly held: boolean }
  | undefined
{
  if (depth > 12) return undefined
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (call && isReading(call)) return { clock: call, held }
  // `[ -f "report-$(date +%F)" ]`
  const holds = (call !== undefined && (HOLDS.test(call.name) || (!asked && MAKES.test(call.name))))
    || (value.is === 'op' && /^-[a-z]$/.test(value.op))
  const parts = value.is === 'text'
    ? value.parts
    : value.is === 'group' || (value.is === 'op' && value.op !== '-')
    ? value.of
    : !call
    ? []
    : holds && call
    ? [...(call.receiver ? [call.receiver] : []), ...call.args, ...Object.values(call.named)]
    : call.receiver
    ? [call.receiver]
    : []
  for (const part of parts) {
    // What is asked of a record is the code's own answer.
    const found = readingIn(unit, part, held || holds, depth + 1, asked || (call !== undefined && part === call.receiver))
    if (found) return found
  }
  return undefined
}

/** `Equal(t, &Plan{At: time.Now()}, got)`: read after the code has run. */
function* inRecords(unit: Unit, view: View): Generator<Now> {
  for (const assertion of unit.assertions) {
    if (!EXACT.has(assertion.compare) || polls(unit, assertion.in)) continue
    const found = assertion.operands.map(o => readingIn(unit, o)).find(r => r?.held)
    if (found && found.clock.span.start >= assertion.span.start) yield { is: 'held', span: found.clock.span, clock: found.clock }
  }
  for (const write of unit.writes) {
    const found = EXPECTED.test(write.target) ? readingIn(unit, write.value) : undefined
    if (found?.held && isComparedExactly(unit, write.target, view) && !isGiven(unit, write.target))
      yield { is: 'held', span: found.clock.span, clock: found.clock }
  }
}

/** The code under test gets it or a part of it as well, and may give it back. */
function isGiven(unit: Unit, name: string): boolean {
  const holds = (value: Value) => [...valuesIn(value, unit)].some(v => v.is === 'name' && v.path.split(/[.[]/)[0] === name)
  return unit.writes.some(w =>
    !unit.assertions.some(a => a.span.start <= w.span.end && a.span.end >= w.span.start) && !/[dD]iff/.test(w.target) && holds(w.value)
  )
    || unit.calls.some(c =>
      !/(Diff|[eE]quals?|DeepEqual)$/.test(c.name) && !unit.assertions.some(a => a.span.start <= c.span.start && a.span.end >= c.span.end)
      && [...c.args, ...Object.values(c.named)].some(holds)
    )
}

const ASKED = /^mock\.|(^|[.:])(assert_(any_call|has_calls|(called|awaited)(_once)?_with)|calledWith\w*)$/

/** What a mock must have been called with, read after it was called. */
function* ofMocks(unit: Unit): Generator<Now> {
  for (const call of unit.calls) {
    if (!ASKED.test(call.name)) continue
    const found = [...call.args, ...Object.values(call.named)].map(a => readingIn(unit, a)).find(r => r !== undefined)
    if (found) yield { is: 'held', span: found.clock.span, clock: found.clock }
  }
}

const NAMES_LIMIT =
  /(?:^|[\s({,[.$"'])(?:expir\w*|exp|not_?after|valid_?(?:until|to)|iat|nbf|not_?before)['"]?\s*(?::=|=>|:|=(?!=))\s*[^,;{}\n]*$/i
const SOON = 2000

/** `{"exp": int(time.time()) + 1}`: the key is known only as text. */
function* soonByText(unit: Unit, view: View): Generator<Now> {
  for (const value of everyValue(unit)) {
    if (value.is !== 'op' || value.op !== '+' || value.of.length !== 2) continue
    const found = readingIn(unit, value.of[0]!) ?? conversionOf(unit, value.of[0]!)
    if (!found) continue
    const before = view.textOf({ start: Math.max(0, found.clock.span.start - 80), end: found.clock.span.start })
    const ms = milliseconds(value.of[1], unit, view.folding, /illis$|^Date\.(now|new)$/.test(found.clock.name)
        && !/\/\s*1000/.test(view.textOf({ start: found.clock.span.start, end: found.clock.span.end + 12 }))
      ? 1
      : 1000)
    const kept = unit.writes.find(w => w.value === value)?.target
    if (NAMES_LIMIT.test(before) && !(kept && isDeadline(unit, kept)) && ms !== undefined && ms > 0 && ms <= SOON)
      yield { is: 'soon', span: found.clock.span, clock: found.clock }
  }
}

/** `int(time.time())`. */
const conversionOf = (unit: Unit, value: Value): { readonly clock: Call } | undefined => {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const inner = call && /^(int|round|Math\.\w+|int64|uint64)$/.test(call.name) && call.args[0]
    ? [...valuesIn(call.args[0], unit)].flatMap(v => (v.is === 'call' && isReading(unit.calls[v.call]!) ? [unit.calls[v.call]!] : []))[0]
    : undefined
  return inner && { clock: inner }
}

function* everyValue(unit: Unit): Generator<Value> {
  for (const value of [...unit.writes.map(w => w.value), ...unit.calls.flatMap(c => [...c.args, ...Object.values(c.named)]),
    ...unit.returns]) yield* valuesIn(value, unit)
}

const MOVES = /(^|[.:])(Add|AddDate|plus\w*|minus\w*|add|subtract|shift|checked_(add|sub)\w*)$/

/** The first reading that is moved by some hours or days. */
function movedReading(unit: Unit, { flows }: View): Call | undefined {
  const clockOf = (v: Value, offset: number) =>
    flows.ingredients(unit, v, offset).origins.find(o => o.kind === 'clock' && isInstant(o) && !o.opaque && o.unit === unit.id)
  for (const call of unit.calls) {
    const found = MOVES.test(call.name) && call.receiver ? clockOf(call.receiver, call.span.start) : undefined
    if (found) return unit.calls[found.call]
  }
  for (const value of everyValue(unit)) {
    const found = value.is === 'op' && /^[-+]$/.test(value.op) && value.of.length === 2 ? clockOf(value, unit.span.end) : undefined
    if (found) return unit.calls[found.call]
  }
  return undefined
}

/** Words that hold until midnight, until the end of a month, or until the next second is counted off. */
const WORDS =
  /\b(today|tomorrow|yesterday)\b|\bin (an?|\d+) (second|minute|hour|day|week|month|year)s?\b|\b\d+ (second|minute|hour|day|week|month|year)s? (from now|left|remaining)\b|\b(an?|\d+) (month|year)s? ago\b|\b(last|next) (week|month|year|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b/i
const ASKS = /(^|[.:_])(is_?(today|tomorrow|yesterday|this_?(week|month|year)|same_?day)|was_published_today)$/i

function* byWords(unit: Unit, clock: Call, view: View): Generator<Now> {
  const said = [...expectedBy(view.facts, unit)].some(e => typeof e.value === 'string' && e.value.length < 80 && WORDS.test(e.value))
  const asked = unit.assertions.some(a =>
    a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'call' && ASKS.test(unit.calls[v.call]!.name)))
  )
  if (said || asked) yield { is: 'word', span: clock.span, clock }
}

const SHOWS = /(^|[.:])(format|print|strftime|isoformat|Format|toISOString|to_rfc3339|toLocale\w*String)$/
const PASSIVE = /^(int|float|str|round|Math\.\w+|fmt\.\w+|Date\.new|java\.util\.Date\.new)$/

/** The moment goes into the data with all its digits, and a text of it is compared: texts leave out digits, and now and then a nought. */
function* asText(unit: Unit, { facts, flows }: View): Generator<Now> {
  // These always print the same number of digits, or lose one run in a million.
  if (facts.language === 'typescript' || facts.language === 'python') return
  // `now.Format(time.RFC3339)` has a place for every digit; only the nanoseconds lose their noughts.
  const isWhole = ({ args }: Call) => args.some(a => a.is === 'literal' || (a.is === 'name' && /^time\.(?!\w*Nano)/.test(a.path)))
  const isShown = (v: Value): boolean =>
    (v.is === 'call' && SHOWS.test(unit.calls[v.call]!.name) && !isWhole(unit.calls[v.call]!))
    || (v.is === 'text' && v.parts.some(isShown))
    || (v.is === 'call' && HOLDS.test(unit.calls[v.call]!.name) && unit.calls[v.call]!.args.some(isShown))
  // A day drops nothing, and a calendar that is set is another day's.
  const isDay = (o: Origin): boolean =>
    /LocalDate\.now|date\.today|localdate/.test(unit.calls[o.call]!.name) || o.steps.some(s => isMoved(unit, s.name))
  const compared = unit.assertions.filter(a => a.compare === '==' && a.operands.some(isShown))
  if (compared.length === 0) return
  for (const call of unit.calls) {
    if (has(call, 'log', 'sleep', 'timeout', 'spawn', 'clock') || PASSIVE.test(call.name) || SHOWS.test(call.name)
      || unit.assertions.some(a => a.span.start <= call.span.start && a.span.end >= call.span.end)) continue
    const found = [...call.args, ...Object.values(call.named)].flatMap(a => flows.ingredients(unit, a, call.span.start).origins).find(o =>
      o.kind === 'clock' && isInstant(o) && !o.opaque && o.unit === unit.id && !isDay(o)
    )
    if (!found) continue
    yield { is: 'shown', span: found.span, clock: unit.calls[found.call]! }
    return
  }
}

const CUTS = /(^|[.:])(Unix|Format|strftime|format|isoformat|toUTCString|toEpochSecond|getEpochSecond|as_secs|timestamp|int|Math\.floor)$/

/** A moment some seconds away, cut off at a second and handed on: what is left of it is up to a second less. */
function* withinMargin(unit: Unit, { flows, folding }: View): Generator<Now> {
  const bounds = unit.assertions.filter(a => /^(==|[<>]=?)$/.test(a.compare)).flatMap(a =>
    a.operands.map(o => ({ a, ms: stretch(fold(o, unit, folding)) })).filter(o => o.ms !== undefined && o.ms > 0)
  )
  if (bounds.length === 0) return
  for (const write of unit.writes) {
    const cut = write.value.is === 'call' && CUTS.test(unit.calls[write.value.call]!.name)
    const found = cut
      ? flows.ingredients(unit, write.value, write.span.start).origins.find(o =>
        o.kind === 'clock' && !o.opaque && o.unit === unit.id && o.shape !== 'duration'
      )
      : undefined
    if (!found) continue
    const ahead = [...valuesIn(write.value, unit)].flatMap(v => (v.is === 'op' && v.op === '+'
      ? [stretch(fold(v.of[1], unit, folding))]
      : v.is === 'call' && MOVES.test(unit.calls[v.call]!.name)
      ? [stretch(fold(unit.calls[v.call]!.args[0], unit, folding))]
      : [])
    ).find(ms => ms !== undefined)
    if (ahead !== undefined && ahead <= 600_000 && bounds.some(b => b.ms! > ahead - 1500 && b.ms! <= ahead))
      yield { is: 'margin', span: write.span, clock: unit.calls[found.call]! }
  }
}

const stretch = (
  folded: ReturnType<typeof fold>,
): number | undefined => typeof folded === 'object' && folded !== null && 'ms' in folded ? folded.ms : undefined

/** What looks for a file, or reads it. */
const LOOKS =
  /(^|[.:])(exists|existsSync|isFile|is_file|read_to_string|read_text|readFileSync|readFile|ReadFile|Stat|stat|statSync|FileExists|toBeAFile|assert_(file_)?exists?|assert_file_\w+|assertFileExists)$/

/** A file is looked for under a name that is made of the time at which it is looked for; what made it read the clock earlier. */
export function* lookedFor(unit: Unit, { facts, flows }: View): Generator<{ readonly clock: Origin; readonly call: Call }> {
  if (unit.role.is !== 'test') return
  for (const call of unit.calls) {
    if (!LOOKS.test(call.name)) continue
    const clock = [...call.args, ...(call.receiver ? [call.receiver] : [])].flatMap(a =>
      flows.ingredients(unit, a, call.span.start).origins
    ).find(o => o.kind === 'clock' && (o.shape === 'text' || o.opaque))
    if (clock && clock.unit === unit.id && !isHandedOn(unit, clock, call.span) && !frozenClock(facts, unit, clock.span.start)
      && unit.calls.some(c => c.span.end <= clock.span.start && c.effects.length === 0)) yield { clock, call }
  }
}

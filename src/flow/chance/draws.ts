// What hangs on chance in a function, more coarsely than a flow: whoever counts hits, fills a store or trains a model
// with a draw has a result that is another one in the next run, though no value leads from one to the other.

import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { around, callsOf, effectOf, has, inForce, valuesIn } from '../../facts/query.ts'
import { rememberedByName, rememberedOf } from '../../facts/remembered.ts'
import { snake, type Flows, type Origin } from '../flow.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
}

/** Where chance comes in. */
export interface Draw {
  readonly unit: number
  readonly span: Span
  /** None where a generator is handed on as a function: `rng = Math.random`. */
  readonly call: Call | undefined
}

export interface Chance {
  /** The draw that a value hangs on. */
  readonly of: (value: Value | undefined) => Draw | undefined
  /** It was counted or gathered in a loop that draws. */
  readonly gathered: (value: Value | undefined) => boolean
}

/** A generator that is given away as a function. */
const GENERATOR = /^(Math\.random|random\.(random|shuffle|choice|randint|sample|uniform|gauss)|numpy\.random\.\w+)$/
/** Self-made generators with a seed, and whatever takes one. */
const SEEDED = /seed|mulberry|xorshift|random_?state|\blcg\b|fixed_?(rng|random)|deterministic/i
const SELF = /^(self|this|cls|suite|t)$/
/** What a test of Go is given: `b`, `c` of gocheck, `s` of a suite. */
const SELF_IN_GO = /^(b|c|s)$/

const speaksOfSeed = rememberedByName(name => SEEDED.test(name))
const isSeeded = rememberedOf((unit: Unit): boolean =>
  unit.calls.some(c => has(c, 'seed') || (speaksOfSeed(c.name) && !has(c, 'random')) || Object.keys(c.named).some(speaksOfSeed))
)

/** Generators that are seeded as one; a seed for another, or one that is made into an object of its own, changes nothing about them. */
const FAMILIES = [/^random\./, /^(numpy\.random\.|scipy\.|sklearn\.)/, /^torch\./, /^tensorflow\./, /^math\/rand/, /^(rand|fastrand)::/]
/** Seeds that a generator is made with, and that nobody else draws from. */
const OF_ITS_OWN =
  /^(random\.Random|numpy\.random\.(default_rng|RandomState|SeedSequence|\w+\d+)|java\.util\.(Random|SplittableRandom)\.new|math\/rand(\/v2)?\.(New\w*)|.*::(seed_from_u64|from_seed|with_seed))$/

/** Whether one of these units seeds the generator that a call draws from. */
export const seedsFor = (draw: Call, units: readonly Unit[]): boolean =>
  units.some(u =>
    u.calls.some(c => (has(c, 'seed') && isGiven(c) && covers(c, draw)) || (!has(c, 'seed', 'random') && speaksOfSeed(c.name)))
  )

/** `random.seed()` takes its seed from the system. */
const isGiven = (seed: Call): boolean => seed.args.length > 0 || Object.keys(seed.named).length > 0 || !/(^|\.)seed$/.test(seed.name)

export function covers(seed: Call, draw: Call): boolean {
  if (OF_ITS_OWN.test(seed.name)) return !FAMILIES.some(f => f.test(draw.name)) && !/^java\.util\.(Random\.new|concurrent)/.test(draw.name)
  const family = FAMILIES.find(f => f.test(seed.name))
  return !family || family.test(draw.name) || !FAMILIES.some(f => f.test(draw.name))
}

/** Bytes and letters that a generator puts into a buffer: `rng.fill(buffer.as_mut_slice())`, `random.nextBytes(buffer)`. */
export const FILLS = /[.:](nextBytes|sample_iter|fill|fill_bytes|Read|bytes)$/

const drawsBy = (call: Call): boolean => call.effects.some(e => e.kind === 'random' && e.through === undefined)
const rootOf = (path: string): string => (/^(self|this)\./.test(path) ? path.split(/[.[]/).slice(0, 2).join('.') : path.split(/[.[]/)[0]!)

/** In most files nobody draws. */
const drawsAnywhere = rememberedOf((units: readonly Unit[]): boolean =>
  units.some(u => u.calls.some(drawsBy) || u.writes.some(w => w.value.is === 'name' && GENERATOR.test(w.value.path)))
)

/** The draw in a helper of the file, or in one that it calls. */
function drawIn(helper: Unit, facts: FileFacts, given: Call, depth = 0): Draw | undefined {
  if (depth > 2 || !drawsAnywhere(facts.units) || isSeeded(helper)) return undefined
  const draws = helper.calls.filter(drawsBy),
    own = draws.length === 1 && isInName(helper.calls.indexOf(draws[0]!), helper) ? undefined : draws[0]
  if (own) return { unit: helper.id, span: own.span, call: own }
  // `rng = Math.random` as a default, where the caller gives nothing else.
  const standard = helper.writes.find(w =>
    w.value.is === 'name' && GENERATOR.test(w.value.path)
    && (!helper.params.includes(w.target) || (helper.params.indexOf(w.target) >= given.args.length && !(w.target in given.named)))
  )
  if (standard) return { unit: helper.id, span: standard.span, call: undefined }
  for (const call of helper.calls) {
    const found = call.target !== undefined && call.target !== helper.id
      ? drawIn(facts.units[call.target]!, facts, call, depth + 1)
      : undefined
    if (found) return found
  }
  return undefined
}

export function chanceIn(unit: Unit, view: View, depth = 0): Chance {
  const names = new Map<string, Draw>(), calls = new Map<number, Draw>(), gathered = new Set<string>()
  const isSelf = (path: string): boolean => SELF.test(path) || (view.facts.language === 'go' && SELF_IN_GO.test(path))
  if (depth < 2) { for (const outer of inForce(view.facts, unit)) fields(outer, unit, view, names) }
  const of = (value: Value | undefined): Draw | undefined => {
    if (!value) return undefined
    if (value.is === 'name')
      return GENERATOR.test(value.path)
        ? { unit: unit.id, span: unit.nameSpan, call: undefined }
        : names.get(value.path) ?? names.get(rootOf(value.path))
    if (value.is === 'call') return calls.get(value.call)
    const parts = value.is === 'text' ? value.parts : value.is === 'op' || value.is === 'group' ? value.of : []
    for (const part of parts) {
      const found = of(part)
      if (found) return found
    }
    return undefined
  }
  const decides = (region: number): Draw | undefined => {
    for (const r of around(unit, region)) {
      const found = of(r.condition) ?? of(r.upTo)
      if (found) return found
    }
    return undefined
  }
  /** A loop around this place in which something is drawn. */
  const loopDraw = (region: number): Draw | undefined => {
    const loops = [...around(unit, region)].filter(r => r.kind === 'loop')
    for (const [i, call] of unit.calls.entries())
      if (calls.has(i) && loops.some(l => l.span.start <= call.span.start && l.span.end >= call.span.end)) return calls.get(i)
    return undefined
  }
  /** A way out of the loop under an `if`: it may hang on what was drawn. */
  const loopEndsByChance = (region: number): boolean => [...around(unit, region)].some(r => r.kind === 'loop' && r.leaves)
  const placeDraw = (span: Span): Draw | undefined => {
    for (const [i, call] of unit.calls.entries())
      if (calls.has(i) && span.start <= call.span.start && span.end >= call.span.end) return calls.get(i)
    return undefined
  }
  for (let round = 0, before = -1; round < 5 && before !== names.size + calls.size; round++) {
    before = names.size + calls.size
    for (const [i, call] of unit.calls.entries()) {
      if (calls.has(i) || has(call, 'seed', 'log', 'exit', 'temp-dir')) continue
      const own: Draw | undefined = drawsBy(call)
        ? { unit: unit.id, span: call.span, call }
        : call.target !== undefined
        ? drawIn(view.facts.units[call.target]!, view.facts, call)
        : undefined
      const given = [...call.args, ...Object.values(call.named)]
      const taken = given.reduce<Draw | undefined>((found, a) => found ?? of(a), undefined)
      // What is done only sometimes, or so many times, leaves its mark on what it is done to.
      const swayed = call.result === 'discarded' && call.receiver ? decides(call.in) : undefined
      const found = own ?? taken ?? of(call.receiver ?? undefined) ?? swayed
      if (!found) continue
      calls.set(i, found)
      // It may fill what it is given, and change what it is called on.
      const fills = drawsBy(call) || ((own ?? taken) && call.result === 'discarded')
        || (FILLS.test(call.name) && of(call.receiver ?? undefined))
      const filled = fills ? given.flatMap(a => [...valuesIn(a, unit)]) : []
      for (const value of [...filled, ...(own ?? taken ?? swayed ? [call.receiver] : [])])
        if (value?.is === 'name' && !isSelf(value.path) && !names.has(rootOf(value.path))) names.set(rootOf(value.path), found)
    }
    for (const write of unit.writes) {
      const target = write.target.replace(/(\[\])+$/, '')
      // `rounds += 1` counts how often a loop ran; only where chance ends it does that hang on a draw.
      const byOne = write.value.is === 'literal' && !loopEndsByChance(write.in)
      const counts = write.adds && !names.has(target) ? decides(write.in) ?? (byOne ? undefined : loopDraw(write.in)) : undefined
      // `seen[pick(rand.Intn(3))] = true`: the draw says where.
      const placed = write.target.endsWith('[]') ? placeDraw(write.span) : undefined
      const found = of(write.value) ?? decides(write.in) ?? counts ?? placed
      if (found && (counts || (write.adds && !byOne && loopDraw(write.in)))) gathered.add(target)
      if (found && !names.has(target)) names.set(target, found)
      if (found && !names.has(rootOf(target)) && !isSelf(rootOf(target))) names.set(rootOf(target), found)
    }
  }
  const holdsGathered = (value: Value | undefined) =>
    value !== undefined && [...valuesIn(value, unit)].some(v => v.is === 'name' && gathered.has(rootOf(v.path)))
  return { of, gathered: holdsGathered }
}

/** Fields, constants and what a set-up leaves, where a draw stands in their making. */
function fields(outer: Unit, unit: Unit, { facts }: View, names: Map<string, Draw>): void {
  // What a fixture gives is called by its name.
  const given = outer.role.is === 'hook' && unit.params.includes(outer.name)
    ? outer.calls.find(c => drawsBy(c) && !seedsFor(c, [outer]))
    : undefined
  if (given) names.set(outer.name, { unit: outer.id, span: given.span, call: given })
  for (const write of outer.writes)
    for (const value of valuesIn(write.value, outer)) {
      const call = value.is === 'call' ? outer.calls[value.call] : undefined
      // What is made of a field that was drawn before: `self.store = Store(self.items)`.
      const before = value.is === 'name' && outer.role.is === 'hook' ? names.get(value.path) : undefined
      const found: Draw | undefined = !call ? before : drawsBy(call)
        ? { unit: outer.id, span: call.span, call }
        : call.target !== undefined
        ? drawIn(facts.units[call.target]!, facts, call)
        : undefined
      if (found && !names.has(write.target) && !(found.call && seedsFor(found.call, [outer]))) names.set(write.target, found)
    }
}

/** What is a figure of many draws by one of its words. */
const FIGURE =
  /(^|_)(means?|avg|average|std|stddev|var|variance|ratio|rate|share|percent(age|ile)?|score|accuracy|counts?|freq(uency|uencies)?|entropy|hits|median|quantiles?|distribution|error|loss|mse|rmse|corr(elation)?|skew|prob(ability)?|fraction|proportion|chi2?|deviation|spread|balance)(_|\d|$)/i

const TIMES = /time|elapsed|duration|latency|delay|since|nano|milli|sec(ond)?s?$|timeout|deadline/i

const wordsIn = (value: Value, unit: Unit): string[] =>
  [...valuesIn(value, unit)].flatMap(v => (v.is === 'name' ? [v.path] : v.is === 'call' ? [unit.calls[v.call]?.name ?? ''] : [])).map(n =>
    snake(n.slice(Math.max(n.lastIndexOf('.'), n.lastIndexOf(':')) + 1))
  )

/**
 * The draw that a bound hangs on: a figure of many draws within a margin, or one result of chance held against another.
 * A range that every draw keeps (`0 <= n < 10`) and «there is something» are none.
 */
export function boundOnChance(assertion: Assertion, unit: Unit, view: View, chance: Chance): Draw | undefined {
  if (!/^(<|<=|>|>=|near)$/.test(assertion.compare)) return undefined
  const [tested, against] = assertion.operands
  const draw = chance.of(tested) ?? chance.of(against)
  if (!draw || !tested || !against || assertion.operands.some(o => wordsIn(o, unit).some(w => TIMES.test(w)))) return undefined
  // What is drawn afterwards has no part in it, unless a loop comes round again.
  if (draw.unit === unit.id && draw.span.start > assertion.span.end
    && ![...around(unit, assertion.in)].some(r => r.kind === 'loop' && r.span.end > draw.span.start)) return undefined
  const gathered = assertion.operands.some(chance.gathered)
  // An id tells two things apart; only where bytes are drawn and counted do they decide.
  if (draw.call && has(draw.call, 'unique-id') && !(gathered && BYTES.test(draw.call.name))) return undefined
  const both = chance.of(tested) !== undefined && chance.of(against) !== undefined
  const words = assertion.operands.flatMap(
    o => [...wordsIn(o, unit),
      ...(o.is === 'name' ? unit.writes.filter(w => w.target === o.path).flatMap(w => wordsIn(w.value, unit)) : [])],
  )
  const figure = gathered || words.some(w => FIGURE.test(w))
  if (assertion.compare === 'near') {
    const slack = fold(assertion.tolerance, unit, view.folding)
    return typeof slack === 'number' && slack >= 0.005 && !both ? draw : undefined
  }
  const bound = fold(chance.of(tested) ? against : tested, unit, view.folding)
  // That there are no more than so many is how a thing is made.
  const cap = words.some(w => /^(len|length|size|count)$/i.test(w)) && (chance.of(tested) ? /^</ : /^>/).test(assertion.compare)
  if (typeof bound === 'number') return figure && !cap && bound !== 0 && bound !== 1 && Math.abs(bound) >= 1e-4 ? draw : undefined
  return both && /^[<>]$/.test(assertion.compare) && sameMaker(tested, against, unit) ? draw : undefined
}

const BYTES = /Read$|urandom$|randomBytes$|getRandomValues$/

/** Two results of one function, of which one must be the less: `total(cart, coupon) < total(cart, none)`. */
function sameMaker(a: Value, b: Value, unit: Unit): boolean {
  const maker = (v: Value): string | undefined => {
    const made = v.is === 'name' ? unit.writes.findLast(w => w.target === v.path)?.value : v
    return made?.is === 'call' && made !== undefined ? unit.calls[made.call]?.name : undefined
  }
  return maker(a) !== undefined && maker(a) === maker(b)
}

const SHUFFLES = /(^|[._:])(shuffled?|permuted?|permutation|randomi[sz]ed?|scrambled?|Shuffle|Perm)(_(in_place|all|items|order))?$/

/** A shuffle after which the order must be another: once in a while it is the same. */
export function shuffledApart(assertion: Assertion, unit: Unit, chance: Chance): Draw | undefined {
  if (assertion.compare !== '!=' || isSeeded(unit)) return undefined
  const roots = new Set(assertion.operands.flatMap(o => [...valuesIn(o, unit)]).flatMap(v => (v.is === 'name' ? [rootOf(v.path)] : [])))
  for (const call of unit.calls) {
    if (!SHUFFLES.test(call.name) || call.span.start > assertion.span.end) continue
    // A generator of the test's own may well be one with a seed.
    if (call.args.some(a =>
      (a.is === 'literal' && typeof a.value === 'number') || (a.is === 'name' && /rng|rand|gen|source|prng/i.test(a.path) && !chance.of(a))
    )) continue
    const index = unit.calls.indexOf(call)
    const holds = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'call' && x.call === index)
    const kept = unit.writes.some(w => roots.has(w.target) && holds(w.value))
    const changed = [call.receiver, ...call.args].some(v => v?.is === 'name' && roots.has(rootOf(v.path)))
    if (kept || changed || assertion.operands.some(holds)) return { unit: unit.id, span: call.span, call }
  }
  return undefined
}

const RANGES =
  /(Intn?|IntN|Int31n|Int63n|Int32N|Int64N|nextInt|randint|randrange|randbelow|random_range|gen_range|randomInt|number\.int|datatype\.number|lodash\.random|u16|u32|usize|RANDOM)$/
/** Lists of which a faker draws: a few thousand names at most. */
const SHORT_LISTS =
  /(firstName|lastName|first_name|last_name|colou?r\w*|animal\w*|city|country|word|jobTitle|department|FirstName|LastName)$/
const IDENTITY =
  /(^|[a-z_])(id|uid|gid|name|login|slug|code|address|addr|email|username|nickname|topic|bucket|queue|table|database|db|schema|namespace|suffix|tenant|subnet|token)s?$/i
const IDENTITY_CALL =
  /(set|with)_?(login|name|id|key|email|code|slug|nick_?name|user_?name|topic)$|[a-z](Name|Id|Login|Code|Slug|Address|Email)$|_(name|id|login|code|slug|address|addr|email)$/i

/** How many values a draw has to choose from, where that can be told. */
function choices(call: Call, unit: Unit, view: View): number | undefined {
  if (/^\$?S?RANDOM$/.test(call.name)) return 32_768
  if (SHORT_LISTS.test(call.name)) return 1000
  if (!RANGES.test(call.name)) return undefined
  // A count that has a name is one of things that are there already: one of them is chosen.
  const values = [...call.args, ...Object.values(call.named)].flatMap(a => [...valuesIn(a, unit)])
  if (values.some(v => v.is === 'name' && typeof fold(v, unit, view.folding) === 'number')) return undefined
  const given = values.map(v => fold(v, unit, view.folding)).filter((n): n is number => typeof n === 'number')
  return given.length > 0 ? Math.max(...given) - (given.length > 1 ? Math.min(...given) : 0) : undefined
}

const MAKES =
  /(^|[._:/])(create|register|insert|persist|save|add|declare|mk|new|with|set)(_|[A-Z]|$)|(Create|Register|Insert|Persist|Save|Add)$/
const MEANT = /random|unique|new|other|test|tmp|temp|fake|rand/i

/** Beside a count that goes up no two names are the same. */
const COUNTER = /^(i|j|k|n|idx|index|count\w*|seq\w*)$/

/** Drawn for the text of a name alone: `let num = random(); let name = format!("pipe-{num}")`. */
function isInName(index: number, unit: Unit): boolean {
  const holds = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'call' && x.call === index)
  const kept = unit.writes.find(w => holds(w.value))?.target
  const isIt = (v: Value) => holds(v) || (v.is === 'name' && v.path === kept)
  const users = unit.writes.filter(w => w.target !== kept && [...valuesIn(w.value, unit)].some(isIt))
  return users.length > 0 && users.every(w => w.value.is === 'text' && IDENTITY.test(w.target))
    && !unit.calls.some(c => [...c.args, ...Object.values(c.named)].some(isIt))
    && !unit.returns.some(r => [...valuesIn(r, unit)].some(isIt))
}

/** Whether a new thing is called by what is drawn: kept or given as its name, put into the text of one. */
function namesSomething(index: number, unit: Unit): boolean {
  const holds = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'call' && x.call === index)
  const inText = (v: Value) =>
    [...valuesIn(v, unit)].some(x =>
      x.is === 'text' && x.parts.length > 1 && x.parts.some(p => p.is === 'literal' && /[a-z]/i.test(String(p.value)))
      && x.parts.some(holds) && !x.parts.some(p => p.is === 'name' && COUNTER.test(p.path))
    )
  const kept = new Set(unit.writes.filter(w => holds(w.value) && (IDENTITY.test(w.target) || inText(w.value))).map(w => w.target))
  if ([...kept].some(name => IDENTITY.test(name) && MEANT.test(name))) return true
  const given = (v: Value) => inText(v) || [...valuesIn(v, unit)].some(x => x.is === 'name' && kept.has(x.path))
  if (unit.calls.some(c =>
    (MAKES.test(c.name) && c.args.some(given)) || (IDENTITY_CALL.test(c.name) && /(^|[._:])(set|with)/.test(c.name) && c.args.some(holds))
  )) return true
  // A helper that makes a name, or a thing with one, is called to have another each time.
  return unit.role.is === 'helper'
    && (unit.returns.some(r => inText(r) || given(r) || (IDENTITY_CALL.test(unit.name) && holds(r)))
      || unit.calls.some(c => Object.entries(c.named).some(([k, v]) => IDENTITY.test(k) && holds(v)))
      || (unit.returns.length === 0 && /^(some|a|an|make|new|build|random|create)_?[A-Z_]/.test(unit.name)))
}

/** `random_code(3)` in a loop: a helper of the file draws so many letters, and three are not enough. */
function shortText(call: Call, unit: Unit, view: View): number | undefined {
  const length = call.args.length === 1 ? fold(call.args[0], unit, view.folding) : undefined
  const named = /(rand|unique|gen)\w*(string|code|suffix|id|name|hex|token|slug|key)$/i.test(call.name)
  return named && typeof length === 'number' && length > 0 && length <= 3 && call.target !== undefined
      && drawIn(view.facts.units[call.target]!, view.facts, call)
    ? 62 ** length
    : undefined
}

/** Names drawn again and again out of few: sooner or later two are the same. */
export function* fewNames(view: View): Generator<{ draw: Draw; choices: number }> {
  const { facts } = view
  const loops = (u: Unit, region: number) => [...around(u, region)].some(r => r.kind === 'loop' && !r.leaves)
  for (const unit of facts.units) {
    if (isSeeded(unit) || unit.role.is === 'module' || unit.role.is === 'suite') continue
    const asked = unit.role.is === 'helper' ? callsOf(facts, unit) : []
    const callers = asked.filter(a => a.by !== unit)
    const asserts = unit.role.is === 'helper' ? asked.some(a => a.by.assertions.length > 0) : unit.role.is === 'test'
    if (!asserts) continue
    for (const [index, call] of unit.calls.entries()) {
      const short = loops(unit, call.in) ? shortText(call, unit, view) : undefined
      if (short) yield { draw: { unit: unit.id, span: call.span, call }, choices: short }
      const from = call.receiver?.is === 'call' ? unit.calls[call.receiver.call] : undefined
      const n = drawsBy(call) || (from && drawsBy(from)) ? choices(call, unit, view) : undefined
      if (n === undefined || n < 2 || n > 100_000 || !namesSomething(index, unit)) continue
      const often = loops(unit, call.in) || callers.some(a => loops(a.by, a.call.in))
      const again = new Set(callers.map(a => a.by)).size < callers.length || unit.calls.filter(c => c.name === call.name).length > 2
      if (often || (again && n <= 32_768)) yield { draw: { unit: unit.id, span: call.span, call }, choices: n }
    }
  }
}

const STATEMENT = /\b(?:INSERT|SELECT|UPDATE)\b[^]*(?:\brandom\(\)::|\bORDER BY (?:RANDOM|RAND|NEWID)\(\))/i
export const drawsInStatement = (call: Call): boolean =>
  call.args.some(a => a.is === 'literal' && typeof a.value === 'string' && STATEMENT.test(a.value))

/** A draw that is looked for in what the code gave back is a mark, not an expectation. */
export const isNonce = (unit: Unit, assertion: Assertion, sides: readonly (readonly Origin[])[], flows: Flows): boolean =>
  assertion.operands.some((o, i) => sides[i]!.length === 0 && flows.ingredients(unit, o, assertion.span.start).unknown.length > 0)

/** The draw of a text that is made of the clock and of chance. A line of a log or a request holds more than these two. */
export function tokenOf(unit: Unit, flows: Flows, isDrawn: (o: Origin) => boolean): Origin | undefined {
  for (const value of [...unit.returns, ...unit.writes.map(w => w.value)]) {
    if (value.is !== 'text' || value.parts.filter(p => p.is !== 'literal').length > 3) continue
    const { origins } = flows.ingredients(unit, value, unit.span.end)
    const drawn = origins.find(o =>
      o.kind === 'random' && o.unit === unit.id && isDrawn(o) && !effectOf(unit.calls[o.call]!, 'random')!.through
    )
    if (drawn && origins.some(o => o.kind === 'clock')) return drawn
  }
  return undefined
}

const NUMERIC = /^(numpy\.random|networkx|scipy\.stats|torch|tensorflow\.random)\.|^java\.util\.concurrent\.ThreadLocalRandom\./

const isToldIn = (unit: Unit, told: ReadonlySet<number>): boolean => [...told].some(s => s >= unit.span.start && s < unit.span.end)

/**
 * Arrays and graphs that are drawn anew in each run, where nothing of the unit is told: whatever the test expects of them, it has not seen
 * these.
 */
export const drawnArrays = (unit: Unit, told: ReadonlySet<number>): Call[] =>
  isToldIn(unit, told) ? [] : unit.calls.filter(c => has(c, 'random') && NUMERIC.test(c.name) && !has(c, 'unique-id')).slice(0, 1)

/** Generators that start from the system, by their making; and draws that the same function seeds only afterwards. */
const GENERATORS =
  /^java\.util\.(Random|SplittableRandom)\.new$|(^|\.)(random\.Random|default_rng|RandomState)$|::(from_entropy|from_os_rng)$/
export const unseededSources = (unit: Unit, told: ReadonlySet<number>, seeded: (call: Call) => boolean): Call[] =>
  isToldIn(unit, told)
    ? []
    : unit.calls.filter(c =>
      (GENERATORS.test(c.name) && c.args.length === 0 && Object.keys(c.named).length === 0
        && !unit.writes.some(w => /seed/i.test(w.target) && w.span.start <= c.span.start && w.span.end >= c.span.end))
      || (!seeded(c)
        && ((drawsBy(c) && /(^|\.)[sS]huffle$/.test(c.name) && !seedsFor(c, [unit])) || isSeededLate(c, unit) || decidesByChance(c, unit)))
    ).slice(0, 1)

const isSeededLate = (call: Call, unit: Unit): boolean =>
  drawsBy(call)
  && FAMILIES.some(f =>
    f.test(call.name) && unit.calls.some(c => has(c, 'seed') && f.test(c.name) && c.span.start > call.span.end)
    && !unit.calls.some(c => has(c, 'seed') && f.test(c.name) && c.span.start < call.span.start)
  )

/** `if random.random() > 0.5` */
const decidesByChance = (call: Call, unit: Unit): boolean =>
  drawsBy(call)
  && unit.regions.some(r =>
    r.kind === 'if' && r.condition !== undefined
    && [...valuesIn(r.condition, unit)].some(v => v.is === 'call' && unit.calls[v.call] === call)
  )

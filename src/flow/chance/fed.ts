// Draws that the code under test is fed with: the test expects the same of every one of them, and one in a thousand is another case.

import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import type { Folding } from '../../facts/fold.ts'
import { curedOutside, has, inForce, isProperty, isTestCode, marked, valuesIn } from '../../facts/query.ts'
import { chanceIn, FILLS, seedsFor, type Draw } from './draws.ts'
import { snake } from '../flow.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly textOf: (span: Span) => string
}

export interface Fed {
  readonly draw: Draw
  readonly unit: Unit
  /** None where it stands at the top of the file, for all of its tests. */
  readonly assertion?: Assertion
}

/** Names, places and texts are drawn to be other ones; fakes of people are too. */
const APART =
  /faker|fakeit|casual|chance|instancio|random-words|names-generator|RandomString|Read$|urandom$|[bB]ytes$|[sS]tring$|Text$|token|alphanumeric|char$|secrets\.|RANDOM|Values$|SystemRandom|SecureRandom|OsRng|maphash|crypto/
/** Long words may end another (`username`); short ones stand alone (`ms`, not `items`). */
const LABELS =
  /(name|login|slug|address|host|email|topic|bucket|queue|table|database|schema|namespace|suffix|prefix|tenant|token|folder|nonce|password|secret|label|title|version|message|string|letter|colou?r|payload|content|filler|garbage)s?\d*$|(delay|sleep|timeout|interval|jitter)s?(_?(ms|s|secs?|seconds|millis|nanos))?\d*$|(^|[_.])(id|uid|code|addr|db|key|port|path|dir|file|seed|salt|url|ip|tag|msg|text|str|char|wait|ms|body)s?\d*$/i
const SCALARS = /^(math\/rand|Math\.random|rand::|java\.)/
/** What a test asks that no number changes. */
const KEPT =
  /^(len|length|size|shape|ndim|dtype|dtypes|columns|index|isinstance|type|issubclass|hasattr|callable|keys|device|requires_grad|__name__|names|chunks|nbytes|typeof|getClass|err|error|ok|status|status_code|statusCode|code|count|rows|num_rows)$/

const ASKS_FORM = /\.(shape|ndim|dtypes?|size|columns|chunks)\b/

const lastWord = (name: string): string => /(\w+)\W*$/.exec(name)?.[1] ?? name

export function* fedDraws(view: View): Generator<Fed> {
  const { facts } = view
  if (curedOutside(facts, 'seed')) return
  const told = new Set<Call>()
  for (const unit of facts.units) {
    if (!isTestCode(facts, unit) || isProperty(facts, unit) || marked(facts, unit, 'seeded')) continue
    const found = unit.role.is === 'module' || unit.role.is === 'suite'
      ? atTop(unit, view)
      : unit.assertions.length > 0
      ? inTest(unit, view)
      : undefined
    const listed = inCases(unit, view) ?? inEnvironment(unit, facts) ?? inShape(unit, view)
    if (listed) yield listed
    if (!found?.draw.call || told.has(found.draw.call)) continue
    told.add(found.draw.call)
    yield found
  }
}

/** Cases that a decorator lists are drawn when the file is read, and known only as text. */
const CASES =
  /\b(np|numpy)\.random\.(?!seed|RandomState\(\d|default_rng\(\d)\w+\(|\brandom\.(random|randint|randrange|choice|uniform|sample|gauss)\(/

function inCases(unit: Unit, { facts, textOf }: View): Fed | undefined {
  const marker = unit.role.is === 'test' && unit.assertions.length > 0
    ? unit.markers.find(m => /parametrize$/.test(m.name) && (CASES.test(m.key ?? '') || makesByChance(m.key ?? '', facts, textOf)))
    : undefined
  const seeded = marker && facts.units[0]!.calls.some(c => has(c, 'seed') && /seed$/.test(c.name))
  return marker && !seeded ? { draw: { unit: unit.id, span: marker.span, call: undefined }, unit } : undefined
}

/** `parametrize('order', [random_order(5) for _ in range(10)])`: a helper of the file that draws makes the cases. */
const makesByChance = (cases: string, facts: FileFacts, textOf: View['textOf']): boolean =>
  facts.units.some(u =>
    u.role.is === 'helper' && u.returns.length > 0 && new RegExp(`(?<![.\\w])${u.name}\\(`).test(cases)
    && u.calls.some(c => has(c, 'random') && isPlain(c, u, textOf) && !seedsFor(c, [u]))
  )

/** `export PEERS=$((RANDOM % 7 + 5))`: the programs of a script go by a size that is another one in each run. */
function inEnvironment(unit: Unit, { language }: FileFacts): Fed | undefined {
  const write = language === 'bash'
    ? unit.writes.find(({ target, value }) =>
      /^export \w+$/.test(target) && !LABELS.test(snake(target)) && value.is === 'op'
      && [...valuesIn(value, unit)].some(v => v.is === 'call' && unit.calls[v.call]!.name === '$RANDOM')
    )
    : undefined
  return write && { draw: { unit: unit.id, span: write.span, call: undefined }, unit }
}

/** Of one test the first draw is told: a seed for it serves the others. */
function inTest(unit: Unit, view: View): Fed | undefined {
  const { facts } = view
  const chance = chanceIn(unit, view)
  for (const assertion of unit.assertions) {
    const sides = assertion.operands.map(o => chance.of(o))
    const draw = sides.find(d => d !== undefined)
    if (!draw?.call || !decides(assertion, unit, sides) || ASKS_FORM.test(view.textOf(assertion.span))
      || !isPlain(draw.call, facts.units[draw.unit]!, view.textOf)) continue
    const around = [unit, ...inForce(facts, unit), facts.units[draw.unit]!]
    if (!seedsFor(draw.call, around)) return { draw, unit, assertion }
  }
  return undefined
}

/** Who reads bytes as choices, and makes a thing of them whose very form they decide. */
const SHAPES = /(^|[.:])(Unstructured::new|arbitrary(_take_rest|_len)?|FuzzedDataProvider(\.new)?|NewConsumer|NewFromGoFuzz)$/

/** `Order::arbitrary(&mut Unstructured::new(&bytes))`: another kind of order in each run, and what a round trip does not keep comes up in some. */
function inShape(unit: Unit, view: View): Fed | undefined {
  const maker = unit.calls.find(c => SHAPES.test(c.name))
  const assertion = maker && unit.assertions.find(a => a.span.end > maker.span.end)
  if (!assertion) return undefined
  const chance = chanceIn(unit, view), draw = maker.args.map(a => chance.of(a)).find(d => d !== undefined)
  if (!draw?.call || seedsFor(draw.call, [unit, ...inForce(view.facts, unit), view.facts.units[draw.unit]!])) return undefined
  return { draw, unit, assertion }
}

/** A constant of the file or of a class, made once for tests that assert. */
function atTop(unit: Unit, { facts, textOf }: View): Fed | undefined {
  if (facts.kind === 'source' || !facts.units.some(u => u.role.is === 'test' && u.assertions.length > 0)) return undefined
  const call = unit.calls.find(c =>
    has(c, 'random') && !c.effects.some(e => e.through) && isPlain(c, unit, textOf) && unit.writes.some(w =>
      w.span.start <= c.span.start && w.span.end >= c.span.end
    ) && !seedsFor(c, [unit])
  )
  // A generator for all tests: one of those that assert must draw from it.
  const name = call && keptAs(unit, unit.calls.indexOf(call))
  const users = facts.units.map(u => ({ u, drawn: drawnFrom(u, name) })).filter(({ drawn }) => drawn.length > 0)
  if (users.length > 0 && !users.some(({ u, drawn }) => u.assertions.length > 0 && drawn.some(d => isPlain(d, u, textOf)))) return undefined
  return call && { draw: { unit: unit.id, span: call.span, call }, unit }
}

/** The name that a call's result is kept under, as it is. */
const keptAs = (unit: Unit, index: number): string | undefined =>
  unit.writes.find(w => w.value.is === 'call' && w.value.call === index)?.target

const DRAWS = /[.:](next\w*|gen\w*|random\w*|ints|doubles|longs|sample\w*|shuffle|choose\w*|fill\w*)$/
const drawnFrom = (unit: Unit, name: string | undefined): Call[] =>
  name === undefined
    ? []
    : unit.calls.filter(c => DRAWS.test(c.name) && c.receiver?.is === 'name' && c.receiver.path.replace(/^(this|self)\./, '') === name)

/** Every assertion asks for a form or for names alone, which no number changes. */
export const asksForm = (unit: Unit, textOf: View['textOf']): boolean =>
  unit.assertions.length > 0
  && unit.assertions.every(a =>
    ASKS_FORM.test(textOf(a.span)) || a.operands.some(o => {
      const word = wordOf(o, unit)
      return word !== undefined && (FORM.test(word) || NAMED_FORM.test(word))
    })
  )

const FORM = /^(len|length|size|shape|ndim|dtypes?|columns|isinstance|type|names|chunks)$/
const NAMED_FORM = /_(names?|shape|dtypes?|columns)$/

/** A draw whose number matters to what is tested: not one that fills, names or delays something. */
function isPlain(call: Call, unit: Unit, textOf: View['textOf']): boolean {
  if (has(call, 'unique-id', 'clock', 'free-port', 'temp-dir', 'seed') || APART.test(call.name) || FILLS.test(call.name)) return false
  // `Replicas: rand.Int31()`: any number will do for a field.
  if (SCALARS.test(call.name) && /\w:\s*$/.test(textOf({ start: Math.max(0, call.span.start - 24), end: call.span.start }))) return false
  const index = unit.calls.indexOf(call)
  // A generator is as harmless as what is drawn from it.
  const uses = drawnFrom(unit, keptAs(unit, index))
  if (uses.length > 0) return uses.some(u => isPlain(u, unit, textOf))
  const holds = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'call' && x.call === index)
  if (unit.writes.some(w =>
    holds(w.value)
    && (LABELS.test(snake(w.target.replace(/\[\]/g, ''))) || [...valuesIn(w.value, unit)].some(v => v.is === 'text' && v.parts.some(holds)))
  )) return false
  // Letters and bytes of a generator are drawn to fill something.
  if (unit.calls.some(c => c.receiver && FILLS.test(c.name) && holds(c.receiver))
    || unit.calls.some(c => Object.entries(c.named).some(([k, v]) => LABELS.test(snake(k)) && holds(v)))) return false
  return !unit.calls.some(c =>
    c !== call
    && (has(c, 'sleep', 'log', 'name-resource', 'bind-port')
      || /[sS]tring$|[cC]har|[nN]ame|chr$|join$|Key$|Tcp$|Itoa$|Sprint\w*$|Format\w*$|[pP]ort$|ID$|Id$/.test(c.name))
    && c.args.some(holds)
  )
}

const DELAY = /(delay|sleep|timeout|interval|jitter|pause)s?(_?(ms|s|secs?|seconds|millis|nanos))?\d*$/i

/** All that is drawn from a generator says how long to wait. */
export function onlyDelays(generator: Call, unit: Unit): boolean {
  const uses = drawnFrom(unit, keptAs(unit, unit.calls.indexOf(generator)))
  return uses.length > 0 && uses.every(use => {
    const index = unit.calls.indexOf(use), holds = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'call' && x.call === index)
    return unit.writes.some(w => DELAY.test(snake(w.target)) && holds(w.value))
      || unit.calls.some(c => (has(c, 'sleep') || /[.]sleep$/.test(c.name)) && c.args.some(holds))
  })
}

/** All that is drawn from a generator that a call seeds goes into names, pauses, ports and fillings. */
export function drawsForNone({ facts, textOf }: Pick<View, 'facts' | 'textOf'>, unit: Unit, seed: Call): boolean {
  const kept = unit.writes.find(w => w.span.start <= seed.span.start && w.span.end >= seed.span.end)?.target
  const uses = kept === undefined
    ? []
    : facts.units.flatMap(u =>
      [...drawnFrom(u, kept), ...u.calls.filter(c =>
        c.receiver?.is === 'name' && c.receiver.path === kept && /[.](Int\w*|Uint\w*|Float\w*|Perm|Shuffle|Read)$/.test(c.name)
      )].map(c => ({ u, c }))
    )
  return uses.length > 0 && !uses.some(({ u, c }) => isPlain(c, u, textOf))
}

/** The assertion hangs on what was drawn; where both sides do, only a margin can part them. */
function decides({ compare, operands }: Assertion, unit: Unit, sides: readonly (Draw | undefined)[]): boolean {
  if (/^(!=|throws|snapshot|other|matches)$/.test(compare) || (compare === 'truth' && operands[0]?.is === 'op' && operands[0].op === 'or'))
    return false
  const both = operands.length > 1 && sides.every(s => s !== undefined)
  if (both && /^[<>]=?$/.test(compare)) return true
  if (both && compare !== 'near') return false
  if (operands.some(o => (o.is === 'literal' && o.value === null) || (o.is === 'name' && /^(err|error|e|ok|nil|None)$/.test(o.path))))
    return false
  return !operands.some(o => wordOf(o, unit) !== undefined && (KEPT.test(wordOf(o, unit)!) || NAMED_FORM.test(wordOf(o, unit)!)))
}

/** What is asked of a value at last: `x.shape`, `len(x)`, `x.shape[0]`. */
function wordOf(value: Value, unit: Unit): string | undefined {
  if (value.is === 'name') return value.path.includes('.') ? lastWord(value.path) : value.path
  if (value.is === 'call') return lastWord(unit.calls[value.call]?.name ?? '')
  return value.is === 'op' && value.op === '[]' && value.of[0]
    ? wordOf(value.of[0], unit)
    : value.is === 'group' && value.of.length === 1
    ? wordOf(value.of[0]!, unit)
    : undefined
}

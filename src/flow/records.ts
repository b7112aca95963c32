// What stands inside of a record: of what a helper of the file gives back, of what a class of the file makes of itself, of
// fields that are set one by one. The flow itself follows a record as a whole; here each part keeps its name.

import type { Call, FileFacts, Span, Unit, Value } from '../facts/facts.ts'
import type { Flows, Origin } from './flow.ts'

type View = { readonly facts: FileFacts; readonly flows: Flows; readonly textOf: (span: Span) => string }

export interface Part {
  /** The field's name, where it is told. */
  readonly key: string | undefined
  readonly value: Value
  /** Where the part was put in, and up to where its names are to be read. */
  readonly unit: Unit
  readonly offset: number
}

const MAX_DEPTH = 3
const CONSTRUCTOR = /^(__init__|__post_init__|constructor|new)$/
const OWN = /^(self|this)\.\w+$/
const FACTORIES = /(^|\.)(field|ib|attrib|Field)$/

/** The parts of a value, where a helper or class of the file put them in. */
export function partsOf(view: View, unit: Unit, value: Value, offset: number, depth = 0): Part[] {
  if (depth > MAX_DEPTH) return []
  if (value.is === 'name') return value.path.includes('.') ? [] : keptParts(view, unit, value.path, offset, depth)
  if (value.is === 'group') return value.of.map(v => pairOf(v, unit, offset) ?? { key: keyBefore(v, unit, view), value: v, unit, offset })
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (!call) return []
  const helper = call.target === undefined ? undefined : view.facts.units[call.target]
  const made = helper?.returns.length
    ? helper.returns.flatMap(r => partsOf(view, helper, r, helper.span.end, depth + 1))
    : ofClass(view, call)
  const given = Object.entries(call.named)
  // What the caller gives stands in place of what the maker would have put in.
  const own = made.filter(p => !given.some(([key]) => key === p.key) && !hangsOnCaller(p, view.flows))
  return helper ? own : [...own, ...(MAKES.test(call.name) ? given.map(([key, v]) => ({ key, value: v, unit, offset })) : [])]
}

/** A literal of a struct, a constructor, a dictionary by its keys. */
const MAKES = /\{\}$|(^|[.:])[A-Z]\w*(\.new)?$|^dict$/

/** What a name was given, and the fields that were set on it. */
function keptParts(view: View, unit: Unit, path: string, offset: number, depth: number): Part[] {
  const own = unit.writes.findLast(w => w.target === path && w.span.end <= offset && !w.adds)
  if (!own) return []
  const set = unit.writes.filter(w => w.target.startsWith(`${path}.`) && w.span.start >= own.span.start && w.span.end <= offset)
    .map(w => ({ key: w.target.slice(path.length + 1), value: w.value, unit, offset: w.span.start }))
  return [...set, ...partsOf(view, unit, own.value, own.span.start, depth).filter(p => !set.some(s => s.key === p.key))]
}

function pairOf(value: Value, unit: Unit, offset: number): Part | undefined {
  const [key, held] = value.is === 'group' && value.of.length === 2 ? value.of : []
  return key?.is === 'literal' && typeof key.value === 'string' && held ? { key: key.value, value: held, unit, offset } : undefined
}

/** `id: Date.now()`: the key is read before the call. */
function keyBefore(value: Value, unit: Unit, { textOf }: View): string | undefined {
  const start = firstOf(value, unit)?.span.start
  return start === undefined
    ? undefined
    : /(?:^|[^\w$.])([\w$]+)['"]?\s*:\s*(?:new\s+)?[`'"(]*(?:\$\{)?$/.exec(textOf({ start: Math.max(0, start - 60), end: start }))?.[1]
}

/** The call that a value begins with: the innermost receiver. */
function firstOf(value: Value, unit: Unit): Call | undefined {
  const inner = value.is === 'group' && value.of.length === 1
    ? value.of[0]!
    : value.is === 'text'
    ? value.parts.find(p => p.is === 'call')
    : value
  const call = inner?.is === 'call' ? unit.calls[inner.call] : undefined
  return call?.receiver?.is === 'call' ? firstOf(call.receiver, unit) : call
}

/** What a class of the file puts into each of its own: in its constructor, by a factory for a field, beside a field's name. */
function ofClass({ facts }: View, call: Call): Part[] {
  const name = /(\w+)(?:\.new|::new|\{\})?$/.exec(call.name)?.[1]
  const owner = call.resolution === 'import' || call.name.endsWith('{}')
    ? undefined
    : facts.units.find(u => u.role.is === 'suite' && u.name === name)
  if (!owner || facts.units.some(u => u.parent === owner.id && u.role.is === 'test')) return []
  const set = facts.units.filter(u => u.parent === owner.id && (CONSTRUCTOR.test(u.name) || u.name === name))
    .flatMap(u =>
      u.writes.flatMap(w => (OWN.test(w.target) || (facts.language === 'java' && !w.declares && /^\w+$/.test(w.target))
        ? [{ key: w.target.replace(/^\w+\./, ''), value: w.value, unit: u, offset: w.span.start }]
        : [])
      )
    )
  const fields = owner.writes.flatMap(w => {
    const factory = w.value.is === 'call' && FACTORIES.test(owner.calls[w.value.call]!.name) ? owner.calls[w.value.call]!.named : undefined
    const value = factory ? factory['default_factory'] ?? factory['factory'] : facts.language === 'python' ? undefined : w.value
    return value && /^\w+$/.test(w.target) ? [{ key: w.target, value, unit: owner, offset: owner.span.end }] : []
  })
  return [...set, ...fields]
}

/** `at = at or now()`: who calls may have said it. */
const hangsOnCaller = ({ value, unit, offset }: Part, flows: Flows): boolean =>
  flows.ingredients(unit, value, offset).unknown.some(n => unit.params.includes(n.split('.')[0]!))

/** What a part is made of. */
export const originsOf = ({ unit, value, offset }: Part, flows: Flows): readonly Origin[] => flows.ingredients(unit, value, offset).origins

/** The parts that a field of a record may mean: `order.at`, `order["at"]`, `order.getAt()`. */
export function fieldOf(view: View, unit: Unit, value: Value, offset: number): Part[] {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const [of, index] = value.is === 'op' && value.op === '[]' ? value.of : []
  const on = call?.receiver ?? undefined
  const asked = call && on && call.args.length === 0 ? /[.:](?:get)?(\w+)$/.exec(call.name)?.[1] : undefined
  const [root, key] = value.is === 'name' && value.path.includes('.')
    ? [value.path.slice(0, value.path.indexOf('.')), value.path.slice(value.path.indexOf('.') + 1)]
    : of?.is === 'name' && index?.is === 'literal'
    ? [of.path, String(index.value)]
    : asked && on?.is === 'name'
    ? [on.path, asked[0]!.toLowerCase() + asked.slice(1)]
    : []
  return root === undefined ? [] : partsOf(view, unit, { is: 'name', path: root }, offset).filter(p => p.key === key)
}

const SHOWS =
  /(^|[.:_])(to_?(json|dict|string|text|yaml|html|xml)|as_?dict|dict|json|dumps?|model_dump(_json)?|serialize\w*|render\w*|print\w*|pretty\w*|format\w*|show\w*|stringify|encode\w*|marshal\w*|repr|str|String|snapshot\w*)$/i

const READ_BACK = /[.:](Bytes|String|getvalue|getValue|toString|to_string)$/
const FILLS = /[.:](render|write_?to|execute|encode|print|format|marshal|dump|serialize)\w*$/i

/** Every part of what goes into a text or record as a whole; `through` where code that we do not see made it. */
export function* heldIn(view: View, unit: Unit, value: Value, offset: number, through = false,
  depth = 0): Generator<{ readonly part: Part; readonly through: boolean }>
{
  if (depth > 6) return
  const asField = fieldOf(view, unit, value, offset)
  const own = asField.length > 0 ? asField : partsOf(view, unit, value, offset)
  for (const part of own) yield { part, through }
  if (own.length > 0) return
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const inner = value.is === 'text' ? value.parts : value.is === 'group'
    ? value.of
    : call && SHOWS.test(call.name)
    ? [...(call.receiver ? [call.receiver] : []), ...call.args, ...Object.values(call.named)]
    : []
  for (const v of inner) yield* heldIn(view, unit, v, offset, through || (call !== undefined && call.resolution !== 'global'), depth + 1)
  // `page.Render(&buf)`, and then what the buffer holds.
  const buffer = value.is === 'name'
    ? value.path
    : call?.receiver?.is === 'name' && READ_BACK.test(call.name)
    ? call.receiver.path
    : undefined
  const isIt = (v: Value) => v.is === 'name' && v.path === buffer
  const filled = buffer === undefined
    ? []
    : unit.calls.filter(c => c.span.end <= offset && c !== call && FILLS.test(c.name) && c.args.some(isIt))
  for (const c of filled)
    for (const v of [...(c.receiver ? [c.receiver] : []), ...c.args.filter(a => !isIt(a))])
      yield* heldIn(view, unit, v, offset, true, depth + 1)
}

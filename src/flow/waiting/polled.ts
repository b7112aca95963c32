// What a poll runs again and again, and what of it adds up: how often it is done depends on the machine.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { around, has, valuesIn } from '../../facts/query.ts'
import { handedOver, isInside, names } from '../threads/background.ts'

/** A closure, or a function of the file, that is run until it is content. */
export interface Look {
  /** What runs it; none where a decorator does. */
  readonly poll: Call | undefined
  /** The unit in which it stands: the one that polls, or the named function that is handed over. */
  readonly body: Unit
  /** The region of `body` that is run; 0 for all of it. */
  readonly region: number
}

const RETRIES = /^(tenacity\.retry|backoff\.on_(exception|predicate)|retrying?\.retry|retry\.api\.retry)$/

/** Helpers of other files, by names that say nothing else. */
const POLLS = /(^|[.:])(wait_?(for|until)(_?(true|condition))?|(assert_?)?eventually|(poll|retry)_?until)$/i
const isPoll = (call: Call): boolean =>
  has(call, 'wait-until') || (call.resolution === 'import' && POLLS.test(call.name) && call.name !== 'asyncio.wait_for')

export function* looksOf(file: Pick<FileFacts, 'units' | 'kind'>, unit: Unit): Generator<Look> {
  if (unit.role.is === 'helper' && unit.markers.some(m => RETRIES.test(m.name))) yield { poll: undefined, body: unit, region: 0 }
  for (const [region, r] of unit.regions.entries()) {
    const poll = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call]! : undefined
    if (poll && isPoll(poll)) yield { poll, body: unit, region }
  }
  for (const poll of unit.calls) {
    if (!isPoll(poll)) continue
    for (const value of poll.args) {
      const body = value.is === 'name' ? handedOver(file, unit, value.path) : undefined
      if (body) yield { poll, body, region: 0 }
    }
  }
}

/** What another one is made of each time: a message, an order, a row. */
const SENDS =
  /(^|[.:])([pP]ost|PostForm|post_form|([sS]end|[pP]ublish|[pP]roduce|[eE]nqueue|[dD]ispatch|[iI]nsert)(?=$|[A-Z_])\w*|[sS]ave|[sS]ubmit|[cC]reate|push|rpush|lpush|emit|Emit|offer)$/
/** Of these, that end the turn themselves or only prepare something. */
const PREPARES =
  /sendKeys|send_keys|[.](DispatchQueue|dispatchFetch)|[bB]uilder?[.]|(^|[.:])(Object|Files|URI|Paths|List|Map|Set|Optional)[.]create$/

/** What the callback sends at each turn, and whether its end hangs on a number that goes up with every one. */
export function* sentIn(look: Look,
  textOf: (span: Span) => string): Generator<{ readonly span: Span; readonly name: string; readonly counted: boolean }>
{
  const { body, region } = look
  const own = body.calls.filter(c => isInside(body, c.in, region) && isSent(body, c) && !isUnderIf(body, c.in, region))
  for (const call of own) {
    const root = call.receiver?.is === 'name' ? call.receiver.path.split('.')[0]! : undefined
    // What each turn makes for itself begins anew with it.
    if (root !== undefined && isBornIn(look, root)) continue
    if (call.result === 'returned' || decides(look, call)) continue
    yield { span: call.span, name: textOf(call.nameSpan), counted: exactsOf(look).some(operands => !comesFrom(body, operands, call)) }
  }
  const sent = look.poll && textOf(body.regions[region]!.span)
  const through = sent && /\n[ \t]*([a-z]\w*) <- \S.*\n/.exec(sent)
  // A channel that is fed in a branch of a select is only tried.
  if (through && !isBornIn(look, through[1]!)
    && !body.regions.some((r, i) => r.kind !== 'body' && i !== region && isInside(body, i, region)))
  {
    const start = (region === 0 ? body.span : body.regions[region]!.span).start + through.index + through[0].search(/\S/)
    yield { span: { start, end: start + through[0].trim().length }, name: `${through[1]!} <-`, counted: exactsOf(look).length > 0 }
  }
}

const isSent = (unit: Unit, call: Call): boolean => {
  if (PREPARES.test(call.name) || isOnlyNamed(unit, call)
    || unit.writes.some(w => w.adds && w.span.start <= call.span.start && w.span.end >= call.span.end)) return false
  const method = call.named.method
  if (/(^|[.:])(fetch|request)$/.test(call.name)) return method?.is === 'literal' && method.value === 'POST'
  // A queue is given a thing, a map a thing and its name.
  return SENDS.test(call.name) || (/[.]put$/.test(call.name) && call.args.length === 1 && Object.keys(call.named).length === 0)
}

/** `verify(mail, atLeast(3)).send(…)`: a stand-in is told which call is meant. */
const isOnlyNamed = (unit: Unit, { receiver }: Call): boolean =>
  receiver?.is === 'call' && /(^|[.])(verify|when|given|then|should)$/.test(unit.calls[receiver.call]!.name)

const isUnderIf = (unit: Unit, at: number, region: number): boolean => {
  for (const r of around(unit, at)) {
    if (r === unit.regions[region]) return false
    if (r.kind === 'if' || r.kind === 'else' || r.kind === 'catch' || r.kind === 'finally') return true
  }
  return false
}

/** Given its value in the callback, each time. */
export const isBornIn = ({ body, region }: Look, name: string): boolean =>
  (region === 0 && body.params.includes(name)) || body.writes.some(w => w.target === name && w.declares && isInside(body, w.in, region))

/** `Eventually(func() error { return c.Create(order) })`: the poll ends with the first that succeeds. */
function decides({ poll, body, region }: Look, call: Call): boolean {
  const given = region === 0 ? body.returns : poll?.args ?? []
  const asserted = body.assertions.filter(a => isInside(body, a.in, region))
  return given.some(v => comesFrom(body, [v], call)) || (asserted.length > 0 && asserted.every(a => comesFrom(body, a.operands, call)))
}

const comesFrom = (unit: Unit, values: readonly Value[], call: Call): boolean => {
  const index = unit.calls.indexOf(call)
  const of = (value: Value, depth: number): boolean =>
    [...valuesIn(value, unit)].some(v =>
      (v.is === 'call' && v.call === index)
      || (v.is === 'name' && depth < 3
        && unit.writes.some(w => w.target === v.path.split('.')[0] && w.value !== value && of(w.value, depth + 1)))
    )
  return values.some(v => of(v, 0))
}

/** What the callback must find equal before it is content: the operands of each such comparison with a small number or a list. */
function exactsOf({ poll, body, region }: Look): (readonly Value[])[] {
  // `expect.poll(…).toBe(1)` asserts around its callback.
  const isAround = ({ start, end }: Span): boolean => poll !== undefined && region !== 0 && start <= poll.span.start && end >= poll.span.end
  const asserted = body.assertions.filter(a => a.compare === '==' && (isInside(body, a.in, region) || isAround(a.span))).map(a =>
    a.operands
  )
  const given = region === 0 ? body.returns : poll?.args ?? []
  const asked = body.regions.flatMap((r,
    i) => (r.kind === 'if' && r.condition && i !== region && isInside(body, i, region) ? [r.condition] : [])
  )
  const compared = [...given, ...asked].flatMap(v => [...valuesIn(v, body)]).flatMap(
    v => (v.is === 'op' && /^[=!]==?$/.test(v.op) ? [v.of] : []),
  )
  return [...asserted, ...compared].filter(operands =>
    operands.some(o => isNumber(o) || (o.is === 'group' && o.of.length > 0 && o.of.every(p => p.is === 'literal')))
  )
}

const isNumber = (value: Value): boolean =>
  value.is === 'literal' && typeof value.value === 'number' && value.value > 0 && value.value < 100

export interface Growth {
  readonly span: Span
  readonly target: string
  readonly value: Value
  readonly in: number
}

const GROWS =
  /^java\.util\.(\w+\.)*\w*(List|Queue|Deque|Collection)\w*\.(add|addAll|addLast|offer)$|^\?\.(append|extend)$|Atomic(Integer|Long)\.(incrementAndGet|getAndIncrement|addAndGet)$/
const EMPTIES = /[.](clear|removeAll|reset|set|drainTo)$/
/** What is got so is not there the next time: then each turn adds only what is new. */
const CONSUMES =
  /(^|[.:_<])(poll|receive|recv|read|take|drain|next|pull|consume|pop|dequeue|fetch|get_nowait|shift|remove|flush|scan)(?=$|[A-Z_])|<-/i

/** What the callback adds to something that was there before it: through `+=` and the like, or a method of a collection. */
export function* grownIn({ body, region }: Look): Generator<Growth> {
  for (const write of body.writes) if (write.adds && isInside(body, write.in, region)) yield write
  for (const { name, receiver, result, args, span, in: at } of body.calls) {
    if (!GROWS.test(name) || receiver?.is !== 'name' || result !== 'discarded' || !isInside(body, at, region)) continue
    if (body.calls.some(c =>
      EMPTIES.test(c.name) && isInside(body, c.in, region) && c.receiver?.is === 'name' && c.receiver.path === receiver.path
    )) continue
    yield { span, target: receiver.path, value: { is: 'group', of: args }, in: at }
  }
}

/** Each turn adds what it has taken out: in the end that is all there was, however many turns there were. */
export const isDrained = ({ body }: Look, { value }: Growth): boolean => callsBehind(body, value, 0).some(c => CONSUMES.test(c.name))

/** The callback itself compares what it has collected so far, and each turn collects all of it again. */
export function isComparedInside(look: Look, grown: Growth): boolean {
  const { body, region } = look
  if (isUnderIf(body, grown.in, region)) return false
  const got = callsBehind(body, grown.value, 0)
  return got.length > 0 && !got.some(c => CONSUMES.test(c.name))
    && (exactsOf(look).some(operands => operands.some(o => names(body, o, grown.target)))
      || body.assertions.some(a =>
        a.compare === '==' && isInside(body, a.in, region) && a.operands.length > 1
        && a.operands.some(o => o.is === 'name' && o.path === grown.target)
      ))
}

function callsBehind(unit: Unit, value: Value, depth: number): Call[] {
  return [...valuesIn(value, unit)].flatMap(v => {
    if (v.is === 'call') return [unit.calls[v.call]!]
    return v.is === 'name' && depth < 3
      ? unit.writes.filter(w => w.target === v.path && !w.adds).flatMap(w => callsBehind(unit, w.value, depth + 1))
      : []
  })
}

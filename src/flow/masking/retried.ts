// What a test does again when it has failed: its own steps in a loop that catches the failure and leaves with the first success. To look
// again until something holds is waiting, and no retry: nothing is done anew there.

import type { Call, FileFacts, Region, Span, Unit, Value } from '../../facts/facts.ts'
import { closureOf, has, looksLikePoll, runsIn, valuesIn, within, isInSpan } from '../../facts/query.ts'
import { isInside } from '../threads/background.ts'

export interface Retried {
  readonly span: Span
  /** Nothing pauses between the tries: nobody waits for anything. */
  readonly sure: boolean
  /** What does it, where that has a name. */
  readonly by?: string
}

type File = Pick<FileFacts, 'units' | 'kind' | 'language'>
type TextOf = (span: Span) => string

/** What catches a failed assertion. In Java an `Exception` does not. */
const CATCHES: Readonly<Partial<Record<FileFacts['language'], RegExp>>> = {
  python: /(^|\.)(AssertionError|Exception|BaseException|failureException)$/,
  java: /(^|\.)(AssertionError|AssertionFailedError|ComparisonFailure|Throwable|Error)$/,
  typescript: /./,
}
/** Done again, it is done twice. */
const ACTS =
  /(^|[.:_])(create|add|put|post|send|publish|produce|write|insert|update|delete|save|submit|push|start|register|upload|enqueue|click|fill|press|deploy|migrate)(?=$|[A-Z_\d])\w*$/i
/** Where nothing pauses, these are steps, too: who waits for a line to be there pauses. */
const BEGINS =
  /(^|[.:_])(connect|open|launch|render|mount|run|execute|perform|login|sign_?in|process|compute|setup|set_?up)(?=$|[A-Z_\d])\w*$/i
/** Makes something anew, to begin with. */
const MAKES =
  /(^|[.:])[A-Z]\w*(\.new|::(new|default|start|spawn)\w*)?$|(^|[.:])(New[A-Z]?|new_|make_?|build_?|create_?|setup_?|set_up_?)\w*$/
/** Of these, that only carry a value or a line. */
const CARRIES = new RegExp(
  String
    .raw`(URI?L?|Request|Message|Duration|Exception|Error|Date|Time|File|Path|Socket|String|Builder|Buffer|List|Map|Set|Array|Regex|RegExp
  |Promise|Optional|Reader|Writer|Stream|Command|Integer|Object)(\.new|::\w+)?$`.replace(/\s+/g, ''),
)
/** Closes, prints, looks anew: what a poll may do, too. */
const IDLE = new RegExp(
  String
    .raw`(^|[.:_])(close|quit|stop|shutdown|kill|terminate|clear|reset|refresh|reload|expire_all|rollback|print\w*|log|info|debug|warn|flush|gc
  |await\w*|wait\w*|sleep|poll|assert\w*|expect\w*|verify|check\w*|ensure\w*|fail\w*|get\w*|is[A-Z_]\w*|has[A-Z_]\w*|read\w*|find\w*|query\w*|list\w*|fetch\w*
  |goto|navigate|visit|next|invoke)$`.replace(/\s+/g, ''),
  'i',
)
const TRIES = /attempt|retr(y|ies)|tries|\btry/i

/** Loops with a `try` in which something is done and claimed, and a `catch` that lets it be tried again. */
export function* retriedIn(file: File, unit: Unit, textOf: TextOf): Generator<Retried> {
  for (const [at, loop] of unit.regions.entries()) {
    if (loop.kind !== 'loop' || runsIn(unit, at) !== 'inline' || isTimed(unit, loop)) continue
    const tried = unit.regions.findIndex((r, i) =>
      r.kind === 'try' && nearestLoop(unit, i) === at && unit.assertions.some(a => isInside(unit, a.in, i))
      && isCaught(file, unit, r, textOf)
    )
    const doing = tried < 0 ? caughtPanic(unit, at) : tried
    if (doing === undefined || !endsWell(unit, at, textOf) || runsOver(unit, loop, doing, textOf)) continue
    const sure = !pauses(unit, loop)
    if (does(unit, doing, sure)) yield { span: firstLine(loop.span, textOf), sure }
  }
  yield* decorated(file, unit, textOf)
  yield* handedOn(file, unit, textOf)
  if (unit.role.is === 'test') yield* scenarios(file, unit, textOf)
}

/** Decorators that try a function again, on a test. One that pauses around what only looks waits in its way. */
const DECORATES = /(^|[._])(retry|retries|retrying|rerun)(_\w+)?$|^backoff\.on_(exception|predicate)$/i

function* decorated(file: File, unit: Unit, textOf: TextOf): Generator<Retried> {
  if (unit.role.is !== 'test') return
  for (const { is, name, key, span } of unit.markers)
    if (is === 'other' && (DECORATES.test(name) || runsAgain(file, name, textOf)))
      yield { span, by: name, sure: does(unit, 0, !/delay|wait|interval|backoff/.test(`${name} ${key ?? ''}`)) }
}

/** A decorator of the file whose wrapper calls what it was given in a loop, until no assertion of it fails. */
function runsAgain(file: File, name: string, textOf: TextOf): boolean {
  const decorator = file.units.find(u => u.role.is === 'helper' && u.name === name && u.parent === 0)
  return decorator !== undefined
    && file.units.some(u =>
      isInSpan(u.span, decorator.span) && u !== decorator && u.regions.some((loop, at) => {
        const given = new Set(
          file.units.filter(o => o !== u && isInSpan(u.span, o.span) && isInSpan(o.span, decorator.span)).flatMap(o => o.params),
        )
        return loop.kind === 'loop' && !isTimed(u, loop) && endsWell(u, at, textOf) && u.regions.some((r, i) =>
          r.kind === 'try' && nearestLoop(u, i) === at && isCaught(file, u, r, textOf)
          && u.calls.some(c => given.has(c.name) && isInside(u, c.in, i))
        )
      })
    )
}

const firstLine = (span: Span, textOf: TextOf): Span => ({ start: span.start,
  end: span.start + textOf(span).split('\n')[0]!.trimEnd().length })

function nearestLoop(unit: Unit, region: number): number | undefined {
  for (let at = unit.regions[region]!.in; at !== 0; at = unit.regions[at]!.in) {
    const { kind } = unit.regions[at]!
    if (kind === 'loop') return at
    if (kind !== 'with') return undefined
  }
  return undefined
}

/** A deadline makes it a wait. */
function isTimed(unit: Unit, { span, condition }: Region): boolean {
  if (unit.calls.some(c => has(c, 'clock', 'mono', 'elapsed') && isInSpan(c.span, span))) return true
  const asked = condition === undefined ? [] : [...valuesIn(condition, unit)]
  return asked.some(v =>
    (v.is === 'name' && /deadline|time|until|end/i.test(v.path))
    || (v.is === 'call' && /now|time|elapsed|before/i.test(unit.calls[v.call]!.name))
  )
}

const pauses = (unit: Unit, loop: Region): boolean =>
  unit.calls.some(c =>
    isInSpan(c.span, loop.span)
    && (has(c, 'sleep', 'sync-timed', 'wait-until') || looksLikePoll(c) || /sleep|pause|delay|backoff|wait/i.test(c.name))
  )

/** The catch takes what an assertion throws, and does not end the loop whatever happens. */
function isCaught({ language }: File, unit: Unit, tried: Region, textOf: TextOf): boolean {
  const next = unit.regions.filter(r => r.kind === 'try' && r.in === tried.in && r.span.start >= tried.span.end).map(r => r.span.start)
  const handler = unit.regions.find(r =>
    r.kind === 'catch' && r.in === tried.in && r.span.start >= tried.span.end && !next.some(n => n < r.span.start)
    && (r.catches?.length ? r.catches.some(c => CATCHES[language]?.test(c)) : language !== 'java')
  )
  return handler !== undefined && CATCHES[language] !== undefined
    && !leavesIn(unit, handler, /\b(raise|throw|return|break|fail|skip\w*)\b/g, textOf)
}

/** A word of leaving that stands under no condition of its own. */
function leavesIn(unit: Unit, region: Region, word: RegExp, textOf: TextOf): boolean {
  const at = unit.regions.indexOf(region)
  const nested = unit.regions.filter((r, i) =>
    (r.kind === 'if' || r.kind === 'else' || r.kind === 'loop' || r.kind === 'closure') && i !== at && isInside(unit, i, at)
  )
  return [...textOf(region.span).matchAll(word)].some(m =>
    !nested.some(r => isInSpan({ start: region.span.start + m.index, end: region.span.start + m.index }, r.span))
  )
}

/** What comes well ends the loop: by a word outside of the catch, or by a flag that its header asks for. */
function endsWell(unit: Unit, at: number, textOf: TextOf): boolean {
  const loop = unit.regions[at]!
  const caught = unit.regions.filter((r, i) => r.kind === 'catch' && isInside(unit, i, at))
  const words = [...textOf(loop.span).matchAll(/\b(break|return)\b/g)].map(m => loop.span.start + m.index)
  if (loop.leaves && words.some(start => !caught.some(r => isInSpan({ start, end: start }, r.span)))) return true
  const asked = loop.condition ? [...valuesIn(loop.condition, unit)].flatMap(v => (v.is === 'name' ? [v.path] : [])) : []
  return unit.writes.some(w =>
    asked.includes(w.target) && !w.adds && w.value.is === 'literal' && typeof w.value.value === 'boolean' && isInside(unit, w.in, at)
  )
}

/** A loop over different things tries each of them once. */
function runsOver(unit: Unit, loop: Region, doing: number, textOf: TextOf): boolean {
  const header = firstLine(loop.span, textOf)
  const over = unit.writes.find(w => w.span.start >= loop.span.start && w.span.end <= header.end && !w.adds)?.target
  if (over === undefined || TRIES.test(over)) return false
  const named = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path.split('.')[0] === over)
  return unit.calls.some(c => isInside(unit, c.in, doing) && [...(c.receiver ? [c.receiver] : []), ...c.args].some(named))
}

/** Rust's `catch_unwind(|| …)` around what is claimed. */
function caughtPanic(unit: Unit, at: number): number | undefined {
  const caught = (r: Region) =>
    r.kind === 'closure' && r.call !== undefined && /(^|::)(catch_unwind|AssertUnwindSafe)$/.test(unit.calls[r.call]!.name)
  const found = unit.regions.findIndex((r, i) =>
    caught(r) && nearestLoop(unit, i) === at && unit.assertions.some(a => isInside(unit, a.in, i))
  )
  return found < 0 ? undefined : found
}

/** Something is done anew, not only looked at. Where the loop pauses, only what cannot be part of a look counts. */
function does(unit: Unit, region: number, sure: boolean): boolean {
  const own = unit.calls.filter(c =>
    isInside(unit, c.in, region) && !has(c, 'log', 'sleep', 'wait-until', 'clock') && !unit.assertions.some(a => isInSpan(c.span, a.span))
  )
  if (own.some(c => ACTS.test(c.name))) return true
  if (!sure) return false
  return own.some(c =>
    (makes(c) && isKept(unit, c, region)) || BEGINS.test(c.name)
    || (c.result === 'discarded' && c.resolution !== 'global' && !IDLE.test(c.name))
  )
}

const makes = (call: Call): boolean => MAKES.test(call.name) && !CARRIES.test(call.name)
const isKept = (unit: Unit, call: Call, region: number): boolean =>
  unit.writes.some(w => isInside(unit, w.in, region) && w.value.is === 'call' && unit.calls[w.value.call] === call)

/** Around a test, not around a question. */
const AGAIN =
  /(^|[.:_])(with_?)?(retr(y|ies|ying)|re_?run|flak(y|e))(_?(test|scenario|flaky?|case|spec|on_?(fail(ure)?|flake|error)|(\d|n|few|multiple)?_?times))?$/i
const UNTIL = /until|eventually|wait|assert|expect/i

/** `retryTest(3, async () => { …expect… })`, by its name and, where the file holds it, by what it does. */
function* handedOn(file: File, unit: Unit, textOf: TextOf): Generator<Retried> {
  for (const call of unit.calls) {
    const closure = closureOf(unit, call)
    const name = /\w+$/.exec(call.name)?.[0] ?? ''
    if (closure < 0 || !AGAIN.test(name) || UNTIL.test(call.name) || !unit.assertions.some(a => isInside(unit, a.in, closure))) continue
    const helper = call.target === undefined ? undefined : file.units[call.target]!
    const loop = helper?.regions.find(r => r.kind === 'loop')
    if (helper && (!loop || isTimed(helper, loop))) continue
    // A plain `retry` may be a wait by another name.
    const isMeant = /test|flak|scenario/i.test(name) || helper?.calls.some(c => /(^|::)catch_unwind$/.test(c.name)) === true
    const sure = helper ? !pauses(helper, loop!) : !has(call, 'wait-until') && isMeant
    if (does(unit, closure, sure && isMeant)) yield { span: firstLine(call.span, textOf), sure }
  }
}

/** A function of the file goes through all of it, and the test calls it a few times until it says yes. */
function* scenarios(file: File, unit: Unit, textOf: TextOf): Generator<Retried> {
  for (const [at, loop] of unit.regions.entries()) {
    const header = firstLine(loop.span, textOf)
    if (loop.kind !== 'loop' || !loop.counted || loop.in !== 0 || isTimed(unit, loop) || pauses(unit, loop) || !TRIES.test(textOf(header)))
      continue
    const asked = unit.calls.find(c =>
      isInside(unit, c.in, at) && c.target !== undefined && c.result !== 'discarded' && actsAnew(file.units[c.target]!)
    )
    if (!asked || within(unit, asked.in, 'closure')) continue
    const kept = unit.writes.filter(w => w.in === at && isInSpan(asked.span, w.span)).map(w => w.target)
    const isAsked = kept.some(name => textOf(header).split(/\W+/).includes(name))
    if (isAsked || endsWell(unit, at, textOf)) yield { span: header, sure: true }
  }
}

/** It makes what it works on, works on it and tells how it went. */
function actsAnew(helper: Unit): boolean {
  const { role, calls } = helper
  if (role.is !== 'helper'
    || calls.some(c => has(c, 'sleep', 'wait-until', 'network', 'bind-port') || /sleep|wait|retry|dial|connect|listen/i.test(c.name)))
    return false
  return calls.some(c => makes(c) && isKept(helper, c, 0))
    && calls.some(c => c.result === 'discarded' && !IDLE.test(c.name) && !has(c, 'log'))
}

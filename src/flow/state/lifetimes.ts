// Things that a test opens and somebody must close.

import type { Assertion, Call, FileFacts, Region, Unit, Value } from '../../facts/facts.ts'
import { ancestors, around, effectOf, has, isFixture, runsIn, valuesIn, within } from '../../facts/query.ts'
import { keptIn, names } from '../threads/background.ts'
import { afterwards, inheritsUnseen, touches } from './leaks.ts'

const CLOSES =
  /(close|closed|stop|shutdown|terminate|kill|remove|rm|rmtree|remove_dir_all|unlink|clean_?up|dispose|wait|communicate|destroy|release|quit|teardown|disconnect|exit|after|finally|defer|use|enter_context|register|addfinalizer|finalizer|manage|track)\w*$/i

/** The variable by which a thing is known: where it is kept, or what it was asked of, as `cmd` in `cmd.Start()`. */
function keeperOf(unit: Unit, call: Call): string | undefined {
  if (effectOf(call, 'opens')?.arg !== -1) return isWrapped(unit, unit.calls.indexOf(call)) ? undefined : keptIn(unit, call)
  return call.receiver?.is === 'name' ? call.receiver.path : undefined
}

/** Whether what a call opened is closed, kept for others or handed to somebody who may close it. */
export function isClosed(file: Pick<FileFacts, 'units'>, unit: Unit, call: Call, textOf: (unit: Unit, from: number) => string): boolean {
  if (call.result === 'returned'
    || [...around(unit, call.in)].some(r =>
      r.kind === 'with' || (r.kind === 'closure' && r.call !== undefined && unit.calls[r.call]!.result === 'returned')
    )) return true
  const index = unit.calls.indexOf(call)
  if (unit.regions.some(r => r.kind === 'with' && (r.call === index || (call.span.start >= r.span.start && call.span.end <= r.span.end))))
    return true
  const keeper = keeperOf(unit, call)
  // Used in place, it may be anybody's; a chain that ends in a variable is followed from there.
  if (keeper === undefined) return true
  if (/[.[]/.test(keeper) || !unit.writes.some(w => w.target === keeper && w.declares)) return true
  if (unit.returns.some(v => names(unit, v, keeper))
    || unit.writes.some(w => w.target !== keeper && names(unit, w.value, keeper) && holdsWhole(w.value, keeper))) return true
  const closing = (u: Unit, c: Call) =>
    (CLOSES.test(c.name) || has(c, 'restore', 'closes'))
    && [...(c.receiver ? [c.receiver] : []), ...c.args, ...Object.values(c.named)].some(v => names(u, v, keeper))
  const nested = file.units.filter(u => u === unit || ancestors(file, u).includes(unit))
  if (nested.some(u => u.calls.some(c => closing(u, c)))) return true
  // Given whole to another function, or spelt in a way we do not read: `close(srv)`, `() => srv.close()`.
  const folder = effectOf(call, 'opens')?.what === 'folder'
  if (!folder && unit.calls.some(c => c !== call && isHandedWhole(c, keeper) && !/^(len|str|fmt\.|testing\.)/.test(c.name))) return true
  const word = keeper.replace(/\W/g, '')
  const ends =
    `\\w*(?:close|stop|shutdown|terminate|kill|clean|dispose|wait|join|Symbol)\\w*|end\\(|(?:on|once)\\(\\s*['"](?:exit|close|end)\\b`
  return new RegExp(`\\b${word}\\b[\\w.?!]*\\s*(?:\\?\\.|\\.|::|\\[)\\s*(?:${ends})`, 'i').test(textOf(unit, call.span.end))
}

/** `Guard(command.spawn()?)`: what is kept is somebody who was given it. One of several results is still itself. */
function isWrapped(unit: Unit, index: number): boolean {
  const { span } = unit.calls[index]!
  const kept = unit.writes.filter(w => w.span.start <= span.start && w.span.end >= span.end)
  if (kept.length === 1 && kept[0]!.value.is === 'group') return true
  if (unit.calls.some(c => [...c.args, ...Object.values(c.named)].some(v => v.is === 'call' && v.call === index))) return true
  const next = unit.calls.findIndex(c => c.receiver?.is === 'call' && c.receiver.call === index)
  return next > index && isWrapped(unit, next)
}

/** Who reads all that a child says waits for its end. */
const DRAINS =
  /read_?to_?(?:string|end)|readAll|\.read\(\)|IOUtils|\.lines\(\)|readLine|readlines\(|\bfor (?:await )?\(?[\w ,]+ (?:in|of) |\bScanner\b/
export const isDrained = (text: string): boolean => DRAINS.test(text)

/** Somebody else ends it: a context, a limit of time, the guard that holds it. */
export const endsByItself = (unit: Unit, call: Call, text: string): boolean =>
  unit.calls.some(c => /(^|[.:])(CommandContext|kill_on_drop)$/.test(c.name))
  || /\b(?:signal|timeout)\s*[:,}]|\bdaemon\s*=\s*True/.test(text) || 'daemon' in call.named

/** What ends a thing, or waits for its end. */
const ENDS = new RegExp('(^|[.:_])(close|stop|shut_?down|terminate|kill|destroy|dispose|quit|abort|cancel|interrupt|send_signal'
  + '|wait|join|communicate|exit|end|output|result|try_wait)(All|Now|Async|Sync|Forcibly|For|_\\w+)?$', 'i')
/** What only waits: the thing ends by itself, whether anybody waits or not. */
const WAITS = /(^|[.:_])(wait|waitFor|join|communicate|exit|end|output|result|try_wait|wait_\w+)$/i
const asks = (unit: Unit, c: Call, keeper: string): boolean =>
  [...(c.receiver ? [c.receiver] : []), ...c.args, ...Object.values(c.named)].some(v => names(unit, v, keeper))
/** `child.on('exit', …)`, `once(child, 'close')`. */
const hearsTheEnd = (c: Call): boolean =>
  /(^|\.)(on|once|addListener)$/.test(c.name)
  && c.args.some(a => a.is === 'literal' && /^(exit|close|end|disconnect)$/.test(String(a.value)))
const isHandedWhole = (c: Call, keeper: string): boolean => c.args.some(a => holdsWhole(a, keeper))
/** Whether it still lives: where that fails, there is nothing left to close. */
const LIVES = /(^|[.:_])(poll|is_?alive|is_?running|pid|listening|killed|exitCode)$/i

/** What ends it stands behind an assertion: a test that fails there does not come so far. */
export function endedLate(file: FileFacts, unit: Unit, call: Call): { readonly by: Call; readonly behind: Assertion } | undefined {
  const keeper = keeperOf(unit, call)
  if (keeper === undefined || /[.[]/.test(keeper) || !unit.writes.some(w => w.target === keeper && w.declares)) return undefined
  if ([...around(unit, call.in)].some(r => r.kind === 'with' || r.kind === 'loop' || r.kind === 'closure')
    || unit.returns.some(v => names(unit, v, keeper))) return undefined
  const later = unit.calls.filter(c => c.span.start >= call.span.end && asks(unit, c, keeper))
  const ends = later.filter(c => ENDS.test(c.name) || has(c, 'closes') || hearsTheEnd(c))
  const by = ends[0]
  if (!by || WAITS.test(by.name) || hearsTheEnd(by) || ends.some(c => within(unit, c.in, 'finally', 'catch', 'closure', 'with')))
    return undefined
  if (later.some(c => c.span.start < by.span.start && isHandedWhole(c, keeper))) return undefined
  if (file.units.some(u => u !== unit && ancestors(file, u).includes(unit) && u.calls.some(c => asks(u, c, keeper)))
    || afterwards(file, unit).some(c => touches(c, keeper))) return undefined
  const behind = unit.assertions.find(a =>
    a.span.start >= call.span.end && a.span.end <= by.span.start && runsIn(unit, a.in) === 'inline' && isFinal(file, unit, call, a, keeper)
  )
  return behind && { by, behind }
}

/** The test ends where it fails; in Go, only where it is told so. Whether the opening itself went well is another matter. */
function isFinal({ language }: FileFacts, unit: Unit, call: Call, { span, operands }: Assertion, keeper: string): boolean {
  const isLife = (v: Value) =>
    (v.is === 'call' && LIVES.test(unit.calls[v.call]!.name) && asks(unit, unit.calls[v.call]!, keeper))
    || (v.is === 'name' && LIVES.test(v.path) && names(unit, v, keeper))
  const ofOpening = (v: Value) => {
    const last = v.is === 'name' ? unit.writes.findLast(w => w.target === v.path && w.span.start < span.start) : undefined
    return last !== undefined && last.span.start <= call.span.start && last.span.end >= call.span.end
  }
  if (operands.some(v => isLife(v) || ofOpening(v))) return false
  const until = Math.max(span.end,
    ...unit.regions.filter(r => r.kind === 'if' && r.span.start >= span.end && r.span.start <= span.end + 2).map(r => r.span.end))
  return language !== 'go'
    || unit.calls.some(c => effectOf(c, 'exit')?.note === 'thread' && c.span.start >= span.start && c.span.start <= until)
}

/** What a hook opens before the tests and nothing in the file closes after them. */
export function leftByHook(file: FileFacts, unit: Unit, call: Call, text: string): boolean {
  if (isFixture(unit) || unit.returns.length > 0 || inheritsUnseen(file, unit) || within(unit, call.in, 'with', 'loop')
    || call.result === 'returned') return false
  const keeper = keeperOf(unit, call)
  if (keeper === undefined) return false
  const word = keeper.replace(/^.*[.>]/, '').replace(/\W/g, '')
  // Whoever is given it, or keeps it in yet another place, may close it.
  if (file.units.some(u => u.calls.some(c => c !== call && (isHandedWhole(c, keeper) || isHandedWhole(c, word)) && !has(c, 'log'))))
    return false
  if (file.units.some(u => u.writes.some(w => w.target !== keeper && (holdsWhole(w.value, keeper) || holdsWhole(w.value, word)))))
    return false
  const ends = 'close|stop|shutdown|terminate|kill|clean|dispose|destroy|wait|join|unref|quit|communicate|returncode|poll|exit|Symbol'
  return !new RegExp(`\\b${word}\\b\\)?\\s*[!?]*(?:\\.|->|::|\\[)\\s*[\\w.]*(?:${ends})\\w*`, 'i').test(text)
}

/** The same for a child in the background of a script. */
export function killedLate(file: FileFacts, unit: Unit, child: Region): { readonly by: Call; readonly behind: Assertion } | undefined {
  if (unit.role.is !== 'test' || unit.calls.some(c => c.name === 'trap')
    || file.units.some(u => u.role.is === 'hook' && u.role.when === 'after' && u.calls.some(isKill))) return undefined
  const by = unit.calls.find(c => c.span.start >= child.span.end && isKill(c))
  const ids = unit.writes.filter(w => w.value.is === 'name' && w.value.path === '!').map(w => w.target)
  if (by?.name !== 'kill'
    || !by.args.some(a => [...valuesIn(a, unit)].some(v => v.is === 'name' && (v.path === '!' || ids.includes(v.path))))) return undefined
  const command = (a: Assertion) => unit.calls.some(c => c.name === 'run' && c.span.start === a.span.start)
  const behind = unit.assertions.find(a =>
    a.span.start >= child.span.end && a.span.end <= by.span.start && runsIn(unit, a.in) === 'inline' && !command(a)
  )
  return behind && { by, behind }
}

/** What kills or waits, by itself or by the name of a helper; `kill -0` only asks. */
const isKill = (call: Call): boolean =>
  !(call.args[0]?.is === 'literal' && call.args[0].value === 0)
  && (/^(kill|pkill|killall|wait)$/.test(call.name) || /(^|[_\s-])(kill|stop|terminate|shutdown|clean\w*)(_|\s|-|$)/.test(call.name))

const holdsWhole = (value: Value, path: string): boolean =>
  value.is === 'name' ? value.path === path : value.is === 'group' ? value.of.some(v => holdsWhole(v, path)) : false

const FILE = /^(java\.io\.)?File(InputStream|OutputStream|Reader|Writer)\.new$/
/** What reads or writes it to its end and leaves the closing to whoever opened it. */
const CONSUMES =
  /(^|\.)(toString|readLines|toByteArray|readFully|load|copy|copyLarge|parse|store|read|write|writeLines|readValue|fromJson|toJson|unmarshal|marshal|digest|\w*Hex|IOUtils\.\w+)$/

/** `IOUtils.toString(new FileInputStream(file))`: nobody else knows the stream. */
export const consumed = (unit: Unit): Call | undefined =>
  unit.calls.find(c => CONSUMES.test(c.name) && c.args.some(a => a.is === 'call' && FILE.test(unit.calls[a.call]!.name)))

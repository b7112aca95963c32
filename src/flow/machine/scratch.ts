// Folders of the working directory that a test empties and fills: whoever is run beside it from the same place has them too.

import type { Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { ancestors, has, inForce, isTestCode, valuesIn } from '../../facts/query.ts'

interface Seen {
  readonly facts: FileFacts
  readonly folding: Folding
}

/** Removed or emptied with all that is in it. */
const EMPTIES =
  /(^|[./:])(rimraf(\.sync|Sync)?|remove(Sync)?|empty[dD]ir(Sync)?|ensureEmptyFolder|rmtree|deleteDirectory|cleanDirectory|deleteQuietly|forceDelete|del|deleteSync|deleteAsync)$/
const REMOVES = /(^|[./:])(rm|rmdir)(Sync)?$/
/** Only looked at, or taken away. */
const LOOKS = /exist|read|stat|access|expect|assert|glob|unlink|isDirectory|isFile|walk|listdir|\.to[A-Z]|join|resolve|normalize/i

const isEmptied = (call: Call): boolean =>
  call.receiver?.is !== 'call'
  && ((EMPTIES.test(call.name) && call.resolution === 'import')
    || (REMOVES.test(call.name) && call.named.recursive?.is === 'literal' && call.named.recursive.value === true))

/** Folders that a unit empties and that this file's tests fill, or hand to somebody who does. */
export function* scratchFolders(unit: Unit, view: Seen): Generator<{ readonly path: string; readonly call: Call }> {
  for (const call of unit.calls) {
    const path = isEmptied(call) ? fromHere(call.args[0], unit, view) : undefined
    if (!path || !/[A-Za-z]/.test(path) || path.includes('node_modules') || isOwn(path, view.facts.path) || hasMoved(unit, view)) continue
    if (view.facts.units.some(u => isTestCode(view.facts, u) && u.calls.some(c => fills(u, c, path, view)))) yield { path, call }
  }
}

function fills(unit: Unit, call: Call, path: string, view: Seen): boolean {
  if (isEmptied(call) || REMOVES.test(call.name) || LOOKS.test(call.name)) return false
  return [...call.args, ...Object.values(call.named)].flatMap(v => (v.is === 'call' ? [v] : [...valuesIn(v, unit)])).some(v => {
    const given = fromHere(v, unit, view)
    return given !== undefined && (given === path || given.startsWith(`${path}/`))
  })
}

/** The path from the working directory, where it is written down whole; what is kept under a name is followed. */
function fromHere(value: Value | undefined, unit: Unit, view: Seen, depth = 0): string | undefined {
  if (!value || depth > 6) return undefined
  const folded = fold(value, unit, view.folding)
  if (typeof folded === 'string') return relative(folded)
  const after = (first: Value | undefined, rest: readonly Value[]) => {
    const root = first && isHere(first, unit) ? '' : fromHere(first, unit, view, depth + 1)
    const more = rest.map(p => fold(p, unit, view.folding))
    return root !== undefined && more.every(p => typeof p === 'string')
      ? relative([root, ...more].join('/').replace(/^\/+/, ''))
      : undefined
  }
  if (value.is === 'text') return after(value.parts[0], value.parts.slice(1))
  if (value.is === 'op' && /^[+/]$/.test(value.op)) return after(value.of[0], value.of.slice(1))
  if (value.is === 'name') return ofName(value.path, unit, view, depth)
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  return call && /(^|[./])(join|resolve|File\.new|Path|Paths\.get|Path\.of)$/.test(call.name)
    ? after(call.args[0], call.args.slice(1))
    : undefined
}

const isHere = (value: Value, unit: Unit): boolean => value.is === 'call' && has(unit.calls[value.call]!, 'cwd-read')

function ofName(path: string, unit: Unit, view: Seen, depth: number): string | undefined {
  if (unit.params.includes(path)) return undefined
  for (const scope of [unit, ...ancestors(view.facts, unit)]) {
    const writes = scope.writes.filter(w => w.target === path)
    if (writes.length > 0) return writes.length === 1 ? fromHere(writes[0]!.value, scope, view, depth + 1) : undefined
  }
  return undefined
}

/** What is beside the test file, `__dirname`, belongs to it. */
const relative = (path: string): string | undefined =>
  /^(?!__)(\.{1,2}\/)*[\w-][\w.-]*(\/[\w.-]+)*\/*$/.test(path)
    ? path.replace(/^(\.\/)+/, '').replace(/\/+/g, '/').replace(/\/$/, '')
    : undefined

/** A name that only this file's tests would take. */
const isOwn = (path: string, file: string): boolean =>
  (file.slice(file.lastIndexOf('/') + 1).match(/[A-Z]?[a-z]{3,}/g) ?? [])
    .some(word => !/^(tests?|specs?)$/i.test(word) && path.toLowerCase().includes(word.toLowerCase()))

const hasMoved = (unit: Unit, { facts }: Seen): boolean =>
  [unit, ...inForce(facts, unit)].some(u => u.calls.some(c => has(c, 'cwd-write') || /chdir$|isolated_filesystem$/.test(c.name)))

// Waits for a time whose meaning is in what they are given or chained to: a timer of RxJS that is awaited, the shell's `sleep`, a step
// of a chain.

import { literal, type Call, type Value } from '../../facts/facts.ts'
import type { Result } from '../build.ts'
import type { Place } from './place.ts'

interface Told {
  readonly name: string
  readonly method: string
  readonly receiver: Value | null
  readonly args: readonly Value[]
  readonly named: Readonly<Record<string, Value>>
  readonly result: Result
}

/** For how long it waits, where it only waits. */
export const pauseOf = (told: Told, place: Place): Value | undefined => timerOf(told, place) ?? commandOf(told) ?? stepOf(told, place)

const callIn = (value: Value | null | undefined, { unit }: Place): Call | undefined =>
  value?.is === 'call' ? unit.calls[value.call] : undefined

/** `firstValueFrom(timer(50))`, `of(null).pipe(delay(50)).toPromise()`. */
function timerOf({ name, method, receiver, args }: Told, place: Place): Value | undefined {
  const source = callIn(/^rxjs\.(first|last)ValueFrom$/.test(name) ? args[0] : method === 'toPromise' ? receiver : undefined, place)
  if (source?.name === 'rxjs.timer') return source.args.length === 1 ? source.args[0] : undefined
  const of = source?.name === '?.pipe' && source.args.length === 1 ? callIn(source.receiver, place) : undefined
  const step = of?.name === 'rxjs.of' ? callIn(source!.args[0], place) : undefined
  return step && /^rxjs(\/operators)?\.delay$/.test(step.name) ? step.args[0] : undefined
}

const RUNS =
  /^(child_process\.(exec|execFile|spawn)Sync|shelljs\.exec|(execa\.)?execaSync|(execa\.)?execaCommandSync|cross-spawn\.sync|Bun\.spawnSync)$/

/** `execSync('sleep 2')`, `spawnSync('sleep', ['0.5'])`. Who looks at how it ended does not only wait. */
function commandOf({ name, args: [command, given], named, result }: Told): Value | undefined {
  if (result !== 'discarded' || !RUNS.test(name) || 'timeout' in named) return undefined
  const words = [command, ...(given?.is === 'group' ? given.of : [])].flatMap(
    v => (v?.is === 'literal'
      ? String(v.value).split(' ')
      : v?.is === 'group'
      ? v.of.flatMap(o => (o.is === 'literal' ? String(o.value) : []))
      : []),
  )
  const seconds = words[0] === 'sleep' ? /^(\d*\.?\d+)s?$/.exec(words[1] ?? '') : null
  return seconds ? literal(Number(seconds[1]) * 1000) : undefined
}

/** Whoever steers a browser; what else is told to wait or pause may do so by itself. */
const STEERS = /^(t|browser|client|driver|page|nightmare|user|app\.client)$/
const LEAST_MS = 5

/** `promise.then(…).delay(100).then(…)`, and what a browser is told to do step by step: `t.click(pay).wait(500)`. */
function stepOf({ name, method, receiver, args }: Told, place: Place): Value | undefined {
  const [ms] = args
  if (!name.startsWith('?.') || args.length !== 1 || !ms
    || (ms.is === 'literal' && !(typeof ms.value === 'number' && ms.value >= LEAST_MS))) return undefined
  const before = callIn(receiver, place)
  if (method === 'delay')
    return before
        && (/^\?\.(then|catch|finally|tap|return|spread)$/.test(before.name) || place.file.imports.some(i => i.name === 'bluebird'))
      ? ms
      : undefined
  if (!/^(wait|pause|sleep)$/.test(method) || ms.is !== 'literal') return undefined
  let at: Value | null | undefined = receiver
  for (let i = 0; at?.is === 'call' && i < 50; i++) {
    const call: Call = callIn(at, place)!
    if (/^([nN]ightmare|t|browser|driver|page)(\.|$)/.test(call.name) && call.receiver?.is !== 'call') return ms
    at = call.receiver
  }
  return before && at?.is === 'name' && STEERS.test(at.path) ? ms : undefined
}

// What projects call helpers of their own that only let time pass. Where the helper itself is not seen, its name says all: rows for
// the catalogs, spelt as each language spells names.

import type { Call, Unit, Value } from '../facts/facts.ts'
import { fold, type Folding } from '../facts/fold.ts'
import { closureOf } from '../facts/query.ts'
import type { CatalogRow } from './frontend.ts'

type Style = 'camel' | 'snake' | 'Pascal'

/** Told how long, in the unit of the language. */
const TOLD =
  `sleep sleepFor sleepQuietly sleepSafely sleepSilently sleepUninterruptibly sleepUnchecked sleepAsync asyncSleep safeSleep threadSleep doSleep trySleep sleepThread
  sleepSync syncSleep sleepInterruptibly sleepNoThrow sleepIgnoreInterrupt sleepAtLeast pause pauseFor pauseTest pauseThread delay delayFor asyncDelay delayAsync snooze nap napFor
  waitTime waitDuration waitSomeTime waitForTime waitForDuration`
const IN_MS =
  'msleep sleepMs sleepMillis sleepMilliseconds sleepForMs sleepForMillis pauseMs pauseMillis delayMs delayMillis waitMs waitMillis waitMilliseconds waitForMs waitForMillis waitForMilliseconds'
const IN_SECONDS =
  'sleepSeconds sleepSecs sleepSec sleepForSeconds sleepForSecs pauseSeconds pauseSecs delaySeconds waitSeconds waitSecs waitSec waitForSeconds waitForSecs waitNSeconds'
/** Not told anything: a bit. */
const UNTOLD =
  `waitABit waitAWhile waitAMoment waitALittle waitALittleBit waitBriefly waitShortly waitSomeTime waitSome shortSleep shortPause shortWait shortDelay smallSleep smallPause smallDelay briefSleep briefPause
  briefWait briefDelay tinySleep littleSleep quickSleep longSleep longPause sleepABit sleepAWhile sleepBriefly sleepALittle sleepShort sleepSome pauseBriefly pauseABit delayABit takeANap
  letItSettle letThingsSettle letSettle letDustSettle letTheDustSettle letEverythingSettle giveItTime giveItAMoment giveItSomeTime giveSomeTime allowTime allowTimeToSettle`

const spelt = (name: string, style: Style): string =>
  style === 'camel'
    ? name
    : style === 'Pascal'
    ? name[0]!.toUpperCase() + name.slice(1)
    : name.replace(/[A-Z]/g, c => `_${c.toLowerCase()}`)

const list = (text: string, styles: readonly Style[], without: readonly string[] = []): string[] => [
  ...new Set(text.split(/\s+/).filter(n => !without.includes(n)).flatMap(n => styles.map(s => `…${spelt(n, s)}`))),
]

interface Ways {
  readonly styles: readonly Style[]
  /** What a bare number counts. */
  readonly unit: 'ms' | 's'
  /** Methods of whatever is not known count too, not only functions. */
  readonly methods?: boolean
  /** Nothing is waited for where it is not awaited. */
  readonly awaited?: boolean
  readonly more?: string
  /** What the language means something else by. */
  readonly without?: readonly string[]
}

export function pauses({ styles, unit, methods, awaited, more = '', without }: Ways): CatalogRow[] {
  const note = `pause by name${methods ? ', methods too' : ''}${awaited ? ', awaited' : ''}`
  const told = list(`${TOLD} ${more}`.trim(), styles, without)
  return [
    { name: told, effect: 'sleep', args: [1], ms: { arg: 0, unit }, note },
    { name: told, effect: 'sleep', args: 2, ms: { arg: 0, unitArg: 1 }, note },
    { name: list(IN_MS, styles), effect: 'sleep', args: [1], ms: { arg: 0, unit: 'ms' }, note },
    { name: list(IN_SECONDS, styles), effect: 'sleep', args: [1], ms: { arg: 0, unit: 's' }, note },
    { name: list(UNTOLD, styles), effect: 'sleep', args: [0, 1], note },
    // A thing may be told to pause; a function that stands for itself makes the test do it.
    { name: list('sleep doSleep nap snooze pause', styles, without), effect: 'sleep', args: 0, note: note.replace(', methods too', '') },
  ]
}

export const isByName = (row: CatalogRow): boolean => row.note?.startsWith('pause by name') === true

/** Names that say a time by themselves, where a number cannot be told. */
const TIME = /(ms|millis|secs?|seconds?|delay|wait|sleep|time|timeout|pause|interval|duration|settle|period|ttl)\w*$/i
/** What stands still by its own clock, or stops something else than the test. */
const OTHERS =
  /^(time|clk|fc)$|clock|ticker|sched|mock|fake|virtual|stream|player|video|audio|animat|task|job|consumer|producer|request|response|interceptor|scope|socket|reader|queue|cursor|upload|download|process|proc$|sem|cond|event|latch|thread|timer|tracer|span|breakpoint|debug/i

/** Whose `wait` is a pause of the test, not the end of something. */
const TESTERS = /^(self|qtbot|bot|browser|driver|page|tester|helpers?|utils?)$/

/** A statement of its own, given nothing or a time: `await pause(50)`, `TestUtil.waitABit()`. What is built or scheduled by it is used. */
export function isPause(row: CatalogRow, call: Call, unit: Unit, folding: Folding): boolean {
  const { result, receiver, args: [given, counted] } = call
  if (!isChained(call, unit) && result !== 'awaited' && (result !== 'discarded' || /awaited/.test(row.note!))) return false
  const owner = receiver?.is === 'name' ? receiver.path.split('.').at(-1)! : ''
  // A method of a type that is known does what that type does; a function of a class that is only named is a helper.
  if (call.resolution === 'type' && !/^[A-Z]/.test(owner)) return false
  if (/of testers/.test(row.note!) && !TESTERS.test(owner)) return false
  if (call.name.startsWith('?') && !/methods/.test(row.note!)) return false
  if ((/^[A-Z]/.test(owner) ? /Mock|Fake|Clock|Virtual|Scheduler/ : OTHERS).test(owner) || (receiver && receiver.is !== 'name'))
    return false
  if (closureOf(unit, call) >= 0) return false
  if (counted !== undefined && typeof fold(counted, unit, folding) !== 'object') return false
  return given === undefined || (isTime(given, unit, folding) && !(/not a count/.test(row.note!) && isCount(given, unit, folding)))
}

/** `waitFor(2)`: as many times as that, or things. */
function isCount(value: Value, unit: Unit, folding: Folding): boolean {
  const folded = fold(value, unit, folding)
  return typeof folded === 'number' && folded < 5
}

const isChained = (call: Call, unit: Unit): boolean =>
  call.result === 'returned'
  || unit.calls.some(c =>
    c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call && /\.(then|await|block|join|get|unwrap)$/.test(c.name)
  )

function isTime(value: Value, unit: Unit, folding: Folding): boolean {
  const folded = fold(value, unit, folding)
  if (folded !== undefined) return typeof folded === 'object' || (typeof folded === 'number' && folded > 0)
  if (value.is === 'name') return TIME.test(value.path)
  if (value.is === 'op') return value.of.some(v => isTime(v, unit, folding))
  return value.is === 'call' && TIME.test(unit.calls[value.call]!.name)
}

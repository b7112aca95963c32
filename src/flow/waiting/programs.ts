// A program that a test starts and that goes on beside it: the files it was told to write, and who reads them too early.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { isInside } from '../threads/background.ts'

const OF_PATH = /(^|\.)(read_text|read_bytes)$/
const READS =
  /(^|\.)(Files\.(readString|readAllLines|readAllBytes|lines)|FileUtils\.readFileToString|readFileSync|existsSync|getsize)$|^os\.path\.exists$/
const EXISTS = /(^|\.)(exists|is_file)$/
const WRITES = /(^|\.)(write_?text|write_?bytes|writeFile(Sync)?|appendFile(Sync)?|writeString|WriteFile|touch|createFile|copy\w*)$/i

/** The file that a call looks at, by the variable it is kept in. */
function fileOf(unit: Unit, call: Call): string | undefined {
  const ofPath = OF_PATH.test(call.name) || (EXISTS.test(call.name) && call.args.length === 0)
  const of = ofPath ? call.receiver : READS.test(call.name) || has(call, 'observe') || opens(call) ? call.args[0] : undefined
  if (of?.is === 'name') return of.path
  const inner = of?.is === 'call' ? unit.calls[of.call]!.args[0] : undefined
  return inner?.is === 'name' ? inner.path : undefined
}

/** Python's `open(log)`, to read. */
const opens = ({ name, resolution, args, named }: Call): boolean =>
  name === 'open' && resolution === 'global' && !/[wax+]/.test(modeOf(args[1] ?? named['mode']))
const modeOf = (value: Value | undefined): string => (value?.is === 'literal' ? String(value.value) : 'r')

/** What is only asked to be there must be claimed to be. */
export const isRead = (unit: Unit, call: Call): boolean =>
  fileOf(unit, call) !== undefined
  && (!/exists(Sync)?$|is_file$/.test(call.name)
    || unit.assertions.some(a => a.claims === 'presence' && a.span.start <= call.span.start && a.span.end >= call.span.end))

/** The program was told of that file, among its arguments or as its output, and the test has not written it itself. */
export function isGiven(unit: Unit, look: Call, start: Call): boolean {
  const file = fileOf(unit, look)
  const writes = (c: Call) => WRITES.test(c.name) && [c.receiver, c.args[0], c.args[1]].some(v => v?.is === 'name' && v.path === file)
  if (file === undefined || unit.calls.some(c => c.span.end <= start.span.start && writes(c))) return false
  const told = new Set([...given(unit, start)].flatMap(v => (v.is === 'name' ? [v.path] : [])))
  // `with open(log, "w") as out: Popen(…, stdout=out)`.
  const handles = unit.writes.filter(w =>
    told.has(w.target)
    && [...valuesIn(w.value, unit)].some(v => v.is === 'call' && /(^|\.)(open|openSync|createWriteStream)$/.test(unit.calls[v.call]!.name))
  )
  return told.has(file) || handles.some(w => [...valuesIn(w.value, unit)].some(v => v.is === 'name' && v.path === file))
}

/** All that the start says, a builder's steps included. */
function* given(unit: Unit, start: Call): Generator<Value> {
  const of = start.receiver
  const steps = of?.is === 'name'
    ? unit.calls.filter(c => c.span.end <= start.span.start && c.receiver?.is === 'name' && c.receiver.path === of.path)
    : []
  for (const c of [start, ...steps])
    for (const v of [...(c.receiver ? [c.receiver] : []), ...c.args, ...Object.values(c.named)]) yield* valuesIn(v, unit)
  if (of?.is === 'name') {
    for (const w of unit.writes) if (w.target === of.path && w.span.end <= start.span.start) yield* valuesIn(w.value, unit)
  }
}

/** `with Popen(…) as server:` waits for the program at its end. */
export const isOverWith = (unit: Unit, start: Call, at: number): boolean =>
  unit.regions.some((r, i) => r.kind === 'with' && r.call !== undefined && unit.calls[r.call] === start && !isInside(unit, at, i))

/** What is read from a program's own output is waited for. */
export const outputOf = (unit: Unit, { name, receiver }: Call): boolean =>
  /(^|\.)(getInputStream|getErrorStream|inputReader|errorReader)$/.test(name)
  || (receiver !== null && [...valuesIn(receiver, unit)].some(v => v.is === 'name' && /\.(stdout|stderr)$/.test(v.path)))

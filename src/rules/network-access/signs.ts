import type { Call, Span, Unit, Value } from '../../facts/facts.ts'
import { valuesIn, writeAround } from '../../facts/query.ts'
import { isOffline } from '../../flow/hosts/hosts.ts'
import { recipeLines, sourceAddresses } from '../../flow/hosts/requests.ts'
import { type FileView, type Report } from '../rule.ts'
import { confidenceOf, least } from '../wording.ts'

export const message = (host: string): string => `depends on ${host}: when it is slow, away or has changed, the test fails`

/** Where the host itself is written down, in the test or around it: that is the line to mend. */
export function whereWritten(host: string, used: Span, unit: Unit, { facts, textOf }: FileView): Span {
  if (textOf(used).includes(host)) return used
  const isIt = (v: Value) => v.is === 'literal' && typeof v.value === 'string' && v.value.length < 200 && v.value.includes(host)
  return writeAround(facts, unit, (w, u) => [...valuesIn(w.value, u)].some(isIt))?.span ?? used
}

/** What talks or connects by its name, where no catalog knows it. */
export const TALKS =
  /(^|[._:/])(request|fetch|download|https?Request|curl|wget|goto|visit|urlopen|load_?[uU][rR][lL]|navigate(_?[tT]o)?|open_?[uU][rR][lL])$|(^|[._:/])(send|make|do|perform|issue|execute|dispatch|http)\w*(Request|Fetch)$/
export const CONNECTS = /(^|[._:/])(WebSocket|EventSource|Client|Pool|Agent)\.new$/
export const SOCKET = /WebSocket|EventSource/,
  BUILDS = /NewRequest|Request\.new$|^requests\.Request$|prepare|parse|build|valueOf|assert|expect|equal|mock|verify|render|format/i

/** `http.DefaultClient.Do(req)`: by the name of what sends. */
export const isSent = ({ name, receiver }: Call): boolean =>
  /[.]Do$/.test(name) && receiver?.is === 'name' && /client$/i.test(receiver.path)

/** A socket connects at once, and a request by name asks; a client that is made may never be used. */
export const sureOf = (call: Call, guess: boolean, documentation: boolean): Report['confidence'] =>
  SOCKET.test(call.name)
    ? 'high'
    : guess
    ? (CONNECTS.test(call.name) ? 'medium' : 'high')
    : least(confidenceOf(call), documentation ? 'medium' : 'high')

/** Recipes of images in text: `ADD https://…`, `RUN apt-get install`. */
export function* recipes(unit: Unit, view: FileView): Generator<Report> {
  for (const { line, at } of recipeLines(unit, view))
    yield { at, unit: unit.id, confidence: 'high',
      message: `«${line.slice(0, 60)}» goes out while an image is built: when the host is slow or away, the test fails` }
}

/** A key, certificate or feed that the code under test gets from an outer address. */
export function* sources(unit: Unit, view: FileView): Generator<Report> {
  for (const { host, at } of sourceAddresses(unit, view))
    if (!isOffline(view.facts, unit, false)) yield { at, unit: unit.id, confidence: 'high', message: message(host) }
}

const BLACK_HOLE = /^(?:\w+:\/\/)?10\.255\.255\.1(?::\d+)?(?:\/|$)/
const WAITS_IN_VAIN = /time_?out|non_?rout|unrout|unreach|black_?hole/i

/** An address that is held to swallow whatever is sent there: some networks answer for it at once. */
export function* swallows(unit: Unit, { textOf }: FileView): Generator<Report> {
  const isIt = (v: Value): boolean => [...valuesIn(v, unit)].some(p => p.is === 'literal' && BLACK_HOLE.test(String(p.value)))
  const place = unit.writes.find(w => isIt(w.value)) ?? unit.calls.find(c => c.args.some(isIt))
  if (place && WAITS_IN_VAIN.test(`${unit.name} ${textOf(unit.span)}`))
    yield { at: place.span, unit: unit.id, confidence: 'medium',
      message: 'counts on nobody at 10.255.255.1: some networks refuse, route or answer it at once, and then there is nothing to wait for' }
}

/** What is said of that address in other words is said already. */
export const withLost = (lost: readonly Report[], others: readonly Report[]): Report[] => [
  ...lost,
  ...others.filter(r => lost.length === 0 || !/ 10\.255\.255\.1:/.test(r.message)),
]

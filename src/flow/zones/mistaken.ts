// A reading of the clock on the wall that is called one of UTC, or one of UTC that is taken for the wall's:
// `LocalDateTime.now().toInstant(ZoneOffset.UTC)`, `datetime.utcnow().timestamp()`. It is right where the machine's zone is UTC, and hours
// off everywhere else; no other line is needed to say so.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { frozenClock, has } from '../../facts/query.ts'
import { reachesTest } from '../claims/expected.ts'
import { keptIn } from './zone.ts'

export interface Mistaken {
  readonly as: 'utc' | 'local'
  readonly span: Span
}

type Reading = 'wall' | 'world'

const OF_WALL =
  /^(datetime\.datetime\.(now|today)|time\.localtime|java\.time\.Local(Date|DateTime|Time)\.now|java\.util\.Date\.new|time\.Now|chrono::(offset::)?Local::now|Date\.new|moment|dayjs)$/
const OF_WORLD = /^(datetime\.datetime\.utcnow|time\.gmtime)$/
/** The same reading once more: moved, cut or written out. */
const KEEPS =
  /(^|[.:])(timetuple|isoformat|plus\w*|minus\w*|with(Year|Month|Day\w+|Hour|Minute|Second|Nano)|truncatedTo|atStartOfDay|atTime|toString|Add|AddDate|Truncate|Round|naive_local|add|subtract|startOf|endOf)$/
const IS_UTC = /(^|[.:])(utc|UTC)$/
const GIVES_UTC = /^(UTC|GMT|Z|Etc\/UTC)$/

/** What a moment is when nothing on the way put it into another zone. */
function readingOf(file: FileFacts, unit: Unit, value: Value | null | undefined, at: number, depth = 0): Reading | undefined {
  if (!value || depth > 6) return undefined
  const inner = (v: Value | null | undefined) => readingOf(file, unit, v, at, depth + 1)
  if (value.is === 'name') {
    const kept = keptIn(file, unit, value.path, at)
    return kept && !value.path.includes('.') ? readingOf(file, kept.unit, kept.value, kept.offset, depth + 1) : undefined
  }
  if (value.is === 'group') return value.of.length === 1 ? inner(value.of[0]) : undefined
  if (value.is === 'op') return /^[-+]$/.test(value.op) ? inner(value.of[0]) : undefined
  const call = value.is === 'call' ? unit.calls[value.call]! : undefined
  if (!call) return undefined
  if (call.args.length === 0 && Object.keys(call.named).length === 0 && has(call, 'clock'))
    return OF_WALL.test(call.name) ? 'wall' : OF_WORLD.test(call.name) ? 'world' : undefined
  if (KEEPS.test(call.name) || (/(^|[.])replace$/.test(call.name) && !('tzinfo' in call.named))) return inner(call.receiver)
  return undefined
}

const isUtc = (value: Value | undefined, unit: Unit): boolean =>
  value?.is === 'name'
    ? IS_UTC.test(value.path)
    : value?.is === 'call' && unit.calls[value.call]!.args.some(a => a.is === 'literal' && GIVES_UTC.test(String(a.value)))

/** The hour, and behind it a Z that is no part of the moment but written there. */
const CALLED_UTC: Partial<Record<FileFacts['language'], RegExp>> = {
  python: /%[HT].*[^%]Z$/,
  rust: /%[HT].*[^%]Z$/,
  bash: /^['"]?\+['"]?.*%[HT].*[^%]Z['"]?$/,
  go: /15:?04.*\dZ$/,
  java: /HH.*'Z'$/,
  typescript: /HH.*\[Z\]$/,
}

/** A text of the format that a call writes moments by. */
const formatOf = (unit: Unit, args: readonly Value[]): string => {
  const made = args[0]?.is === 'call' ? unit.calls[args[0].call]! : undefined
  const first = made && /DateTimeFormatter\.ofPattern$/.test(made.name) ? made.args[0] : args[0]
  return first?.is === 'literal' ? String(first.value) : ''
}

/** What a call says of which moment: that it is one of UTC, or one of here. */
function claim(file: FileFacts, unit: Unit, call: Call): { as: Mistaken['as']; of: Value | null | undefined } | undefined {
  const { name, args, named, receiver } = call, last = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1)
  if (last === 'replace' && isUtc(named['tzinfo'], unit)) return { as: 'utc', of: receiver }
  if (/(^|[.])(utc|UTC)\.localize$|^calendar\.timegm$|::(from_utc_datetime|from_utc|from_naive_utc_and_offset)$/.test(name))
    return { as: 'utc', of: args[0] }
  if (last === 'and_utc') return { as: 'utc', of: receiver }
  if (/^(toInstant|toEpochSecond|atOffset|atZone|atStartOfDay)$/.test(last) && isUtc(args[0], unit)) return { as: 'utc', of: receiver }
  // A day of here at an hour of UTC; a year alone is another on one night only.
  const day = args[2]?.is === 'call' ? unit.calls[args[2].call]! : undefined
  if (day && ((name === 'time.Date' && isUtc(args[7], unit) && /[.]Day$/.test(day.name))
    || (name === 'Date.UTC' && /[.]getDate$/.test(day.name)))) return { as: 'utc', of: day.receiver }
  if (/^(strftime|format|Format)$/.test(last) && receiver !== null && CALLED_UTC[file.language]?.test(formatOf(unit, args)))
    return { as: 'utc', of: receiver }
  if (last === 'timestamp' && args.length === 0) return { as: 'local', of: receiver }
  return name === 'time.mktime' ? { as: 'local', of: args[0] } : undefined
}

/** Commands and functions that read the clock themselves. */
const readsItself = (file: FileFacts, { name, args, named }: Call): boolean => {
  const form = CALLED_UTC[file.language], texts = args.map(a => (a.is === 'literal' ? String(a.value) : ''))
  if (name === 'time.strftime') return args.length === 1 && form!.test(texts[0]!)
  return name === 'date' && file.language === 'bash' && texts.some(t => form!.test(t)) && !('TZ' in named)
    && !texts.some(t => /^-[a-zA-Z]*u|^--(utc|universal)|^-[dr]|^--date|^--ref/.test(t))
}

/** `now.isoformat() + 'Z'`: the text says UTC, the hour does not. */
const isSuffixed = (file: FileFacts, unit: Unit, value: Value, at: number): boolean =>
  value.is === 'text' && value.parts.some((p, i) => {
    const next = value.parts[i + 1]
    return next?.is === 'literal' && /^Z(?![\w%])/.test(String(next.value)) && readingOf(file, unit, p, at) === 'wall'
  })

export function* mistaken(file: FileFacts, unit: Unit): Generator<Mistaken> {
  const found: Mistaken[] = []
  for (const call of unit.calls) {
    const { as, of } = claim(file, unit, call) ?? {}
    const isOther = as && readingOf(file, unit, of, call.span.start) === (as === 'utc' ? 'wall' : 'world')
    const isText = [...call.args, ...Object.values(call.named)].some(a => isSuffixed(file, unit, a, call.span.start))
    if ((isOther || isText || readsItself(file, call)) && reachesTest(file, unit, call)) found.push({ as: as ?? 'utc', span: call.span })
  }
  for (const { value, span } of unit.writes) if (isSuffixed(file, unit, value, span.start)) found.push({ as: 'utc', span })
  for (const { operands, span } of unit.assertions)
    if (operands.some(o => isSuffixed(file, unit, o, span.start)) && !found.some(f => f.span.start <= span.start && f.span.end >= span.end))
      found.push({ as: 'utc', span })
  if (found.length > 0 && !frozenClock(file, unit)) yield* found
}

// How a value hangs on the host's time zone. The catalogs say in a note what a call does with it:
//
// from       makes an instant of what the clock on the wall would show (`new Date(2020, 0, 1)`, `mktime`)
// to         shows an instant as that clock would (`getHours`, `fromtimestamp`)
// zone       asks which zone it is (`getTimezoneOffset`, `ZoneId.systemDefault`)
// text       reads a text: from, where the text is a date with a time and no zone
// naive      from, where the receiver is a date that has no zone
// shown      an instant that shows itself by the host's zone once it is asked (`time.Unix`)
// located    from, where an argument is the host's zone (`time.Date(…, time.Local)`)
// formatter  makes something that shows instants
// command    the shell's `date -d`
//
// What goes from the wall and back to it does not depend on the zone, and neither does a comparison of two such values.

import type { Call, FileFacts, Unit, Value } from '../facts/facts.ts'
import { ancestors, effectOf, has } from '../facts/query.ts'

export interface Zoned {
  /** `instant`: which moment it is depends on the zone; `shown`: how a moment looks; `offset`: the zone itself. */
  readonly is: 'instant' | 'shown' | 'offset'
  readonly call: Call
  readonly unit: Unit
  /** The zone has been made visible: as a number since the epoch, in UTC, as fields or text. */
  readonly visible: boolean
  /** It went through a function we know nothing about. */
  readonly opaque: boolean
  /** Made of constants alone. */
  readonly fixed: boolean
  /** What it was asked of is known by its type or its making, not guessed by the name of a method. */
  readonly sure: boolean
}

type Facts = Pick<FileFacts, 'units'>

/** Asked of an instant, these do not look at the zone: what was read from the wall shows its zone in them. */
const ABSOLUTE = /(^|[.:])(toISOString|toJSON|getTime|valueOf|getUTC\w+|toUTCString|toGMTString|timestamp\w*|getTimeInMillis|getMillis|toInstant|toEpochMilli|toEpochSecond|getEpochSecond|Unix|UnixNano|UnixMilli|UnixMicro|UTC|utc|unix|to_utc|naive_utc|JSON\.stringify)$/
/** Asked of a moment that carries a zone, these show it. */
const SHOWS = /(^|[.:])(Format|AppendFormat|String|GoString|Hour|Day|Weekday|YearDay|Month|Year|Date|Clock|Zone|MarshalText|MarshalJSON)$/
const TO_OTHER_ZONE = /(^|[.:])(UTC|In|utc|tz|setZone|utcOffset|Unix|UnixNano|UnixMilli|UnixMicro|Equal|Sub|Before|After|IsZero|with_timezone|withZoneSameInstant|getTime|toISOString)$/
const DATES = /^(Date\.new|java\.util\.Date\.new|java\.sql\.(Date|Timestamp|Time)\.(new|valueOf))$/
const HOST_ZONE = /^(time\.Local|chrono::Local|time\.(timezone|altzone))$/
const PLAIN = /^(int|float|str|round|repr|abs|Number|String|Math\.\w+|java\.lang\.\w+\.\w+|fmt\.Sprintf?|text|strconv\.\w+|JSON\.stringify|datetime\.\w+(\.\w+)*|java\.time\.\w+\.\w+)$/

export function zoneOf(file: Facts, unit: Unit, value: Value | undefined, offset: number, depth = 0): Zoned | undefined {
  if (!value || depth > 12) return undefined
  const inner = (v: Value | undefined) => zoneOf(file, unit, v, offset, depth + 1)
  switch (value.is) {
    case 'name': {
      const kept = keptIn(file, unit, value.path, offset)
      return kept && zoneOf(file, kept.unit, kept.value, kept.offset, depth + 1)
    }
    case 'text': {
      const parts = value.parts.flatMap(p => inner(p) ?? [])
      const date = value.parts.map(p => madeBy(file, unit, p, offset)).find(m => m && DATES.test(m.call.name) && m.call.args.length > 0)
      // A date that was read from the wall shows the same text everywhere.
      if (date && !parts.some(p => p.is === 'instant')) return { is: 'shown', ...date, visible: true, opaque: false, fixed: isFixed(file, date.unit, date.call), sure: true }
      return parts.find(p => p.visible)
    }
    case 'op': {
      const parts = value.of.flatMap(v => inner(v) ?? [])
      return value.op === '-' && parts.length > 1 ? undefined : parts[0]
    }
    case 'group':
      return value.of.map(inner).find(z => z !== undefined)
    case 'call': {
      const call = unit.calls[value.call]
      return call && ofCall(file, unit, call, inner)
    }
    default:
      return undefined
  }
}

function ofCall(file: Facts, unit: Unit, call: Call, inner: (v: Value | undefined) => Zoned | undefined): Zoned | undefined {
  const on = inner(call.receiver ?? undefined)
  const given = [...call.args, ...Object.values(call.named)].map(inner).find(z => z !== undefined)
  const maker = call.receiver ? madeBy(file, unit, call.receiver, call.span.start)?.call : undefined
  const sure = call.resolution !== 'guess' || (maker !== undefined && maker.resolution !== 'guess')
  const own = (is: Zoned['is'], visible: boolean): Zoned => ({ is, call, unit, visible, opaque: false, fixed: isFixed(file, unit, call), sure })
  const subject = on ?? given
  const note = effectOf(call, 'local-zone')?.note
  if (note !== undefined && hasClock(file, unit, call)) return undefined
  if (note === 'zone') return own('offset', true)
  if (note === 'from') return subject?.is === 'shown' || isZoneSet(file, unit, call) ? undefined : own('instant', call.name === 'time.mktime')
  if (note === 'to') return subject?.is === 'instant' || isZoneSet(file, unit, call) || isWallText(file, unit, call) ? undefined : own('shown', true)
  if (note === 'text') return isNaiveText(call.args[0]) ? own('instant', call.name === 'Date.parse') : subject
  if (note === 'naive') return isNaive(file, unit, call) && subject?.is !== 'shown' ? own('instant', true) : undefined
  if (note === 'shown') return own('shown', false)
  if (note === 'located') return call.args.some(a => a.is === 'name' && a.path === 'time.Local') ? own('instant', false) : undefined
  if (note === 'command') return ofCommand(call, own)
  if (on?.call && effectOf(on.call, 'local-zone')?.note === 'formatter') return { ...on, visible: true }
  if (note === 'formatter') return own('shown', false)
  // A conversion that is given the host's zone.
  if (call.args.some(a => a.is === 'name' && HOST_ZONE.test(a.path)) || given?.is === 'offset') {
    if (/(^|[.:])(atStartOfDay|ZonedDateTime\.of|toDateTimeAtStartOfDay)$/.test(call.name)) return own('instant', false)
    if (/(^|[.:])(ofInstant|withZoneSameInstant|with_timezone|In|toLocalDateTime)$/.test(call.name)) return subject?.is === 'instant' ? undefined : own('shown', true)
    if (/(^|[.:])atZone$/.test(call.name)) return own(/Local/.test(nameOfReceiver(unit, call)) ? 'instant' : 'shown', false)
  }
  if (on) {
    if (on.is === 'instant') return ABSOLUTE.test(call.name) ? { ...on, visible: true } : on
    if (on.is === 'shown' && !on.visible) return TO_OTHER_ZONE.test(call.name) ? undefined : SHOWS.test(call.name) ? { ...on, visible: true } : on
    return on
  }
  return given && (PLAIN.test(call.name) ? given : { ...given, opaque: true })
}

const nameOfReceiver = (unit: Unit, call: Call): string => (call.receiver?.is === 'call' ? unit.calls[call.receiver.call]?.name ?? '' : call.name)

/** `date -d @0 +%H` shows an instant; `date -d 2020-01-01 +%s` makes one; `date -d 2020-01-01 +%d` does both. */
function ofCommand(call: Call, own: (is: Zoned['is'], visible: boolean) => Zoned): Zoned | undefined {
  const words = call.args.flatMap(a => (a.is === 'literal' ? [String(a.value)] : a.is === 'text' && a.parts[0]?.is === 'literal' ? [String(a.parts[0].value)] : []))
  if (words.some(w => /^-[a-z]*u|^--(utc|universal)/.test(w))) return undefined
  const epoch = words.some(w => /^\+%s/.test(w))
  if (words.some(w => /(^|=|^-d\s*)@/.test(w)) || words.some(w => /^-r|^--reference/.test(w))) return epoch ? undefined : own('shown', true)
  return epoch && !words.some(w => /\d(Z|[+-]\d\d:?\d\d)$|UTC|GMT/.test(w)) && words.some(w => /^(--date=)?['"]?\d{4}-/.test(w)) ? own('instant', true) : undefined
}

/** A formatter whose zone is set somewhere in the file. */
function isZoneSet(file: Facts, unit: Unit, call: Call): boolean {
  // A formatter by its name, a calendar by the name it was kept under.
  const kept = unit.writes.find(w => w.value.is === 'call' && unit.calls[w.value.call] === call)?.target
  const path = (call.receiver?.is === 'name' ? call.receiver.path : kept)?.split('.').at(-1)
  const sets = (c: Call) => /(^|[.:])(setTimeZone|setCalendar|withZone)$/.test(c.name)
  if (path !== undefined && file.units.some(u => u.calls.some(c => sets(c) && c.receiver?.is === 'name' && c.receiver.path.split('.').at(-1) === path))) return true
  // A text with its own zone is read the same everywhere.
  const text = call.args[0]?.is === 'literal' ? String(call.args[0].value) : ''
  return /\d(Z|[+-]\d\d:?\d\d)$|\b(UTC|GMT)\b/.test(text) || (call.receiver?.is === 'call' && sets(unit.calls[call.receiver.call]!))
}

/** What is shown was read from a text by the same formatter, or is a thing of the wall already. */
const isWallText = (file: Facts, unit: Unit, call: Call): boolean =>
  [call.receiver, call.args[0]].some(v => {
    const made = v ? madeBy(file, unit, v, call.span.start)?.call : undefined
    return made !== undefined && /(^|[.:])(parse|strptime|Date\.UTC)$/.test(made.name)
  })

/** A date with a time and no zone is read by the host's; a date alone is read as UTC. */
const isNaiveText = (value: Value | undefined): boolean =>
  value?.is === 'literal' && typeof value.value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$|^[A-Z][a-z]{2,8} \d{1,2},? \d{4}( \d\d:\d\d(:\d\d)?)?$|^\d{4}\/\d{1,2}\/\d{1,2}/.test(value.value)

function isNaive(file: Facts, unit: Unit, call: Call): boolean {
  const made = call.receiver ? madeBy(file, unit, call.receiver, call.span.start)?.call : undefined
  if (!made) return false
  if (made.name === 'datetime.datetime') return !('tzinfo' in made.named) && made.args.length < 8 && made.args.length + Object.keys(made.named).length >= 3
  if (made.name === 'datetime.datetime.strptime') return made.args[1]?.is === 'literal' && !/%z/i.test(String(made.args[1].value))
  return made.name === 'datetime.datetime.fromisoformat' && isNaiveText(made.args[0])
}

/** A call whose receiver and arguments are literals, or made of such. */
function isFixed(file: Facts, unit: Unit, call: Call, depth = 0): boolean {
  const parts = [...(call.receiver ? [call.receiver] : []), ...call.args]
  return depth < 4 && (parts.length > 0 || depth > 0) && parts.every(p => isMadeOfLiterals(file, unit, p, call.span.start, depth + 1))
}

function isMadeOfLiterals(file: Facts, unit: Unit, value: Value, offset: number, depth: number): boolean {
  if (value.is === 'literal') return value.value !== '' && value.value !== null
  if (value.is === 'group' || value.is === 'op') return value.of.every(v => isMadeOfLiterals(file, unit, v, offset, depth))
  if (value.is === 'call') return !unit.calls[value.call]!.effects.some(e => e.kind === 'clock') && isFixed(file, unit, unit.calls[value.call]!, depth)
  if (value.is !== 'name') return false
  if (HOST_ZONE.test(value.path)) return true
  const kept = keptIn(file, unit, value.path, offset)
  return kept !== undefined && depth < 4 && isMadeOfLiterals(file, kept.unit, kept.value, kept.offset, depth + 1)
}

/** The time of the run has rules of its own. */
function hasClock(file: Facts, unit: Unit, call: Call): boolean {
  return [call.receiver, ...call.args].some(v => {
    const made = v ? madeBy(file, unit, v, call.span.start) : undefined
    return made !== undefined && made.call !== call && (has(made.call, 'clock', 'mono') || hasClock(file, made.unit, made.call))
  })
}

interface Kept { readonly unit: Unit; readonly value: Value; readonly offset: number }

/** The last value that a name was given before a place: in the unit, then in what is around it. */
export function keptIn(file: Facts, unit: Unit, path: string, offset: number): Kept | undefined {
  for (let at = path.replace(/^(self|this)\./, ''); at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const isIt = (target: string) => target === at || target === `self.${at}` || target === `this.${at}`
    const own = unit.writes.findLast(w => isIt(w.target) && w.span.end <= offset)
    if (own) return { unit, value: own.value, offset: own.span.start }
    if (unit.params.includes(at)) return undefined
    for (const outer of ancestors(file, unit)) {
      const write = outer.writes.findLast(w => isIt(w.target))
      if (write) return { unit: outer, value: write.value, offset: write.span.start }
    }
  }
  return undefined
}

/** The call that a value comes from, names looked behind. */
function madeBy(file: Facts, unit: Unit, value: Value, offset: number, depth = 0): { readonly call: Call; readonly unit: Unit } | undefined {
  if (value.is === 'call') return { call: unit.calls[value.call]!, unit }
  if (value.is === 'group' && value.of.length === 1) return madeBy(file, unit, value.of[0]!, offset, depth)
  const kept = value.is === 'name' && depth < 4 ? keptIn(file, unit, value.path, offset) : undefined
  return kept && madeBy(file, kept.unit, kept.value, kept.offset, depth + 1)
}

const ZONE_WRITES = /(^|[.\s])TZ$|^time\.Local$|^process\.env\.TZ$|defaultZone$/
const ZONE_CALLS = /(^|[.:])(tzset|(TimeZone|DateTimeZone|tz)\.setDefault|timezone\.(override|activate))$/
const ZONE_MARKERS = /DefaultTimeZone|TIME_ZONE|timezone|\bTZ\b/
const ZONE_NAME = /^(UTC|GMT|UTC0|EST5EDT|[A-Z]\w+\/[A-Z]\w+(\/\w+)?)$/

/** The file sets the zone itself, somewhere: it knows what it does. */
export function pinsZone(file: Facts): boolean {
  const isTz = (v: Value): boolean => (v.is === 'literal' && v.value === 'TZ') || (v.is === 'group' && v.of.some(isTz))
  return file.units.some(u => u.markers.some(m => ZONE_MARKERS.test(m.name + (m.key ?? '')))
    || u.writes.some(w => ZONE_WRITES.test(w.target) || (/environ/.test(w.target) && w.value.is === 'literal' && ZONE_NAME.test(String(w.value.value))))
    || u.calls.some(c => ZONE_CALLS.test(c.name) || 'TZ' in c.named || c.args.some(isTz)))
}

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
// library    moment, dayjs: shown, where it is given a moment that says which one it is
// command    the shell's `date -d`
//
// What goes from the wall and back to it does not depend on the zone, and neither does a comparison of two such values.

import type { Call, FileFacts, Unit, Value, Write } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { ancestors, callsOf, curedBeyond, effectOf, has, valuesIn } from '../../facts/query.ts'
import { rememberedOf } from '../../facts/remembered.ts'

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

type Facts = Pick<FileFacts, 'units' | 'cures' | 'fixtures'>

/** Asked of an instant, these do not look at the zone: what was read from the wall shows its zone in them. */
const ABSOLUTE =
  /(^|[.:])(toISOString|toJSON|getTime|valueOf|getUTC\w+|toUTCString|toGMTString|timestamp\w*|getTimeInMillis|getMillis|toInstant|toEpochMilli|toEpochSecond|getEpochSecond|Unix|UnixNano|UnixMilli|UnixMicro|UTC|utc|unix|to_utc|naive_utc|JSON\.stringify)$/
/** Asked of a moment that carries a zone, these show it. */
const SHOWS =
  /(^|[.:])(format|toFormat|toISODate|toISOTime|toLocaleString|toString|strftime|isoformat|Format|AppendFormat|String|GoString|Hour|hours?|date|day|month|year|Day|Weekday|YearDay|Month|Year|Date|Clock|Zone|MarshalText|MarshalJSON)$/
const TO_OTHER_ZONE =
  /(^|[.:])(UTC|In|utc|tz|setZone|toUTC|toMillis|toSeconds|toJSDate|toDate|valueOf|unix|isSame|diff|utcOffset|Unix|UnixNano|UnixMilli|UnixMicro|Equal|Sub|Before|After|IsZero|with_timezone|withZoneSameInstant|getTime|toISOString)$/
const DATES = /^(Date\.new|java\.util\.Date\.new|java\.sql\.(Date|Timestamp|Time)\.(new|valueOf))$/
const HOST_ZONE = /^(time\.Local|chrono::Local|time\.(timezone|altzone))$/
const PLAIN =
  /^(int|float|str|round|repr|abs|Number|String|Math\.\w+|java\.lang\.\w+\.\w+|fmt\.Sprintf?|text|strconv\.\w+|JSON\.stringify|time\.(strftime|asctime)|datetime\.\w+(\.\w+)*|java\.time\.\w+\.\w+)$/

/** A text that says which moment it means. */
export const ABSOLUTE_TEXT = /\d(\.\d+)?(Z|[+-]00:?00)\b|\d.*\b(UTC|GMT)\b/
/** Seconds or milliseconds since 1970, of the time in which programs have been written. */
export const isEpoch = (n: number): boolean => ((n >= 1e8 && n < 5e9) || (n >= 1e11 && n < 5e12)) && !/^(\d)\1+$/.test(String(n))

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
      if (date && !parts.some(p => p.is === 'instant'))
        return { is: 'shown', ...date, visible: true, opaque: false, fixed: isFixed(file, date.unit, date.call), sure: true }
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
      return call && (throughHelper(file, unit, call, offset, depth) ?? ofCall(file, unit, call, inner))
    }
    default:
      return undefined
  }
}

/** What a helper of the file gives back. */
function throughHelper(file: Facts, unit: Unit, call: Call, offset: number, depth: number): Zoned | undefined {
  const helper = call.target === undefined || has(call, 'local-zone') ? undefined : file.units[call.target]
  if (!helper) return undefined
  const given = helper.returns.length > 0 ? helper.returns : printedBy(helper)
  const found = given.map(v => zoneOf(file, helper, v, helper.span.end, depth + 1)).find(z => z !== undefined)
  const isLiteral = call.args.length > 0 && call.args.every(a => isMadeOfLiterals(file, unit, a, offset, 2))
  return found && { ...found, fixed: found.fixed || isLiteral }
}

/** A function of the shell gives back what it prints. */
const printedBy = (helper: Unit): Value[] =>
  helper.calls.flatMap((c, call): Value[] =>
    c.result !== 'discarded'
      ? []
      : /^(echo|printf)$/.test(c.name)
      ? [...c.args]
      : effectOf(c, 'local-zone')?.note === 'command'
      ? [{ is: 'call', call }]
      : []
  )

function ofCall(file: Facts, unit: Unit, call: Call, inner: (v: Value | undefined) => Zoned | undefined): Zoned | undefined {
  const on = inner(call.receiver ?? undefined)
  const given = [...call.args, ...Object.values(call.named)].map(inner).find(z => z !== undefined)
  const maker = call.receiver ? madeBy(file, unit, call.receiver, call.span.start)?.call : undefined
  const sure = call.resolution !== 'guess' || (maker !== undefined && maker.resolution !== 'guess')
  const own = (is: Zoned['is'], visible: boolean): Zoned => ({ is, call, unit, visible, opaque: false, fixed: isFixed(file, unit, call),
    sure })
  // A formatter is what shows or reads, not what is shown.
  const subject = (on && effectOf(on.call, 'local-zone')?.note === 'formatter' ? undefined : on) ?? given
  const note = effectOf(call, 'local-zone')?.note
  if (note !== undefined && hasClock(file, unit, call)) return undefined
  // `dt.strftime('%s')` of a date without a zone, and arrow's `to('local')`.
  if (/(^|[.:])strftime$/.test(call.name) && call.args[0]?.is === 'literal' && call.args[0].value === '%s')
    return isNaive(file, unit, call)
      ? own('instant', true)
      : undefined
  if (/(^|[.:])to$/.test(call.name) && call.args[0]?.is === 'literal' && call.args[0].value === 'local') return own('shown', false)
  if (note === 'zone') return own('offset', true)
  if (note === 'from')
    return subject?.is === 'shown' || isZoneSet(file, unit, call)
      ? undefined
      : own('instant', call.name === 'time.mktime')
  if (note === 'to')
    return subject?.is === 'instant' || isZoneSet(file, unit, call) || isWallText(file, unit, call)
      ? undefined
      : own('shown', true)
  if (note === 'text') return isNaiveText(call.args[0]) ? own('instant', call.name === 'Date.parse') : subject
  if (note === 'naive') return isNaive(file, unit, call) && subject?.is !== 'shown' ? own('instant', true) : undefined
  // `datetime.fromisoformat('2024-12-31T10:00').astimezone(UTC)` takes a date without a zone for one of the host's.
  if (ofWallDate(call) && isNaive(file, unit, call)) return own('instant', true)
  if (note === 'shown') return own('shown', false)
  if (note === 'located') return call.args.some(a => a.is === 'name' && HOST_ZONE.test(a.path)) ? own('instant', false) : undefined
  if (note === 'command') return ofCommand(call, own)
  if (on?.call && effectOf(on.call, 'local-zone')?.note === 'formatter') return { ...on, visible: true }
  if (note === 'formatter') return isZoneSet(file, unit, call) ? undefined : own('shown', false)
  if (note === 'library')
    return isAbsolute(file, unit, call.args[0], call.span.start)
      ? own('shown', false)
      : isNaiveText(call.args[0])
      ? own('instant', false)
      : undefined
  // A conversion that is given the host's zone.
  if (call.args.some(a => a.is === 'name' && HOST_ZONE.test(a.path)) || given?.is === 'offset') {
    if (/(^|[.:])(atStartOfDay|ZonedDateTime\.of|toDateTimeAtStartOfDay|and_local_timezone)$/.test(call.name)) return own('instant', false)
    if (/(^|[.:])(ofInstant|withZoneSameInstant|with_timezone|In|toLocalDateTime|astimezone)$/.test(call.name))
      return subject?.is === 'instant' ? undefined : own('shown', true)
    if (/(^|[.:])withZone$/.test(call.name)) return own('shown', false)
    if (/(^|[.:])atZone$/.test(call.name)) return own(/Local/.test(nameOfReceiver(unit, call)) ? 'instant' : 'shown', false)
  }
  if (on) {
    if (on.is === 'instant') return ABSOLUTE.test(call.name) ? { ...on, visible: true } : on
    if (on.is === 'shown' && !on.visible)
      return TO_OTHER_ZONE.test(call.name)
        ? undefined
        : SHOWS.test(call.name)
        ? { ...on, visible: true }
        : on
    return on
  }
  return given && (PLAIN.test(call.name) ? given : { ...given, opaque: true })
}

/** A moment that is only asked for what is the same everywhere: `time.Unix(0, 0).UTC()`. */
export function isConverted(unit: Unit, { is, call }: Zoned): boolean {
  const kept = unit.writes.filter(w => w.value.is === 'call' && unit.calls[w.value.call] === call).map(w => w.target)
  const asked = unit.calls.filter(c =>
    (c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call) || (c.receiver?.is === 'name' && kept.includes(c.receiver.path))
  )
  return is === 'shown' && asked.length > 0 && asked.every(c => TO_OTHER_ZONE.test(c.name))
}

/** A formatter whose work is seen where it is asked, or that reads texts as well: what it shows was made by the same wall. */
export const isAskedHere = (file: Facts, unit: Unit, { call }: Zoned): boolean =>
  effectOf(call, 'local-zone')?.note === 'formatter'
  && (unit.calls.some(c => c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call)
    || file.units.some(u => u.calls.some(c => /DateFormat\.parse$/.test(c.name))))

const nameOfReceiver = (unit: Unit, call: Call): string =>
  call.receiver?.is === 'call' ? unit.calls[call.receiver.call]?.name ?? '' : call.name

/** `date -d @0 +%H` shows an instant; `date -d 2020-01-01 +%s` makes one; `date -d 2020-01-01 +%d` does both. */
function ofCommand(call: Call, own: (is: Zoned['is'], visible: boolean) => Zoned): Zoned | undefined {
  const words = call.args.flatMap(
    a => (a.is === 'literal' ? [String(a.value)] : a.is === 'text' && a.parts[0]?.is === 'literal' ? [String(a.parts[0].value)] : []),
  )
  if (words.some(w => /^-[a-z]*u|^--(utc|universal)/.test(w))) return undefined
  const epoch = words.some(w => /^\+%s/.test(w))
  if (words.some(w => /(^|=|^-d\s*)@/.test(w)) || words.some(w => /^-r|^--reference/.test(w))) return epoch ? undefined : own('shown', true)
  // A day that is only known when it runs, with an hour written behind it.
  const wall = words.some(w => /^(--date=)?['"]?\d{4}-/.test(w))
    || call.args.some(a =>
      a.is === 'text' && a.parts.at(-1)?.is === 'literal'
      && /^[ T]\d\d:\d\d(:\d\d)?$/.test(String((a.parts.at(-1) as { value: unknown }).value))
    )
  return epoch && wall && !words.some(w => /\d(Z|[+-]\d\d:?\d\d)$|UTC|GMT/.test(w)) ? own('instant', true) : undefined
}

/** A formatter whose zone is set somewhere in the file. */
function isZoneSet(file: Facts, unit: Unit, call: Call): boolean {
  // A formatter by its name, a calendar by the name it was kept under.
  const kept = unit.writes.find(w => w.value.is === 'call' && unit.calls[w.value.call] === call)?.target
  const path = (call.receiver?.is === 'name' ? call.receiver.path : kept)?.split('.').at(-1)
  const sets = (c: Call) => /(^|[.:])(setTimeZone|setCalendar|withZone)$/.test(c.name)
  if (path !== undefined
    && file.units.some(u => u.calls.some(c => sets(c) && c.receiver?.is === 'name' && c.receiver.path.split('.').at(-1) === path)))
    return true
  // A text with its own zone is read the same everywhere.
  const text = call.args[0]?.is === 'literal' ? String(call.args[0].value) : ''
  if (call.args.some(a => a.is === 'call' && /TimeZone|ZoneId/.test(unit.calls[a.call]!.name))) return true
  return /\d(Z|[+-]\d\d:?\d\d)$|\b(UTC|GMT)\b/.test(text) || (call.receiver?.is === 'call' && sets(unit.calls[call.receiver.call]!))
}

/** What is shown was read from a text by the same formatter, or is a thing of the wall already. */
const isWallText = (file: Facts, unit: Unit, call: Call): boolean =>
  [call.receiver, call.args[0]].some(v => {
    const made = v ? madeBy(file, unit, v, call.span.start)?.call : undefined
    return made !== undefined && /(^|[.:])(parse|strptime|Date\.UTC)$/.test(made.name)
  })

/** A count since the epoch, or a text that says its zone. */
function isAbsolute(file: Facts, unit: Unit, value: Value | undefined, offset: number): boolean {
  const known = value?.is === 'name' ? keptIn(file, unit, value.path, offset)?.value : value
  return known?.is === 'literal' && (typeof known.value === 'number' ? isEpoch(known.value) : ABSOLUTE_TEXT.test(String(known.value)))
}

/** A date with a time and no zone is read by the host's; a date alone is read as UTC. */
const isNaiveText = (value: Value | undefined): boolean =>
  value?.is === 'literal' && typeof value.value === 'string'
  && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$|^[A-Z][a-z]{2,8} \d{1,2},? \d{4}( \d\d:\d\d(:\d\d)?)?$|^\d{4}\/\d{1,2}\/\d{1,2}/.test(
    value.value,
  )

/** Into a zone that is named. */
export const ofWallDate = ({ name, args }: Call): boolean => /(^|[.])astimezone$/.test(name) && args.length === 1

function isNaive(file: Facts, unit: Unit, call: Call): boolean {
  const on = call.receiver?.is === 'group' && call.receiver.of.length === 1 ? call.receiver.of[0]! : call.receiver
  // A day later than a date without a zone has none either.
  const parts = on?.is === 'op' && /^[-+]$/.test(on.op) ? on.of : on ? [on] : []
  return parts.some(p => isNaiveDate(madeBy(file, unit, p, call.span.start)?.call))
}

function isNaiveDate(made: Call | undefined): boolean {
  if (!made) return false
  if (made.name === 'datetime.datetime')
    return !('tzinfo' in made.named) && made.args.length < 8 && made.args.length + Object.keys(made.named).length >= 3
  if (made.name === 'datetime.datetime.strptime') return made.args[1]?.is === 'literal' && !/%z/i.test(String(made.args[1].value))
  return made.name === 'datetime.datetime.fromisoformat' && isNaiveText(made.args[0])
}

/** A call whose receiver and arguments are literals, or made of such. */
function isFixed(file: Facts, unit: Unit, call: Call, depth = 0): boolean {
  // The module or class that a function is called on is no part of what it is given.
  const on = call.receiver && !(call.receiver.is === 'name' && call.resolution === 'import') ? [call.receiver] : []
  const parts = [...on, ...call.args]
  return depth < 4 && (parts.length > 0 || depth > 0) && parts.every(p => isMadeOfLiterals(file, unit, p, call.span.start, depth + 1))
}

function isMadeOfLiterals(file: Facts, unit: Unit, value: Value, offset: number, depth: number): boolean {
  if (value.is === 'literal') return value.value !== '' && value.value !== null
  if (value.is === 'group' || value.is === 'op') return value.of.every(v => isMadeOfLiterals(file, unit, v, offset, depth))
  if (value.is === 'call')
    return !unit.calls[value.call]!.effects.some(e => e.kind === 'clock') && isFixed(file, unit, unit.calls[value.call]!, depth)
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

interface Kept {
  readonly unit: Unit
  readonly value: Value
  readonly offset: number
}

/** `self.at` and `at` go by one name. */
const writesByName = rememberedOf((unit: Unit): ReadonlyMap<string, readonly Write[]> => {
  const found = new Map<string, Write[]>()
  for (const write of unit.writes) {
    const name = write.target.replace(/^(self|this)\./, '')
    if (!found.has(name)) found.set(name, [])
    found.get(name)!.push(write)
  }
  return found
})

/** The last value that a name was given before a place: in the unit, then in what is around it. */
export function keptIn(file: Facts, unit: Unit, path: string, offset: number): Kept | undefined {
  for (let at = path.replace(/^(self|this)\./, ''); at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const own = writesByName(unit).get(at)?.findLast(w => w.span.end <= offset)
    if (own) return { unit, value: own.value, offset: own.span.start }
    if (unit.params.includes(at)) return undefined
    for (const outer of ancestors(file, unit)) {
      const write = writesByName(outer).get(at)?.at(-1)
      if (write) return { unit: outer, value: write.value, offset: write.span.start }
    }
  }
  return undefined
}

/** What the first caller hands to a helper for one of its parameters. */
function handedIn(file: Facts, unit: Unit, path: string): Kept | undefined {
  const at = unit.role.is === 'helper' ? unit.params.filter(p => p !== 'self' && p !== 'cls').indexOf(path) : -1
  if (at < 0) return undefined
  for (const { by, call } of callsOf(file, unit)) {
    const value = call.named[path] ?? call.args[at]
    if (value) return { unit: by, value, offset: call.span.start }
  }
  return undefined
}

/** The call that a value comes from, names looked behind. */
function madeBy(file: Facts, unit: Unit, value: Value, offset: number, depth = 0):
  | { readonly call: Call; readonly unit: Unit }
  | undefined
{
  if (value.is === 'call') return { call: unit.calls[value.call]!, unit }
  if (value.is === 'group' && value.of.length === 1) return madeBy(file, unit, value.of[0]!, offset, depth)
  const kept = value.is === 'name' && depth < 4 ? keptIn(file, unit, value.path, offset) ?? handedIn(file, unit, value.path) : undefined
  return kept && madeBy(file, kept.unit, kept.value, kept.offset, depth + 1)
}

const DAY = 86_400
/** A day in seconds or milliseconds, or some days. */
const isDays = (n: number): boolean => n > 0 && ((n % DAY === 0 && n <= 31 * DAY) || (n % (DAY * 1000) === 0 && n <= 31_000 * DAY))

/** A test that counts on days of 24 hours, here or in a helper: it expects such a stretch, or divides by one. */
export function countsDays(file: Facts, unit: Unit, folding: Folding, depth = 0): boolean {
  const isOne = (v: Value, of: Unit): boolean => {
    const worth = fold(v, of, folding)
    const call = v.is === 'call' ? of.calls[v.call] : undefined
    if (call && /(^|[.:])(hours|ofHours|try_hours)$/.test(call.name))
      return call.args[0]?.is === 'literal' && Number(call.args[0].value) % 24 === 0
    if (worth !== undefined) return isDays(typeof worth === 'object' ? worth.ms : Number(worth))
    return (call?.name === 'set' ? call.args : v.is === 'group' ? v.of : []).some(p => isOne(p, of))
  }
  const divides = (v: Value): boolean => v.is === 'op' && /^[/%]$/.test(v.op) && v.of[1] !== undefined && isOne(v.of[1], unit)
  return unit.assertions.some(a => a.operands.some(o => isOne(o, unit)))
    || [...unit.returns, ...unit.writes.map(w => w.value), ...unit.calls.flatMap(c => c.args)].some(v =>
      [...valuesIn(v, unit)].some(divides)
    )
    || (depth < 2 && unit.calls.some(c => c.target !== undefined && countsDays(file, file.units[c.target]!, folding, depth + 1)))
}

/** `LocalDateTime.of(2024, 5, 18, 17, 23, 22, 111_000_000)`: a part of a date is no count of seconds. */
const OF_PARTS = /(^|[.:])((Local|Zoned|Offset)\w*Time\.of|LocalTime\.of|time\.Date|Date\.(new|UTC)|DateTime\.new|datetime)$/

/** Somewhere in the file stands a moment that is the same everywhere. */
export const hasMoment = (file: Pick<FileFacts, 'units'>): boolean =>
  file.units.some(u => {
    const parts = new Set(u.calls.filter(c => OF_PARTS.test(c.name) && c.args.length > 2).flatMap(c => c.args))
    return [...u.calls.flatMap(c => [...c.args, ...Object.values(c.named)]), ...u.writes.map(w => w.value)].some(v =>
      [...valuesIn(v, u)].some(p =>
        p.is === 'literal' && !parts.has(p)
        && (typeof p.value === 'number'
          ? isEpoch(p.value)
          : typeof p.value === 'string' && p.value.length < 500 && /\d:\d/.test(p.value) && ABSOLUTE_TEXT.test(p.value))
      )
    )
  })

const ZONE_WRITES = /(^|[.\s])TZ$|^time\.Local$|^process\.env\.TZ$|defaultZone$/
const ZONE_CALLS =
  /(^|[.:])(tzset|setTimezoneOffset|[tT]imezone_?[mM]ock\.register|(TimeZone|DateTimeZone|tz)\.setDefault|timezone\.(override|activate))$/
const ZONE_MARKERS = /DefaultTimeZone|TIME_ZONE|timezone|\bTZ\b/
const ZONE_NAME = /^(UTC|GMT|UTC0|EST5EDT|[A-Z]\w+\/[A-Z]\w+(\/\w+)?)$/

/** The file sets the zone for all of its tests. */
export const pinsZone = (file: Facts): boolean => file.units.some(u => u.role.is !== 'test' && u.role.is !== 'helper' && isZoneSetIn(u))

/** The zone is set in this unit, or by a helper that it calls. */
export const setsZone = (file: Facts, u: Unit): boolean =>
  isZoneSetIn(u) || curedBeyond(file, u, 'zone') || u.calls.some(c => c.target !== undefined && isZoneSetIn(file.units[c.target]!))

function isZoneSetIn(u: Unit): boolean {
  const isTz = (v: Value): boolean => (v.is === 'literal' && v.value === 'TZ') || (v.is === 'group' && v.of.some(isTz))
  return u.markers.some(m => ZONE_MARKERS.test(m.name + (m.key ?? '')))
    || u.writes.some(w =>
      ZONE_WRITES.test(w.target) || (/environ/.test(w.target) && w.value.is === 'literal' && ZONE_NAME.test(String(w.value.value)))
    )
    || u.calls.some(c => ZONE_CALLS.test(c.name) || 'TZ' in c.named || c.args.some(isTz))
}

// How a text hangs on the host's locale: separators of numbers, names of months and days.

import type { Call, FileFacts, Language, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { effectOf, has, isInSpan, valuesIn } from '../../facts/query.ts'
import type { Origin } from '../flow.ts'

/** A pattern with a name in it: a month's, a day's, the half of a day. */
const NAMED = /M{3,}|L{3,}|E+|G+|(^|[^'\w])a($|[^'\w])/
/** Whose `%,d` and `%.2f` go by the default locale. */
const FORMATS_BY_LOCALE = new Set<Language>(['java'])

/** A conversion that goes by the locale as it is used here: a pattern of digits alone does not. */
export function isByLocale(origin: Origin, file: Pick<FileFacts, 'units'>): boolean {
  const call = file.units[origin.unit]!.calls[origin.call]!
  return isCallByLocale(call)
}

export function isCallByLocale(call: Call): boolean {
  const effect = effectOf(call, 'locale')
  // `toLocaleString(undefined, …)` leaves it to the machine as well.
  if (effect?.note === 'unless' && call.args.length > 0) return call.args[0]!.is === 'literal' && call.args[0]!.value === null
  if (effect?.note !== 'pattern') return effect !== undefined
  const pattern = call.args[0]
  return pattern?.is === 'literal' && typeof pattern.value === 'string' && NAMED.test(pattern.value)
}

const SEPARATED = /%[-+ 0#(]*,[\d.]*[df]|%[\d-]*(\.\d+)?f/

/** A text made by a format with separators: `String.format("%,d", n)`; with a locale before the pattern it is pinned. */
export const formattedText = (value: Value, unit: Unit, language: Language): boolean =>
  FORMATS_BY_LOCALE.has(language)
  && [...valuesIn(value, unit)].some(v =>
    v.is === 'text' && v.parts[0]?.is === 'literal' && SEPARATED.test(String(v.parts[0].value))
    // `"/caf%c3%a9" + "/menu"` is put together, not formatted.
    && v.parts.slice(1).some(p => p.is !== 'literal' || typeof p.value !== 'string')
  )

/** The same by a helper of the file that gives such a text. */
export const formattedBy = (value: Value, unit: Unit, { units, language }: Pick<FileFacts, 'units' | 'language'>): boolean => {
  const target = value.is === 'call' ? unit.calls[value.call]!.target : undefined
  return target !== undefined && !setsLocale({ units }, units[target]!)
    && units[target]!.returns.some(r => formattedText(r, units[target]!, language))
}

/** They go by the locale whatever they are given; a pattern that another call gives may hold names. */
const FORMATTERS =
  /^java\.text\.(DecimalFormat\.new|NumberFormat\.get\w*Instance|DateFormat\.get\w+Instance|SimpleDateFormat\.new)$|^java\.time\.format\.DateTimeFormatter\.ofLocalized\w+$|^Intl\.\w+\.new$|(^|[.:])toLocale(String|DateString|TimeString)$/

export const isFormatter = (call: Call): boolean =>
  FORMATTERS.test(call.name) && (isCallByLocale(call) || (effectOf(call, 'locale')?.note === 'pattern' && call.args[0]?.is === 'call'))

/** `new Intl.NumberFormat().resolvedOptions()`: whoever asks a formatter what it goes by reckons with it. */
export const asksLocale = (unit: Unit, call: Call): boolean =>
  unit.calls.some(c => /[.]resolvedOptions$/.test(c.name) && c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call)

/** `assertEquals(format.format(a), format.format(b))`: both sides go by the same formatter, whatever it shows. */
export const comparesItself = (unit: Unit, call: Call): boolean => {
  const kept = unit.writes.find(w => w.value.is === 'call' && unit.calls[w.value.call] === call)?.target
  const isBy = (c: Call): boolean => kept !== undefined && c.receiver?.is === 'name' && c.receiver.path === kept
  const goesBy = (v: Value): boolean => [...valuesIn(v, unit)].some(x => x.is === 'call' && isBy(unit.calls[x.call]!))
  if (unit.assertions.some(a => a.operands.length > 1 && a.operands.every(goesBy))) return true
  // What it makes is only said when something fails.
  const uses = unit.calls.filter(isBy)
  return uses.length > 0
    && uses.every(u =>
      unit.writes.some(w =>
        /(^|_)(msg|message|description|reason)$|[a-z](Msg|Message)$/.test(w.target) && w.span.start <= u.span.start
        && w.span.end >= u.span.end
      )
    )
}

const STARTS =
  /(^|[.:])(Command(Context)?|Command::new|ProcessBuilder\.new|exec|execSync|execFile|execFileSync|spawn|spawnSync|execa|run|check_output|check_call|call|Popen|getoutput)$/
const GIT_SAYS =
  /\b(nothing to commit|not a git repository|working tree clean|Untracked files|Changes to be committed|Changes not staged|Your branch is|Already up.to.date|did not match any file)/
const TOOLS_SAY =
  /\b(No such file or directory|Permission denied|command not found|Is a directory|Not a directory|cannot access|File exists|Directory not empty|syntax error|missing operand|unrecognized option|invalid option)\b/
const TOOLS = /^(ls|cat|cp|mv|rm|mkdir|rmdir|stat|head|tail|touch|chmod|grep|find|bash|sh|dash)$/

/** The command that a call starts: `exec.Command("sort", …)`, `Command::new("git")`, or in the shell the call itself. */
function commandOf(call: Call, language: Language): string | undefined {
  if (language === 'bash') return call.name.split(' ')[0]
  if (!STARTS.test(call.name)) return undefined
  const first = call.args[0]?.is === 'group' ? call.args[0].of[0] : call.args[0]
  return first?.is === 'literal' && typeof first.value === 'string' ? first.value.split(' ')[0] : undefined
}

export const isCommand = (call: Call): boolean => STARTS.test(call.name)

/**
 * Whether a command that goes by the locale of its environment could have given what is expected: a text in English, or lines in the order
 * of one locale.
 */
export function speaksByLocale(call: Call, language: Language, expected: readonly (string | number)[]): 'order' | 'words' | undefined {
  const command = commandOf(call, language)
  if (command === undefined || ['LC_ALL', 'LC_COLLATE', 'LANG'].some(name => name in call.named)) return undefined
  const says = (what: RegExp) => expected.some(e => typeof e === 'string' && what.test(e))
  // By number, by version or by month it is the same everywhere.
  if (command === 'sort')
    return !call.args.some(a => a.is === 'literal' && /^-[a-zA-Z]*[nghMVR]/.test(String(a.value))) && isOrderOfOneLocale(linesOf(expected))
      ? 'order'
      : undefined
  // In the shell, programs of the project speak by themselves.
  return (command === 'git' && says(GIT_SAYS)) || (TOOLS.test(command) && language !== 'bash' && says(TOOLS_SAY)) ? 'words' : undefined
}

/** Lines, or the words of a single line that was made of them. */
function linesOf(expected: readonly (string | number)[]): string[] {
  const lines = expected.flatMap(e => (typeof e === 'string' ? e.split(/\n|\\n/) : [])).filter(l => l !== '')
  const texts = lines.filter(l => /^\S+( \S+){2,} ?$/.test(l))
  return lines.length <= 2 && texts.length === 1 ? texts[0]!.trim().split(' ') : lines
}

/** Lines in the order of their bytes, or of a dictionary, but not both. */
function isOrderOfOneLocale(lines: readonly string[]): boolean {
  const isSorted = (of: readonly string[]) => of.every((l, i) => i === 0 || of[i - 1]! <= l)
  return new Set(lines).size > 2 && isSorted(lines) !== isSorted(lines.map(l => l.toLowerCase().replace(/[^a-z\d]/g, '')))
}

/** What an expected text holds where a locale was at work: grouped digits or a fraction, the name of a month or day, the half of a day. */
const LOCAL_TEXT =
  /\d[,.']\d{3}(?!\d)|\d,\d\d?\b|\b(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sept?(ember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?)[ ,./:-]+\d|\d[ ,./:-]+(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sept?(ember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?)\b|\b(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?\b|\d ?[AP]M\b|[€$£]\s?\d|\b\d{1,2}\/\d{1,2}\/\d{2,4}/
export const isLocalText = (value: string | number): boolean => typeof value === 'string' && LOCAL_TEXT.test(value)

/** `setlocale(LC_ALL, '')` takes over what the machine has, rather than pinning it. */
export const takesOver = (call: Call): boolean =>
  /(^|[.:])setlocale$/.test(call.name) && call.args[1]?.is === 'literal' && call.args[1].value === ''

const SETS = /(^|[.:])(Locale\.setDefault|locale\.setlocale|setlocale|moment\.locale|dayjs\.locale|setDefaultLocale)$/

const PINS = /^(LC_ALL|LC_MESSAGES|LC_COLLATE|LANG|LANGUAGE)(=|$)/
const isPin = (value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].some(v =>
    (v.is === 'literal' && typeof v.value === 'string' && PINS.test(v.value))
    || (v.is === 'text' && v.parts[0]?.is === 'literal' && PINS.test(String(v.parts[0].value)))
  )

/** The file sets the locale for all of its tests. */
export const pinsLocale = (file: Pick<FileFacts, 'units'>): boolean =>
  file.units.some(u => u.role.is !== 'test' && u.role.is !== 'helper' && isLocaleSetIn(u))

/** The locale is set in this unit, or by a helper that it calls. */
export const setsLocale = (file: Pick<FileFacts, 'units'>, u: Unit): boolean =>
  isLocaleSetIn(u) || u.calls.some(c => c.target !== undefined && isLocaleSetIn(file.units[c.target]!))

const isLocaleSetIn = (
  u: Unit,
): boolean => (u.calls.some(c => c.args.some(a => isPin(a, u))) || u.writes.some(w => isPin(w.value, u))
  || u.markers.some(m => /DefaultLocale/.test(m.name))
  || u.calls.some(c =>
    (SETS.test(c.name) && !takesOver(c) && !(/setlocale$/.test(c.name) && (c.args.length === 1 || putsBack(c, u)))) || 'LC_ALL' in c.named
    || 'LANG' in c.named
  ) || u.writes.some(w => /(^|[.\s])(LC_ALL|LANG|LC_\w+)$/.test(w.target)))

/** `setlocale(LC_ALL, old)`: what was there before comes back. */
const putsBack = ({ args: [, to] }: Call, u: Unit): boolean =>
  to?.is === 'name'
  && u.writes.some(w => w.target === to.path && w.value.is === 'call' && /(set|get)locale$/.test(u.calls[w.value.call]!.name))

const NAMES_OF_HERE = /(^|[.])(getDisplay(Language|Country|Month)|getLocalizedMessage)$/
/** Nodes, tests and users have display names too, which their makers gave them. */
const NAMED_BY_LOCALE = /locale|zone|\btz\b|currency|month|day|calendar|\bera\b|language|country/i
const isNamedByLocale = ({ name, receiver }: Call, unit: Unit): boolean =>
  /(^|[.])getDisplayName$/.test(name)
  && NAMED_BY_LOCALE.test(
    `${name} ${receiver?.is === 'name' ? receiver.path : receiver?.is === 'call' ? unit.calls[receiver.call]!.name : ''}`,
  )
const ERRORS =
  /^(Connection refused|Connection reset( by peer)?|No such file or directory|Permission denied|Address already in use|Broken pipe)\b/

/** For a reader: printed, logged, `log.info().attr("rate", …)`, or what an exception or a skipped test says. */
function isTold(call: Call, unit: Unit): boolean {
  for (let at: Call | undefined = call; at; at = at.receiver?.is === 'call' ? unit.calls[at.receiver.call] : undefined)
    if (has(at, 'log') || /(Exception|Error)\.new$/.test(at.name)
      || /(^|[.])(print(ln|f)?|assume\w*|fail|logg?(er)?[.]\w+)$/i.test(at.name)) return true
  return false
}

/**
 * Texts of the machine's own language, wherever they go: `String.format("%.2f", x)`, `Locale.US.getDisplayName()`, what the system says of
 * an error, an order of words.
 */
export function localTexts(unit: Unit, language: Language, folding: Folding, textOf: (span: Span) => string): readonly Span[] {
  if (language === 'bash') return printedByNumber(unit, textOf)
  if (language === 'python')
    return unit.calls.filter(c =>
      /(^|[.])(escape|raises|assertRaisesRegexp?|match|search|assertIn|assertEqual)$/.test(c.name)
      && [...c.args, ...Object.values(c.named)].some(saysWindows)
    ).map(c => c.span)
  if (language === 'typescript') return unit.calls.filter(c => /[.]localeCompare$/.test(c.name) && c.args.length === 1).map(c => c.span)
  if (language !== 'java') return []
  // What an assertion says when it fails is not what it judges.
  const isInMessage = ({ span }: Call): boolean =>
    unit.assertions.some(a =>
      a.span.start <= span.start && a.span.end >= span.end && !a.operands.some(o => formattedText(o, unit, language))
    )
  // `String stock = String.format("%f", all)` that is only said when something fails.
  const isSaid = (target: string): boolean => {
    const names = (v: Value): boolean => [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path === target)
    const uses = unit.calls.filter(c => [...c.args, ...(c.receiver ? [c.receiver] : [])].some(names))
    return uses.length > 0 && !unit.assertions.some(a => a.operands.some(names))
      && uses.every(u => isTold(u, unit) || unit.assertions.some(a => a.span.start <= u.span.start && a.span.end >= u.span.end))
  }
  // `logger.debug("%,d", n)`: the code is given such a format as well, and goes by the same locale.
  if (unit.calls.some(c =>
    c.args.some(a => a.is === 'literal' && typeof a.value === 'string' && SEPARATED.test(a.value)) && c.args.length > 1
  ))
    return []
  const said = unit.writes.filter(w => isSaid(w.target))
  const isInSaid = ({ span }: { readonly span: Span }): boolean => said.some(w => w.span.start <= span.start && w.span.end >= span.end)
  const told = unit.calls.filter(c => isTold(c, unit) && formattedText({ is: 'group', of: c.args }, unit, language))
  const texts = [...unit.writes,
    ...unit.calls.filter(c => !told.some(t => isInSpan(t.span, c.span)) && !isInMessage(c)).map(c => ({ span: c.span,
      value: { is: 'group', of: c.args } as const })
    )]
    .filter(t => formattedText(t.value, unit, language) && !isInSaid(t))
  const named = unit.calls.filter(c =>
    (NAMES_OF_HERE.test(c.name) || isNamedByLocale(c, unit) || /(^|[.])to(Lower|Upper)Case$/.test(c.name)) && c.args.length === 0
  )
  const templated = unit.calls.filter(c =>
    !isTold(c, unit)
    && c.args.some(a => a.is === 'text' && a.parts[0]?.is === 'name' && SEPARATED.test(String(fold(a.parts[0], unit, folding))))
  )
  const errors = unit.calls.filter(c =>
    /(^|[.])(contains|hasMessage\w*|startsWith|equals)$/.test(c.name) && c.args[0]?.is === 'literal' && ERRORS.test(String(c.args[0].value))
  )
  return [...texts, ...templated, ...named, ...errors].map(f => f.span)
}

/** What Windows says of an error, in the language it was installed in. */
const saysWindows = (value: Value): boolean =>
  value.is === 'literal' && typeof value.value === 'string' && /\[WinError \d+\\?\] [A-Z]/.test(value.value)

const BY_NUMBER = String.raw`(?:'[^'\n]*\\u[\da-fA-F]{2}[^'\n]*'|"[^"\n]*[^\\]\\u[\da-fA-F]{2}[^"\n]*")`
const PRINTS = String.raw`\b(?:echo\s+-[a-zA-Z]*e[a-zA-Z]*|printf)\s+${BY_NUMBER}`
/** Into a variable, a pipe or a file; what goes to the terminal is a decoration. */
const KEPT = new RegExp(
  String
    .raw`\$\(\s*${PRINTS}|${PRINTS}[^\n;|&>]*(?:\|(?!\|)|>>?\s*(?![&\s]))|(?:\brun\b|\[\[?\s|\bassert\w*\s)[^\n#]*\$'[^'\n]*\\u[\da-fA-F]{2}`,
  'g',
)

/** `printf '\u00e9'`: the shell writes a character in the encoding of the locale, and the bare number where that has none. */
function printedByNumber(unit: Unit, textOf: (span: Span) => string): Span[] {
  const text = textOf(unit.span)
  const isCode = (at: number) => !/^\s*#/.test(text.slice(text.lastIndexOf('\n', at) + 1, at + 1))
  return Array.from(text.matchAll(KEPT)).filter(m => isCode(m.index)).map(m => ({ start: unit.span.start + m.index,
    end: unit.span.start + m.index + m[0].length })
  )
}

/** `setlocale(LC_ALL, 'de_DE.UTF-8')` raises where that locale is not installed; whoever reckons with that catches it or skips. */
export const lackedLocale = (unit: Unit): Span | undefined =>
  unit.regions.some(r => r.kind === 'catch') || unit.skips.length > 0
    ? undefined
    : unit.calls.find(c =>
      c.name === 'locale.setlocale' && c.args[1]?.is === 'literal' && /^[a-z]{2,3}_[A-Z]{2}\b/.test(String(c.args[1].value))
    )?.span

// How a text hangs on the host's locale: separators of numbers, names of months and days.

import type { FileFacts, Language, Unit, Value } from '../facts/facts.ts'
import { effectOf, valuesIn } from '../facts/query.ts'
import type { Origin } from './flow.ts'

/** A pattern with a name in it: a month's, a day's, the half of a day. */
const NAMED = /M{3,}|L{3,}|E+|(^|[^'\w])a($|[^'\w])/
/** Whose `%,d` and `%.2f` go by the default locale. */
const FORMATS_BY_LOCALE = new Set<Language>(['java'])

/** A conversion that goes by the locale as it is used here: a pattern of digits alone does not. */
export function isByLocale(origin: Origin, file: Pick<FileFacts, 'units'>): boolean {
  const call = file.units[origin.unit]!.calls[origin.call]!
  const effect = effectOf(call, 'locale')
  if (effect?.note !== 'pattern') return effect !== undefined
  const pattern = call.args[0]
  return pattern?.is === 'literal' && typeof pattern.value === 'string' && NAMED.test(pattern.value)
}

/** A text made by a format with separators: `String.format("%,d", n)`; with a locale before the pattern it is pinned. */
export const formattedText = (value: Value, unit: Unit, language: Language): boolean =>
  FORMATS_BY_LOCALE.has(language) && [...valuesIn(value, unit)].some(v => v.is === 'text' && v.parts[0]?.is === 'literal' && /%[-+ 0#(]*,\d*[df]|%[\d-]*\.\d+f/.test(String(v.parts[0].value)) && v.parts.length > 1)

const SETS = /(^|[.:])(Locale\.setDefault|locale\.setlocale|setlocale|moment\.locale|dayjs\.locale|setDefaultLocale)$/

/** The file sets the locale itself. */
export const pinsLocale = (file: Pick<FileFacts, 'units'>): boolean =>
  file.units.some(u => u.markers.some(m => /DefaultLocale/.test(m.name)) || u.calls.some(c => SETS.test(c.name) || 'LC_ALL' in c.named || 'LANG' in c.named) || u.writes.some(w => /(^|[.\s])(LC_ALL|LANG|LC_\w+)$/.test(w.target)))

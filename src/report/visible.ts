// Text from a stranger's repository, made harmless: what would move the cursor, recolour the terminal, turn the writing
// direction or not be seen at all is spelled out instead.

// The two variation selectors that only choose how an emoji is drawn are let through; all other hidden characters are not.
const HIDDEN = /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const LONE_SURROGATE = /\p{Cs}/gu
const PLAIN = /^[\x20-\x7e]*$/
const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\x1b': '\\x1b' }

export const isPlain = (text: string): boolean => PLAIN.test(text)

/** One line, with every hidden character spelled out. */
export const visible = (text: string): string => (isPlain(text) ? text : text.replace(HIDDEN, spell))

const spell = (hidden: string): string => SHORT[hidden] ?? `\\u{${hidden.codePointAt(0)!.toString(16)}}`

/** Half a surrogate pair is no character: strict JSON readers refuse it. */
export const wellFormed = (text: string): string => (isPlain(text) ? text : text.replace(LONE_SURROGATE, '\uFFFD'))

/** JSON that says the same with hidden characters escaped: it may be printed on a terminal too. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, v: unknown) => (typeof v === 'string' ? wellFormed(v) : v), 2)
  return `${text.replace(HIDDEN, c => (c === '\n' ? c : escapeUnits(c)))}\n`
}

function escapeUnits(character: string): string {
  let escaped = ''
  for (let i = 0; i < character.length; i++) escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  return escaped
}

/** At most `limit` UTF-16 units, never half a character. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

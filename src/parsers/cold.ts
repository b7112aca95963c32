// Blanks the bodies of functions in which nothing of interest stands, at equal length, before the grammar sees them.
// Parsing costs by the character, and even in a file that passed the screen most functions are of no interest. The
// headers stay, so tests are still seen and counted.

/** How a language of braces is read without a grammar. */
export interface Lexicon {
  /** What the text between the last `;`, `{` or `}` and a brace must hold for the brace to open a function's body. */
  readonly header: RegExp
  /** The function's name in such a header, as its first group. */
  readonly name: RegExp
  readonly lineComment: string
  /** Quotes of strings with escapes; of strings without. */
  readonly quotes: string
  readonly rawQuotes: string
  /** `'a` is no string in Rust. */
  readonly lifetimes: boolean
}

/** Small bodies stay: set-ups that bind a constant, helpers that only forward. */
const SMALL = 240

interface Body {
  readonly start: number
  readonly end: number
  readonly name: string
}

export function withoutColdBodies(text: string, hits: readonly number[], lexicon: Lexicon): string {
  const bodies = bodiesOf(text, lexicon)
  if (!bodies.some(isLarge)) return text
  const hot = new Set<Body>()
  let fresh: readonly number[] = hits
  // Who calls a function of interest is of interest too: helpers are seen through.
  for (let round = 0; round < 3 && fresh.length > 0; round++) {
    const warmed = bodies.filter(b => !hot.has(b) && holds(fresh, b))
    warmed.forEach(b => hot.add(b))
    const names = [...new Set([...warmed.map(b => b.name), ...(round === 0 ? boundOutside(text, hits, bodies) : [])].filter(n => n.length > 2))]
    fresh = names.length === 0 ? [] : Array.from(text.matchAll(new RegExp(`\\b(?:${names.join('|')})\\b`, 'g')), m => m.index)
  }
  let out = '', at = 0
  for (const body of bodies) {
    if (hot.has(body) || !isLarge(body)) continue
    out += text.slice(at, body.start) + ' '.repeat(body.end - body.start)
    at = body.end
  }
  return out + text.slice(at)
}

/** What a hit outside of all functions is bound to: a constant path, a shared generator. */
function boundOutside(text: string, hits: readonly number[], bodies: readonly Body[]): string[] {
  const outside = hits.filter(h => !bodies.some(b => b.start <= h && h < b.end))
  return outside.flatMap(h => /([A-Za-z_]\w*)\s*(?::[^=\n]*)?:?=(?!=)/.exec(text.slice(text.lastIndexOf('\n', h) + 1, h))?.[1] ?? [])
}

const isLarge = (body: Body): boolean => body.end - body.start > SMALL

/** Whether one of the sorted offsets lies in the body. */
function holds(offsets: readonly number[], { start, end }: Body): boolean {
  let low = 0, high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (offsets[middle]! < start) low = middle + 1
    else high = middle
  }
  return low < offsets.length && offsets[low]! < end
}

/** The outermost functions' bodies, without their braces, in order. */
function bodiesOf(text: string, lexicon: Lexicon): Body[] {
  const bodies: Body[] = []
  let depth = 0, boundary = 0, functionDepth = -1, bodyStart = 0, name = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (c === lexicon.lineComment[0] && text.startsWith(lexicon.lineComment, i)) {
      i = ending(text, '\n', i)
    } else if (c === '/' && text[i + 1] === '*') i = ending(text, '*/', i + 2) + 1
    else if (lexicon.rawQuotes.includes(c)) i = ending(text, c, i + 1)
    else if (c === '"' && text.startsWith('"""', i) && !lexicon.lifetimes) i = ending(text, '"""', i + 3) + 2
    else if (lexicon.lifetimes && c === 'r' && /^r#*"/.test(text.slice(i, i + 8)) && !/\w/.test(text[i - 1] ?? '')) {
      const hashes = text.indexOf('"', i) - i - 1
      i = ending(text, `"${'#'.repeat(hashes)}`, i + hashes + 2) + hashes
    } else if (c === "'" && lexicon.lifetimes) i = text[i + 1] === '\\' ? ending(text, "'", i + 3) : text[i + 2] === "'" ? i + 2 : i
    else if (lexicon.quotes.includes(c)) i = quoted(text, c, i)
    else if (c === '{') {
      if (functionDepth === -1) {
        const header = text.slice(boundary, i)
        if (lexicon.header.test(header)) {
          functionDepth = depth
          bodyStart = i + 1
          name = lexicon.name.exec(header)?.[1] ?? ''
        }
      }
      depth++
      boundary = i + 1
    } else if (c === '}') {
      depth--
      if (depth === functionDepth) {
        bodies.push({ start: bodyStart, end: i, name })
        functionDepth = -1
      }
      boundary = i + 1
    } else if (c === ';' && functionDepth === -1) boundary = i + 1
  }
  // Braces that do not match: we have not understood the file, so nothing of it is blanked.
  return depth === 0 ? bodies : []
}

function ending(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from)
  return at === -1 ? text.length : at
}

function quoted(text: string, quote: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === quote || text[i] === '\n') return i
  }
  return text.length
}

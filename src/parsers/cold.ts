// Takes out the functions in which nothing of interest stands, before the grammar sees them. Parsing costs by the
// character, and even in a file that passed the screen most functions are of no interest. What was taken out is
// remembered, so that places can be told in the whole file; tests are counted in the whole text.

/** How a language of braces is read without a grammar. */
export interface Lexicon {
  /** What the text between the last `;`, `{` or `}` and a brace must hold for the brace to open a function's body. */
  readonly header: RegExp
  /** The function's name in such a header, as its first group. */
  readonly name: RegExp
  /** Where in the header the function begins; all of it is the function's where this is left out. */
  readonly begin?: RegExp
  /** The header of what a runner calls after tests. It puts back what they change, so it stays, whatever is in it. */
  readonly after?: RegExp
  /** Comments and strings, so that the signs in them are not read, and the signs `( ) { } ;`. */
  readonly token: RegExp
}

/** Small bodies stay: set-ups that bind a constant, helpers that only forward. */
const SMALL = 240

/** Only helpers up to this size are seen through, so only their callers matter. */
const WRAPPER = 400

interface Body {
  readonly start: number
  readonly end: number
  readonly name: string
  readonly stays: boolean
}

export interface Shortened {
  readonly code: string
  /** A place in the shortened code, told in the whole text. */
  readonly placeOf: (offset: number) => number
}

const whole = (text: string): Shortened => ({ code: text, placeOf: offset => offset })

export function withoutColdBodies(text: string, hits: readonly number[], lexicon: Lexicon): Shortened {
  const bodies = bodiesOf(text, lexicon)
  if (!bodies.some(isLarge)) return whole(text)
  const hot = new Set<Body>()
  let fresh: readonly number[] = hits
  // Who calls a function of interest is of interest too: helpers are seen through.
  for (let round = 0; round < 2 && fresh.length > 0; round++) {
    const warmed = bodies.filter(b => !hot.has(b) && holds(fresh, b))
    warmed.forEach(b => hot.add(b))
    const names = [...new Set([...warmed.filter(b => b.end - b.start <= WRAPPER).map(b => b.name), ...(round === 0 ? boundOutside(text, hits, bodies) : [])].filter(n => n.length > 2))]
    fresh = names.length === 0 ? [] : Array.from(text.matchAll(new RegExp(`\\b(?:${names.join('|')})\\b`, 'g')), m => m.index)
  }
  const pieces: string[] = []
  /** Where each kept piece begins in the code, and how much was taken out before it. */
  const starts: number[] = [0], gaps: number[] = [0]
  let at = 0, length = 0, gap = 0
  for (const body of bodies) {
    if (hot.has(body) || !isLarge(body)) continue
    pieces.push(text.slice(at, body.start))
    length += body.start - at
    at = body.end
    gap += body.end - body.start
    starts.push(length)
    gaps.push(gap)
  }
  if (pieces.length === 0) return whole(text)
  pieces.push(text.slice(at))
  return { code: pieces.join(''), placeOf: offset => offset + gaps[lastAtMost(starts, offset)]! }
}

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0, high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sorted[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** What a hit outside of all functions is bound to: a constant path, a shared generator. */
function boundOutside(text: string, hits: readonly number[], bodies: readonly Body[]): string[] {
  const outside = hits.filter(h => !bodies.some(b => b.start <= h && h < b.end))
  return outside.flatMap(h => /([A-Za-z_]\w*)\s*(?::[^=\n]*)?:?=(?!=)/.exec(text.slice(text.lastIndexOf('\n', h) + 1, h))?.[1] ?? [])
}

const isLarge = (body: Body): boolean => !body.stays && body.end - body.start > SMALL

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

/** The outermost functions, headers included, in order. */
function bodiesOf(text: string, lexicon: Lexicon): Body[] {
  const bodies: Body[] = []
  let depth = 0, parens = 0, boundary = 0, functionDepth = -1, start = 0, name = '', stays = false
  for (const match of text.matchAll(lexicon.token)) {
    const sign = match[0], i = match.index
    if (sign === '(') parens++
    else if (sign === ')') parens--
    else if (sign === '{') {
      if (functionDepth === -1 && parens === 0) {
        const header = text.slice(boundary, i)
        if (lexicon.header.test(header)) {
          functionDepth = depth
          start = boundary + (lexicon.begin ? Math.max(0, header.search(lexicon.begin)) : 0)
          name = lexicon.name.exec(header)?.[1] ?? ''
          stays = lexicon.after?.test(header) ?? false
        }
      }
      depth++
      if (parens === 0) boundary = i + 1
    } else if (sign === '}') {
      depth--
      if (depth === functionDepth) {
        bodies.push({ start, end: i + 1, name, stays })
        functionDepth = -1
        parens = 0
      }
      if (parens === 0) boundary = i + 1
    } else if (sign === ';' && parens === 0) boundary = i + 1
  }
  // Braces that do not match: we have not understood the file, so nothing of it is taken out.
  return depth === 0 ? bodies : []
}

// Macros, unfolded before parsing. The grammar reads what a macro is given as loose tokens, so `assert!(a < b)` would say
// nothing. Where the tokens of a well-known macro are expressions or items, the text is rewritten so that they are read as
// such: `assert!(` becomes the call `assert_(`, `vec![` an array, `proptest! {` a module. Every edit keeps the length, so
// that offsets hold; names are always read from the file's own text, where `assert!` still has its mark.

/** Given expressions in parentheses, perhaps with `name = value` among them. */
const CALLED = new Set(['assert', 'assert_eq', 'assert_ne', 'debug_assert', 'debug_assert_eq', 'debug_assert_ne', 'prop_assert',
  'prop_assert_eq', 'prop_assert_ne', 'prop_assume', 'assert_lt', 'assert_le', 'assert_gt', 'assert_ge', 'assert_ok', 'assert_err',
  'assert_some', 'assert_none', 'assert_ok_eq', 'assert_some_eq', 'assert_pending', 'assert_ready', 'assert_ready_eq', 'assert_ready_ok',
  'assert_ready_err', 'assert_str_eq', 'assert_approx_eq', 'assert_relative_eq', 'assert_abs_diff_eq', 'assert_ulps_eq', 'format',
  'format_args', 'concat', 'print', 'println', 'eprint', 'eprintln', 'write', 'writeln', 'panic', 'unreachable', 'todo', 'unimplemented',
  'dbg', 'join', 'try_join', 'pin', 'ensure', 'bail', 'anyhow', 'ready'])
const PATTERNED = new Set(['matches', 'assert_matches', 'debug_assert_matches', 'prop_assert_matches', 'assert_let'])
const ITEMS = new Set(['proptest', 'lazy_static', 'thread_local'])

export interface Unfolded {
  readonly code: string
  /** Where a rewritten `select!` block begins. */
  readonly selects: ReadonlySet<number>
  /** Where a rewritten `mod` begins, and the macro it was. */
  readonly items: ReadonlyMap<number, string>
}

type Kind = 'plain' | 'patterned' | 'snapshot' | 'json' | 'json-inside' | 'select' | 'proptest' | 'parameters' | 'lazy_static'

interface Frame {
  readonly kind: Kind
  readonly at: number
  /** Commas of this frame, or of a `select!` where its present arm begins. */
  commas: number[]
  head: number
  inBody: boolean
  cut: number
}

const TOKEN =
  /\/\/|\/\*|\b(?:br|cr|r)(#*)"|"|'(?:\\(?:u\{[^}']*\}|x[0-9a-fA-F]{2}|.)|[\ud800-\udbff][\udc00-\udfff]|[^\\'\n])'|[([{)\]}]|[,;]|=>|->|&raw\b(?!\s+(?:const|mut)\b)|[=!<>+*/%&|^-]=|=|::|:|\b(?:in|ref|else|unsafe(?=\s+extern\s*(?:"[^"]*"\s*)?\{))\b|\b(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*!(?=\s*[([{])/g

export function unfold(text: string): Unfolded {
  const selects = new Set<number>(), items = new Map<number, string>()
  if (!text.includes('!')) return { code: text, selects, items }
  const edits: { at: number; end: number; by: string }[] = []
  const put = (at: number, by: string) => edits.push({ at, end: at + by.length, by })
  const blank = (at: number, end: number) => end > at && edits.push({ at, end, by: text.slice(at, end).replace(/[^\n]/g, ' ') })
  const stack: Frame[] = []
  const push = (kind: Kind, at: number) => stack.push({ kind, at, commas: [], head: at + 1, inBody: false, cut: -1 })
  let next: Kind = 'plain'
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const token = match[0], at = match.index
    const top = stack.at(-1)
    const past = skip(text, token, at, match[1])
    if (past !== undefined) {
      TOKEN.lastIndex = past
      continue
    }
    if (token.endsWith('!') && token.length > 1 && token !== '!=') {
      next = begin(token, at)
      continue
    }
    switch (token) {
      case '(':
      case '[':
      case '{': {
        let kind = next
        next = 'plain'
        if (kind === 'plain' && token !== '(' && (top?.kind === 'json' || top?.kind === 'json-inside')
          && /[:,[({]\s*$/.test(text.slice(Math.max(0, at - 80), at)))
        {
          kind = 'json-inside'
          if (token === '{') put(at, '(')
        } else if (kind === 'plain' && token === '(' && top?.kind === 'proptest'
          && /\bfn\s+\w+\s*$/.test(text.slice(Math.max(0, at - 120), at))) kind = 'parameters'
        push(kind, at)
        break
      }
      case ')':
      case ']':
      case '}':
        stack.pop()
        if (top) close(top, at, token)
        if (top) afterBody(stack.at(-1), at)
        break
      case ',':
        if (top?.kind === 'select') {
          if (top.inBody) {
            put(at, ';')
            top.inBody = false
            top.head = at + 1
          } else if (text.slice(top.head, at).trim() === '') {
            put(at, ' ')
            top.head = at + 1
          } else if (top.cut < 0) top.cut = at
        } else if (top?.kind === 'parameters') {
          if (top.cut >= 0) blank(top.cut, at)
          top.cut = -1
        } else top?.commas.push(at)
        break
      case ';':
        if (top?.kind === 'select' && !top.inBody) top.head = at + 1
        break
      case '->':
        if (top?.kind === 'select' && !top.inBody && top.cut < 0) top.cut = at
        break
      case '=>':
        if (top?.kind === 'select' && !top.inBody) {
          if (top.cut >= 0) blank(top.cut, at)
          put(at, '; ')
          top.cut = -1
          top.inBody = true
        }
        break
      case '=':
        if (top?.kind === 'select' && !top.inBody && top.cut < 0) pattern(top.head, at)
        break
      case ':':
        if (top?.kind === 'json-inside') put(at, ',')
        break
      case 'in':
        if (top?.kind === 'parameters' && top.cut < 0) {
          put(at, ':X')
          top.cut = at + 2
        }
        break
      case 'ref':
        if (top?.kind === 'lazy_static') blank(at, at + 3)
        break
      case '&raw':
        // A variable of that name, not the operator.
        put(at + 1, 'rav')
        break
      case 'unsafe':
        // `unsafe extern "C" {` is younger than the grammar.
        blank(at, at + 6)
        break
      case 'else':
        if (top?.kind === 'select' && !top.inBody) blank(at, at + 4)
        break
    }
  }
  return { code: apply(text, edits), selects, items }

  /** A macro's name: what the bracket after it opens. */
  function begin(word: string, at: number): Kind {
    const end = at + word.length
    const bracketAt = end + /^\s*/.exec(text.slice(end, end + 200))![0].length
    const bracket = text[bracketAt]
    const name = word.slice(word.lastIndexOf(':') + 1, -1)
    const called = (kind: Kind): Kind => {
      put(end - 1, '_')
      return kind
    }
    if (bracket === '(') {
      if (CALLED.has(name)) return called('plain')
      if (PATTERNED.has(name)) return called('patterned')
      if (/^assert_(\w+_)?snapshot$/.test(name)) return called('snapshot')
      if (name === 'json') return called('json')
    }
    if (name === 'vec' && bracket === '[') blank(at, end)
    if (bracket === '{' && ITEMS.has(name)) {
      put(at, 'mod p'.padEnd(word.length))
      items.set(at, name)
      return name === 'thread_local' ? 'plain' : name as Kind
    }
    // `select_biased!` too; crossbeam's `select!` differs in its heads only.
    if (bracket === '{' && /^select(_biased)?$/.test(name)) {
      blank(at, end)
      selects.add(bracketAt)
      return 'select'
    }
    return 'plain'
  }

  function close(frame: Frame, at: number, bracket: string): void {
    if (frame.kind === 'patterned' && frame.commas.length > 0) blank(frame.commas[0]!, at)
    if (frame.kind === 'parameters' && frame.cut >= 0) blank(frame.cut, at)
    if (frame.kind === 'json-inside' && bracket === '}') put(at, ')')
    if (frame.kind === 'snapshot')
      frame.commas.forEach((comma, i) => {
        const end = frame.commas[i + 1] ?? at
        if (/^,\s*[@{]/.test(text.slice(comma, comma + 200))) blank(comma, end)
      })
  }

  /** A block as the body of a `select!` arm needs no comma after it. */
  function afterBody(outer: Frame | undefined, at: number): void {
    if (outer?.kind !== 'select' || !outer.inBody || text[at] !== '}') return
    if (/^\s*(?:\.|\?|,|else\b(?!\s*=>))/.test(text.slice(at + 1, at + 80))) return
    outer.inBody = false
    outer.head = at + 1
  }

  /** What an arm binds: a name stays as the target of an assignment, any other pattern goes. */
  function pattern(from: number, eq: number): void {
    const head = text.slice(from, eq)
    const single = /^\s*(?:\w+\(\s*)?(?:mut\s+)?([a-z]\w*)\s*\)?\s*$/.exec(head)
    if (!single) return void blank(from, eq + 1)
    const at = from + head.search(new RegExp(`\\b${single[1]}\\s*\\)?\\s*$`))
    blank(from, at)
    blank(at + single[1]!.length, eq)
  }
}

/** Past a comment or string that begins here; undefined for any other token. */
function skip(text: string, token: string, at: number, hashes: string | undefined): number | undefined {
  if (token === '//') {
    const end = text.indexOf('\n', at)
    return end < 0 ? text.length : end
  }
  if (token === '/*') return pastComment(text, at)
  if (token === '"') {
    for (let i = at + 1; i < text.length; i++) {
      const c = text[i]
      if (c === '\\') i++
      else if (c === '"') return i + 1
    }
    return text.length
  }
  if (hashes !== undefined) {
    const end = text.indexOf(`"${hashes}`, at + token.length)
    return end < 0 ? text.length : end + 1 + hashes.length
  }
  return token.startsWith("'") ? at + token.length : undefined
}

/** Block comments nest. */
function pastComment(text: string, at: number): number {
  const sign = /\/\*|\*\//g
  sign.lastIndex = at
  let depth = 0
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return sign.lastIndex
  }
  return text.length
}

/** Where edits overlap the earlier one wins: an outer blank leaves nothing of what stands in it. */
function apply(text: string, edits: { at: number; end: number; by: string }[]): string {
  edits.sort((a, b) => a.at - b.at || b.end - a.end)
  const pieces: string[] = []
  let done = 0
  for (const { at, end, by } of edits) {
    if (end <= done) continue
    const from = Math.max(at, done)
    pieces.push(text.slice(done, from), by.slice(from - at))
    done = end
  }
  pieces.push(text.slice(done))
  return pieces.join('')
}

/** A text without its comments and strings, of equal length: for counting. */
export function bare(text: string): string {
  const cuts: { at: number; end: number; by: string }[] = []
  const sign = /\/\/|\/\*|\b(?:br|cr|r)(#*)"|"|'(?:\\.[^']*|[^\\'\n])'/g
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const end = skip(text, match[0], match.index, match[1]) ?? sign.lastIndex
    cuts.push({ at: match.index, end, by: text.slice(match.index, end).replace(/[^\n]/g, ' ') })
    sign.lastIndex = Math.max(end, sign.lastIndex)
  }
  return apply(text, cuts)
}

/** Past the bracket that opens here, in a bare text. */
export function pastBracket(code: string, at: number): number {
  const bracket = /[([{]|[)\]}]/g
  bracket.lastIndex = at
  let depth = 0
  for (let match = bracket.exec(code); match; match = bracket.exec(code)) {
    depth += '([{'.includes(match[0]) ? 1 : -1
    if (depth === 0) return bracket.lastIndex
  }
  return code.length
}

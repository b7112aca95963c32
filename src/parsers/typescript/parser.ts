// JavaScript and TypeScript, from an ESTree to facts. The tree comes from oxc-parser, or from whoever has one of that shape.

import type { Comment, Parsed, Problem } from '../../facts/facts.ts'
import { draft, type Draft } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { readableTree } from './foreign.ts'
import { hoist, type File } from './names.ts'
import { statements } from './statements.ts'
import { spanOf, type Node } from './syntax.ts'

type Oxc = typeof import('oxc-parser')

let oxc: Oxc | undefined

export async function loadParser(): Promise<void> {
  if (oxc) return
  try {
    oxc = await import('oxc-parser')
  } catch (error) {
    throw new Error(
      `JavaScript and TypeScript need the package oxc-parser, which could not be loaded here (${
        error instanceof Error ? error.message.split('\n')[0] : error
      }). `
        + 'It ships one binary per platform as an optional dependency: install without --omit=optional, or on a platform that oxc-parser supports.',
    )
  }
}

type Lang = 'ts' | 'tsx' | 'jsx'
type SourceType = 'module' | 'commonjs'

/** How to read a file, best guess first: a .js file may hold JSX, Flow's types, or a script that no module may contain. */
function attempts(path: string): readonly (readonly [Lang, SourceType])[] {
  const extension = path.slice(path.lastIndexOf('.'))
  switch (extension) {
    case '.ts':
      return [['ts', 'module'], ['tsx', 'module'], ['ts', 'commonjs']]
    case '.mts':
      return [['ts', 'module']]
    case '.cts':
      return [['ts', 'commonjs'], ['ts', 'module']]
    case '.tsx':
      return [['tsx', 'module'], ['tsx', 'commonjs']]
    case '.cjs':
      return [['jsx', 'commonjs'], ['jsx', 'module'], ['tsx', 'commonjs']]
    default:
      return [['jsx', 'module'], ['jsx', 'commonjs'], ['tsx', 'module']]
  }
}

export function parseTypeScript(text: string, options: ParseOptions): Parsed {
  const given = options.tree && readableTree(options.tree, text)
  if (given) return extract(given.program, given.comments, text, options)
  if (!oxc) throw new Error('oxc-parser is not loaded')
  const whole = { start: 0, end: text.length }
  if (tooDeep(text))
    return extract({ type: 'Program', body: [], ...whole }, [], text, options, [{ span: whole, message: 'too deeply nested' }])
  let read = readText(text, options.path, oxc)
  const { problems } = read
  // The parser gives up on the first bad token. Without the top-level statement around it, the others can still be read.
  for (let mended = text, tries = 0; read.program['body'].length === 0 && read.problems.length > 0 && tries < MOST_MENDS; tries++) {
    const next = withoutStatementAt(mended, read.problems[0]!.span.start)
    if (next === mended || next.trim() === '') break
    mended = next
    read = readText(mended, options.path, oxc)
  }
  return extract(read.program, read.comments, text, options, problems)
}

interface Read {
  readonly program: Node
  readonly comments: Node[]
  readonly problems: Problem[]
}

function readText(text: string, path: string, { parseSync }: Oxc): Read {
  let best: Read | undefined
  for (const [lang, sourceType] of attempts(path)) {
    const { program, comments, errors } = parseSync(path || 'file', text, { lang, sourceType, preserveParens: false })
    const problems = errors.map((e): Problem => ({ span: { start: e.labels[0]?.start ?? 0, end: e.labels[0]?.end ?? 0 },
      message: e.message })
    )
    const read = { program: program as unknown as Node, comments: comments as unknown as Node[], problems }
    // A parser that gives up returns an empty program; one that goes on with complaints has read the file.
    if (!best || (best.program['body'].length === 0 && program.body.length > 0) || (problems.length === 0 && program.body.length > 0))
      best = read
    if (problems.length === 0) break
  }
  return best!
}

const MOST_MENDS = 4

/** Blanks the lines from the last one that begins at the margin up to the next such line: offsets stay what they are. */
function withoutStatementAt(text: string, at: number): string {
  const begins = /^[^\s)\]}]/gm
  let start = 0, end = text.length
  for (const { index } of text.matchAll(begins)) {
    if (index < at) start = index
    else if (index > at) {
      end = index
      break
    }
  }
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end)
}

/** Facts of an ESTree program; `comments` are ESTree comments (`type`, `value`, and offsets or a range). */
export function extract(program: Node, comments: readonly Node[], text: string, options: ParseOptions,
  problems: readonly Problem[] = []): Parsed
{
  const file: File = { text, options, units: [], imports: [], fields: new Map(), drivesBrowser: false, problems: [...problems] }
  const module = draft(file.units, { role: { is: 'module' }, name: '', span: { start: 0, end: text.length }, parent: null })
  const env = { names: new Map(), parent: null }
  hoist(program['body'], env, file)
  statements(program['body'], { file, unit: module, region: 0, env, returns: module.returns, frame: null, condition: null, owner: null })
  const read = comments.map(readComment)
  giveReasons(file.units, read, text)
  return { units: file.units, imports: file.imports, comments: read, problems: file.problems }
}

/** Words of a comment that says why a test does not run, unlike one that names the next section. */
const SAYS_WHY =
  /\b(todo|fixme|skip\w*|disabled?|flak\w*|broken|fail\w*|because|since|until|issues?|bug|https?|not (yet|supported|implemented|available)|un(supported|implemented|stable)|does(n't| not)|cannot|can't|needs?|requires?|hangs?|times? out|wait\w*|see)\b|#\d+/i

/** A comment right above a skip, or behind it on its line, is the reason that the runner's API had no place for. */
function giveReasons(units: readonly Draft[], comments: readonly Comment[], text: string): void {
  for (const { skips } of units)
    skips.forEach((skip, i) => {
      if (skip.reason !== null || skip.condition !== null) return
      const { start } = skip.span
      const above = comments.findLastIndex(c => c.span.end <= start)
      const lineEnd = text.indexOf('\n', start)
      const behind = comments.find(c => c.span.start > start && c.span.start < (lineEnd < 0 ? text.length : lineEnd))
      const lines = above < 0 ? [] : linesAbove(comments, above, start, text)
      const reason = [...lines, ...(behind ? [behind.text] : [])].join(' ').replace(/\s+/g, ' ')
      if (SAYS_WHY.test(reason)) skips[i] = { ...skip, reason: reason.slice(0, 200) }
    })
}

/** The comments that end right above an offset, each on the line after the one before. */
function linesAbove(comments: readonly Comment[], last: number, start: number, text: string): string[] {
  const lines: string[] = []
  for (let i = last, below = start; i >= 0 && /^[^\S\n]*\n[^\S\n]*$/.test(text.slice(comments[i]!.span.end, below)); i--) {
    lines.unshift(comments[i]!.text)
    below = comments[i]!.span.start
  }
  return lines
}

function readComment(node: Node): Comment {
  const text = String(node['value'])
  return { span: spanOf(node),
    text: (node.type === 'Block' ? text.replace(/^\*+/, '').replace(/^[ \t]*\*[ \t]?/gm, '') : text.replace(/^\/+/, '')).trim() }
}

// ----------------------------------------------------------------------------------------- hostile nesting

const DEEPEST = 400
const LONGEST_CHAIN = 10_000

/**
 * The parser recurses in native code, and there a nest of thousands of brackets ends the process rather than the parse.
 * Brackets in strings and comments can fool the first, cheap count; only then is the text without them counted.
 */
function tooDeep(text: string): boolean {
  if (text.length < 2 * DEEPEST || !nestsDeep(text)) return false
  return nestsDeep(
    text.replace(
      /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/(?![*/\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g,
      ' ',
    ),
  )
}

const OPENS = 1, CLOSES = 2, ENDS = 3, LINE = 4, OPERATOR = 5, LETTER_E = 6
const KINDS = new Uint8Array(128)
for (const [kind, characters] of [[OPENS, '([{'], [CLOSES, ')]}'], [ENDS, ';,'], [LINE, '\n'], [OPERATOR, '.+-*/?:&|<>=!~'], [LETTER_E,
  'e']] as const)
  for (const c of characters) KINDS[c.charCodeAt(0)] = kind

function nestsDeep(text: string): boolean {
  let depth = 0, chain = 0, elses = 0
  for (let i = 0; i < text.length; i++) {
    switch (KINDS[text.charCodeAt(i)]) {
      case OPENS:
        if (++depth > DEEPEST) return true
        break
      case CLOSES:
        if (depth > 0) depth--
        break
      case ENDS:
        chain = 0
        break
      case LINE:
        // A line that begins with an operator goes on with the chain before it.
        if (KINDS[text.charCodeAt(nextInk(text, i))] !== OPERATOR) chain = 0
        break
      case OPERATOR:
        if (++chain > LONGEST_CHAIN) return true
        break
      case LETTER_E:
        if (text.startsWith('else if', i) && ++elses > LONGEST_CHAIN / 2) return true
    }
  }
  return false
}

function nextInk(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}

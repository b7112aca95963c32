// Comments that silence a rule at a place. Each names its rules and gives a reason; one that does not is itself reported,
// and silences nothing. They are read from comment facts, so they work in every language alike.

import type { Comment, Span } from '../facts/facts.ts'
import { didYouMean } from './nearest.ts'

export type SuppressionForm = 'line' | 'next-line' | 'block' | 'file'

export interface Suppression {
  readonly form: SuppressionForm
  /** Known ones, each once. */
  readonly rules: readonly string[]
  readonly reason: string
  readonly span: Span
  /** Where the comment says it. */
  readonly line: number
  /** The lines it covers, both included. */
  readonly from: number
  readonly to: number
}

/** Reported like findings, but no rules: they cannot be silenced by a comment. */
export const SUPPRESSION_RULES = ['suppression-without-reason', 'unknown-suppression', 'unused-suppression'] as const

export interface SuppressionProblem {
  readonly ruleId: (typeof SUPPRESSION_RULES)[number]
  readonly span: Span
  readonly line: number
  readonly message: string
}

export interface Suppressions {
  readonly suppressions: readonly Suppression[]
  readonly problems: readonly SuppressionProblem[]
}

const DIRECTIVES = ['flakesniff-disable-next-line', 'flakesniff-disable-line', 'flakesniff-disable-file', 'flakesniff-disable',
  'flakesniff-enable'] as const
type Directive = (typeof DIRECTIVES)[number]

const FORMS: Readonly<Record<Exclude<Directive, 'flakesniff-enable'>, SuppressionForm>> = {
  'flakesniff-disable-next-line': 'next-line',
  'flakesniff-disable-line': 'line',
  'flakesniff-disable-file': 'file',
  'flakesniff-disable': 'block',
}

/** A line of a comment that begins with one of our words. */
interface Order {
  readonly word: string
  readonly rules: readonly string[]
  readonly reason: string
  readonly span: Span
  readonly line: number
  readonly lastLine: number
}

interface Reading {
  readonly knownRules: readonly string[]
  readonly lines: readonly string[]
  readonly isCode: (line: number) => boolean
  readonly suppressions: Suppression[]
  readonly problems: SuppressionProblem[]
  /** Blocks that have begun and not ended. */
  readonly open: Open[]
}

interface Open {
  readonly order: Order
  rules: string[]
}

/**
 * `lineOf` gives the line of an offset, from 1; `lines` are the file's lines, the first at index 0.
 */
export function readSuppressions(
  comments: readonly Comment[],
  lineOf: (offset: number) => number,
  knownRules: readonly string[],
  lines: readonly string[],
): Suppressions {
  if (!comments.some(c => c.text.includes('flakesniff-'))) return { suppressions: [], problems: [] }
  const orders = comments.flatMap(c => ordersIn(c, lineOf, lines)).sort((a, b) => a.line - b.line || a.span.start - b.span.start)
  const reading: Reading = { knownRules, lines, isCode: codeLines(comments, lineOf, lines), suppressions: [], problems: [], open: [] }
  for (const order of orders) obey(reading, order)
  for (const { order, rules } of reading.open) closeBlock(reading, order, rules, lines.length)
  const { suppressions, problems } = reading
  return { suppressions: suppressions.sort((a, b) => a.line - b.line || a.span.start - b.span.start), problems }
}

// --- reading comments -----------------------------------------------------------------------------------------------

// Signs may be left at the edges of a comment's inner lines, and of kinds of comments that a parser does not strip.
const OPENING = /^[\s/*#!;<-]*/
const CLOSING = /(?:\*\/|-->)$/

function ordersIn(comment: Comment, lineOf: (offset: number) => number, lines: readonly string[]): Order[] {
  if (!comment.text.includes('flakesniff-')) return []
  const first = lineOf(comment.span.start), lastLine = lineOf(Math.max(comment.span.start, comment.span.end - 1))
  let line = first
  return comment.text.split(/\r?\n/).flatMap(raw => {
    const text = raw.replace(OPENING, '').trimEnd().replace(CLOSING, '').trimEnd()
    const found = /^(flakesniff-[\w-]*)(?:\s+|$)(.*)$/.exec(text)
    if (!found) return []
    // The text has lost its edges: which line of the file it stands on, the file says.
    while (line < lastLine && !(lines[line - 1] ?? '').includes(text)) line++
    const [names, reason] = splitReason(found[2]!)
    return [{ word: found[1]!, rules: names.split(/[\s,]+/).filter(n => n !== ''), reason, span: comment.span, line, lastLine }]
  })
}

function splitReason(text: string): [string, string] {
  const at = /(?:^|\s)--+(?:\s|$)/.exec(text)
  return at ? [text.slice(0, at.index), text.slice(at.index + at[0].length).trim()] : [text, '']
}

/** Whether a line holds more than blanks and comments. */
function codeLines(comments: readonly Comment[], lineOf: (offset: number) => number, lines: readonly string[]): (line: number) => boolean {
  const commented = new Set<number>()
  for (const { span } of comments) {
    const first = lineOf(span.start), last = lineOf(Math.max(span.start, span.end - 1))
    if (/^\s*(?:\/\/|\/\*|#|--|;|<!--)/.test(lines[first - 1] ?? '') && !/\*\/\s*\S/.test(lines[first - 1]!)) commented.add(first)
    for (let line = first + 1; line <= last; line++) if (line < last || !/\*\/\s*\S/.test(lines[line - 1] ?? '')) commented.add(line)
  }
  return line => !commented.has(line) && (lines[line - 1] ?? '').trim() !== ''
}

// --- obeying them ---------------------------------------------------------------------------------------------------

function obey(reading: Reading, order: Order): void {
  if (!isDirective(order.word)) {
    problem(reading, 'unknown-suppression', order, `${order.word} is no form of suppression${didYouMean(order.word, DIRECTIVES)}`)
    return
  }
  const rules = knownAmong(reading, order)
  if (order.word === 'flakesniff-enable') enable(reading, order, rules)
  else if (rules.length > 0) disable(reading, order, FORMS[order.word], rules)
}

const isDirective = (word: string): word is Directive => (DIRECTIVES as readonly string[]).includes(word)

function knownAmong(reading: Reading, order: Order): string[] {
  const isAll = (name: string) => /^(?:all|\*)$/i.test(name)
  if (order.word !== 'flakesniff-enable' && (order.rules.length === 0 || order.rules.some(isAll)))
    problem(reading, 'unknown-suppression', order,
      `a suppression must name its rules${order.rules.length === 0 ? '' : ': «all» is not accepted'}`)
  return [...new Set(order.rules)].filter(name => {
    if (reading.knownRules.includes(name)) return true
    if (!isAll(name))
      problem(reading, 'unknown-suppression', order, `there is no rule ${JSON.stringify(name)}${didYouMean(name, reading.knownRules)}`)
    return false
  })
}

function disable(reading: Reading, order: Order, form: SuppressionForm, rules: string[]): void {
  if (order.reason === '') {
    const example = `${order.word} ${order.rules.join(', ')} -- why`
    problem(reading, 'suppression-without-reason', order, `a suppression must say why, and silences nothing until it does: ${example}`)
  } else if (form === 'block') reading.open.push({ order, rules })
  else {
    const [from, to] = linesOf(reading, order, form)
    reading.suppressions.push({ form, rules, reason: order.reason, span: order.span, line: order.line, from, to })
  }
}

function linesOf({ lines, isCode }: Reading, order: Order, form: SuppressionForm): [number, number] {
  if (form === 'file') return [1, lines.length]
  if (form === 'line') return [order.line, order.line]
  let line = order.lastLine + 1
  while (line < lines.length && !isCode(line)) line++
  return [line, line]
}

function enable(reading: Reading, order: Order, rules: readonly string[]): void {
  // Naming only rules that do not exist is a slip: it must not end every block.
  if (order.rules.length > 0 && rules.length === 0) return
  let ended = 0
  for (const block of [...reading.open]) {
    const ending = order.rules.length === 0 ? block.rules : block.rules.filter(r => rules.includes(r))
    if (ending.length === 0) continue
    ended++
    closeBlock(reading, block.order, ending, order.line)
    block.rules = block.rules.filter(r => !ending.includes(r))
    if (block.rules.length === 0) reading.open.splice(reading.open.indexOf(block), 1)
  }
  if (ended === 0) problem(reading, 'unused-suppression', order, `${order.word} ends no block: nothing is disabled here`)
}

function closeBlock(reading: Reading, order: Order, rules: readonly string[], to: number): void {
  reading.suppressions.push({ form: 'block', rules, reason: order.reason, span: order.span, line: order.line, from: order.line, to })
}

function problem({ problems }: Reading, ruleId: SuppressionProblem['ruleId'], { span, line }: Order, message: string): void {
  problems.push({ ruleId, span, line, message })
}

// --- applying them --------------------------------------------------------------------------------------------------

/** What a suppression needs to know of a finding. */
export interface Silenceable {
  readonly ruleId: string
  readonly startLine: number
}

export interface Applied<F> {
  readonly kept: readonly F[]
  readonly suppressed: readonly (F & { readonly suppressed: { readonly reason: string } })[]
  /** One for each comment with rules that had nothing to silence. */
  readonly unused: readonly SuppressionProblem[]
}

const NARROW_FIRST: readonly SuppressionForm[] = ['line', 'next-line', 'block', 'file']

/**
 * For the findings of one file. A finding is silenced where it begins, by the narrowest suppression that fits. A rule that
 * is not on has no findings, and that makes no suppression of it needless: `isOn` tells.
 */
export function applySuppressions<F extends Silenceable>(
  findings: readonly F[],
  suppressions: readonly Suppression[],
  isOn: (ruleId: string) => boolean = () => true,
): Applied<F> {
  const ordered = [...suppressions].sort((a, b) => NARROW_FIRST.indexOf(a.form) - NARROW_FIRST.indexOf(b.form) || b.from - a.from)
  const used = new Map<Suppression, Set<string>>(suppressions.map(s => [s, new Set()]))
  const kept: F[] = [], suppressed: (F & { suppressed: { reason: string } })[] = []
  for (const finding of findings) {
    const by = ordered.find(s => s.rules.includes(finding.ruleId) && s.from <= finding.startLine && finding.startLine <= s.to)
    if (!by) kept.push(finding)
    else {
      used.get(by)!.add(finding.ruleId)
      suppressed.push({ ...finding, suppressed: { reason: by.reason } })
    }
  }
  return { kept, suppressed, unused: unusedOf(used, isOn) }
}

function unusedOf(used: ReadonlyMap<Suppression, ReadonlySet<string>>, isOn: (ruleId: string) => boolean): SuppressionProblem[] {
  return [...used].flatMap(([{ rules, span, line }, needed]) => {
    const idle = rules.filter(r => !needed.has(r) && isOn(r))
    const message = `nothing to silence here for ${idle.join(', ')}: remove the suppression`
    return idle.length === 0 ? [] : [{ ruleId: 'unused-suppression' as const, span, line, message }]
  })
}

// What the comment beside a wait says that it is for. Whoever wrote it knew what the code cannot show: that another thread must come so far, or
// that nothing but time has to pass.

import type { Assertion, Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { has } from '../../facts/query.ts'

type TextOf = (span: Span) => string

/**
 * It waits for somebody to start or to come so far, or only for the clock: a slow machine is late for the first two and not for the third. Or
 * nothing shall have changed meanwhile.
 */
export type Purpose = 'start' | 'somebody' | 'clock' | 'still'

const CLOCK =
  /\bexpir(e[sd]?|y|ation|ing)\b|\belaps(e[sd]?|ing)\b|\btime-?stamps?\b|\bmtime\b|\bstale(ness)?\b|\bwarm[ -]?up\b|\bslow(s|ed|ing)? down\b|\bsimulat|\bback-?off\b|\bgaps?\b|\bapart\b|\b(different|next|new|another) (second|millisecond|tick)\b|\b(pending|idle|older|old|lasts?|unused) (for )?(more|longer|at least)? ?than\b|\b(a|one) second has\b|\blife-?times?\b|\babandon\w*/i

/** What is asked after it is whether all is as before. */
const STILL =
  /\b(should|must|is|are|it'?s|if|that)\b.{0,24}\bstill\b(?! (not|start|boot|load|be(ing)? (start|process)|in progress))|\bwrongly\b|\b(verif(y|ies)|check|assert|ensure|make sure|see)s? (that )?.{0,40}\b(is|are|was|were|has|have|did|does|do)(n'?t| not| no) |\b(which|that|it) (should|must)(n'?t| not)\b/i

const START = /\bstart(s|ed|ing|up|-up)?\b|\b(be|is|are|get|gets|becomes?|come|comes) (ready|up)\b|\blisten(s|ing)?\b|\bboot(s|ed|ing)?\b/i

const SOMEBODY =
  /\b(wait(s|ing)?|giv(e|es|ing)|lets?|letting|allow(s|ing)?|ensures?|mak(e|ing) sure|until|so that|settle[sd]?|propagat\w*|ready|hope\w*|flak\w*|rac(e|es|y)|synchron\w*|background|finish\w*|process\w*|complet\w*|chance|catch(es)? up|kicks? in|takes? effect|pick(s|ed)? up)\b/i

/** The comment at the end of its line, or the lines of comment right above it; or what is logged before it. */
export function purposeOf({ comments }: Pick<FileFacts, 'comments'>, unit: Unit, { span }: Call, textOf: TextOf): Purpose | undefined {
  const before = unit.calls.findLast(c => c.span.end <= span.start)
  const said = beside(comments, span, textOf) || (before && has(before, 'log') ? textOf(before.span) : '')
  return CLOCK.test(said) ? 'clock' : STILL.test(said) ? 'still' : START.test(said) ? 'start' : SOMEBODY.test(said) ? 'somebody' : undefined
}

/**
 * `// the order is still open`, `"must not be sent twice"`: what is said of the assertion that comes next is that nothing has changed. A value
 * that must not be empty has changed.
 */
export function staysSame({ comments }: Pick<FileFacts, 'comments'>, { span: { end } }: Call, next: Assertion, textOf: TextOf): boolean {
  const remarks = comments.filter(c => c.span.start >= end && c.span.end <= next.span.start).map(c => c.text)
  return remarks.some(r => STAYS.test(r)) || MUST_NOT.test(textOf(next.span))
    || (next.claims === 'presence' && ALIVE.test(textOf(next.span)))
}

/** Whoever was alive before the sleep is so still. */
const ALIVE = /\bis_?alive\b/i

const EMPTY = '(?! (?:be |been )?(?:nil|null|none|empty|zero|blank)\\b)'
const STAYS = new RegExp(`\\bstill\\b(?! not)|\\bunchanged\\b|\\b(?:must|should|does|did|has|have|was|were) ?n(?:o|')t\\b${EMPTY}`, 'i')
const MUST_NOT = new RegExp(`['"\`][^'"\`]*\\b(?:(?:must|should) not\\b${EMPTY}|(?:must|should) (?:still|remain|stay|be blocked)\\b)`, 'i')

function beside(comments: FileFacts['comments'], { start, end }: Span, textOf: TextOf): string {
  const aside = comments.filter(c =>
    c.span.start >= end && c.span.start < end + LINE && !textOf({ start: end, end: c.span.start }).includes('\n')
  )
  const above: string[] = []
  let from = start - /[^\n]*$/.exec(textOf({ start: Math.max(0, start - LINE), end: start }))![0].length
  for (const comment of comments.filter(c => c.span.end <= from && c.span.end > start - PARAGRAPH).sort((a, b) =>
    b.span.end - a.span.end
  )) {
    const line = /[^\n]*$/.exec(textOf({ start: Math.max(0, comment.span.start - LINE), end: comment.span.start }))![0]
    // What stands behind code speaks of that code.
    if (!/^\s*(\n\s*)?$/.test(textOf({ start: comment.span.end, end: from })) || line.trim() !== '') break
    above.unshift(comment.text)
    from = comment.span.start - line.length
  }
  return [...above, ...aside.map(c => c.text)].join(' ')
}

const LINE = 240
const PARAGRAPH = 1200

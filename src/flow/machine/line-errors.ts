// What systems say of a line that is gone and of a name that nobody knows. Which of the words comes depends on who closes first, on whether
// somebody was just writing, on the system and on its name servers: a test that demands one of them fails by the others.

import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { asksSystem, type Dependence } from './platforms.ts'

interface Seen {
  readonly facts: FileFacts
  readonly textOf: (span: Span) => string
}

interface Kind {
  readonly words: RegExp
  readonly says: string
}

const CLOSED = 'a line that is gone has several names, and who closes first and the system decide which one comes'
const UNKNOWN = 'how a name that nobody knows is reported depends on the system and its name servers'
const KINDS: readonly Kind[] = [
  { words: /ECONNRESET|connection[ _]?(was )?(forcibly closed|reset)( by (the )?(peer|remote host))?|socket hang up/i, says: CLOSED },
  { words: /EPIPE|broken[ _]?pipe/i, says: CLOSED },
  { words: /ECONNABORTED|connection[ _]?(was )?aborted/i, says: CLOSED },
  {
    words:
      /no such host|name or service not known|ENOTFOUND|EAI_AGAIN|nodename nor servname|could not resolve host|temporary failure in name resolution|server misbehaving/i,
    says: UNKNOWN,
  },
]

/** One of these is demanded, and no other would do. On one system, too, either end may be the first to close. */
export function* lineErrors(unit: Unit, view: Seen, knowsSystems: boolean): Generator<Dependence> {
  if (unit.assertions.length > 0 && asksSystem(view.textOf(unit.span))) return
  for (const check of unit.assertions) {
    if (check.claims !== 'presence' || !/^(==|contains|matches|throws)$/.test(check.compare)) continue
    const found = demanded(check, unit, view)
    if (found && !(knowsSystems && found.kind.says === UNKNOWN) && !isMadeHere(found.kind, view))
      yield { at: check.span, message: `demands «${found.word}»: ${found.kind.says}` }
  }
}

function demanded(check: Assertion, unit: Unit, { textOf }: Seen): { readonly word: string; readonly kind: Kind } | undefined {
  const sides = check.operands.map(textsIn)
  // What a failure must match is no operand in every language.
  const apart = check.compare === 'throws' && check.operands.length === 1 ? MATCH.exec(textOf(check.span))?.[1] ?? [] : []
  const at = sides.findIndex(texts => texts.some(t => KINDS.some(k => k.words.test(t))))
  const text = [sides[at] ?? [], apart].flat().join('\n')
  const kinds = KINDS.filter(k => k.words.test(text))
  const [kind] = kinds
  if (!kind || kinds.length > 1 || /\S\|\S|\s\|\s/.test(text)) return undefined
  // What the tested side is given, it gives back.
  const given = check.operands.some((o, i) =>
    i !== at && [...valuesIn(o, unit)].some(v => textsIn(v).some(t => KINDS.some(k => k.words.test(t))))
  )
  return given ? undefined : { word: kind.words.exec(text)![0], kind }
}

const MATCH = /^[^\n]*\bmatch\s*=\s*r?["']([^"'\n]*)["']/

/**
 * Texts and numbers of the system, alone or in the pattern of a record; what stands in a call is given to it. A class of errors is as often
 * raised by a library, which knows why.
 */
const textsIn = (value: Value): string[] =>
  value.is === 'literal' && typeof value.value === 'string'
    ? [value.value]
    : value.is === 'name' && /^(errno|syscall|unix)\.E[A-Z]+$/.test(value.path)
    ? [value.path]
    : value.is === 'group'
    ? value.of.flatMap(textsIn)
    : []

/** The file speaks of it beside its assertions and messages: a stand-in fails with this very error. */
function isMadeHere({ words }: Kind, { facts, textOf }: Seen): boolean {
  const [whole] = facts.units
  const text = textOf(whole!.span), from = whole!.span.start
  const aside = [...facts.comments.map(c => c.span), ...facts.units.flatMap(
    u => [...(u === whole ? [] : [u.nameSpan]), ...u.assertions.map(a => ({ start: a.span.start, end: a.compare === 'throws'
      ? endOfLine(text, a.span, from)
      : a.span.end })
    ), ...u.calls.filter(isMessage).map(c => c.span)],
  )]
  const all = new RegExp(words.source, 'gi')
  return [...text.matchAll(all)].some(({ index }) => !aside.some(s => s.start <= from + index && from + index < s.end))
}

/** What must fail may span a whole block, in which stand-ins are made. */
const endOfLine = (text: string, { start, end }: Span, from: number): number => {
  const line = text.indexOf('\n', start - from)
  return line === -1 ? end : Math.min(end, from + line)
}

const isMessage = (call: Call): boolean =>
  has(call, 'log', 'exit') || /^testing\.|(^|[.:])(fail|Fatalf?|Logf?|panic!|println!?)$/.test(call.name)

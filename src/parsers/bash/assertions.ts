// Which commands claim something, and what: tests that stand alone, the assertion libraries' commands, and guards that fail.

import { UNKNOWN, literal, type Comparison, type Span, type Value } from '../../facts/facts.ts'
import { assertCondition, claimOf, type Draft } from '../build.ts'
import { ASSERTS, ASSERT_FLAGS, CHECKS, STATUS, rowOf } from './frameworks.ts'
import { asNumber, compared, testValue, type Token } from './expressions.ts'
import { isOwn, type Place, type Scope } from './scope.ts'

/** A word of a command. */
export interface Word {
  readonly span: Span
  /** Its text where nothing in it is expanded. */
  readonly literal: string | undefined
  /** Without quotes, so that it can be an operator or a flag. */
  readonly bare: boolean
  readonly value: Value
}

/** Like `assertCondition`, with what only the shell has: patterns, and a status where zero is the good news. */
export function assertTest(unit: Draft, value: Value, span: Span, region: number, negated = false): void {
  if (value.is === 'unknown') return
  if (value.is !== 'op') return assertCondition(unit, value, span, region, negated)
  const judged = judgedAs(value)
  if (judged) return assertTest(unit, judged.of, span, region, negated !== judged.denied)
  const [left, right] = value.of
  if (value.op === (negated ? 'or' : 'and')) return value.of.forEach(part => assertTest(unit, part, span, region, negated))
  if (value.op === 'not') return assertTest(unit, left ?? UNKNOWN, span, region, !negated)
  if (value.op === '=~')
    return void unit.assertions.push({ span, compare: 'matches', operands: value.of, claims: negated ? 'absence' : 'presence', in: region })
  if (left?.is === 'name' && STATUS.has(left.path) && right?.is === 'literal' && (value.op === '==' || value.op === '!=')) {
    const equals = (value.op === '==') !== negated
    const succeeds = equals === (right.value === 0 || right.value === '0')
    return void unit.assertions.push({ span, compare: equals ? '==' : '!=', operands: value.of, claims: succeeds ? 'presence' : 'absence',
      in: region })
  }
  assertCondition(unit, value, span, region, negated)
}

/** `"$(echo "$took < 2" | bc)" -eq 1`: the comparison itself is what is asserted. */
function judgedAs(value: Value): { readonly of: Value; readonly denied: boolean } | undefined {
  if (value.is !== 'op' || !/^[=!]=$/.test(value.op)) return undefined
  const of = value.of.find(v => v.is === 'op' && /^[<>]=?$/.test(v.op)), held = value.of.find(v => v.is === 'literal')
  return of && held?.is === 'literal' && /^[01]$/.test(String(held.value))
    ? { of, denied: (String(held.value) === '0') !== (value.op === '!=') }
    : undefined
}

/** A command that is an assertion by its name; `wrapped` is the command it runs, where it runs one. */
export function assertCommand(name: string, words: readonly Word[], span: Span, at: Place, scope: Scope, wrapped: Value | undefined): void {
  const { unit, region } = at
  const push = (compare: Comparison, operands: readonly Value[], claims: 'presence' | 'absence', tolerance?: Value): void =>
    void unit.assertions.push({ span, compare, operands, claims, in: region, ...(tolerance && { tolerance }) })
  if (name === 'run') return expectedStatus(words, push)
  if (name === 'assert' || name === 'refute') return assertWords(words, span, at, name === 'refute', wrapped)
  if (name === 'assertTrue' || name === 'assertFalse') return assertScript(words, span, at, name === 'assertFalse', scope)
  if (name === 'The' && words.some(w => w.literal === 'should')) return described(words, push)
  const known = rowOf(ASSERTS, name.replace(/^\w+::/, ''))
  if (known) {
    const { positional, compare: flagged, stdin } = withoutFlags(words)
    const compare = flagged ?? known.compare
    const values = stdin && at.stdin ? [at.stdin] : positional.map(w => w.value)
    const operands = known.of.map(o => (typeof o === 'string' ? { is: 'name', path: o } as const : values.at(o))).filter(v =>
      v !== undefined
    )
    if (/^[=!]=$/.test(compare) && operands.length === 2 && judgedAs({ is: 'op', op: compare, of: operands }))
      return assertTest(unit, { is: 'op', op: compare, of: operands }, span, region)
    const given = known.of.length === 2 && operands.length < 2 ? 'truth' : compare
    return push(given, operands, known.absence ? 'absence' : claimOf(given, operands),
      known.tolerance === undefined ? undefined : values.at(known.tolerance))
  }
  if (/^(\w+::)?(assert|refute)(_|[A-Z])/.test(name))
    return push('other', words.map(w => w.value),
      /^refute|_not_|Not[A-Z]|_no_|empty|absent|missing|fails?(_|$)/.test(name) ? 'absence' : 'presence')
  const check = rowOf(CHECKS, name)
  if (check && unit.role.is === 'test' && !isOwn(name, span.start, scope)) {
    const positional = words.filter(w => !(w.bare && w.literal?.startsWith('-'))).map(w => w.value)
    const [pattern = UNKNOWN, ...files] = positional
    push(check, check === 'matches' ? [at.stdin ?? files[0] ?? UNKNOWN, pattern] : positional.slice(0, 2), 'presence')
  }
}

const MATCHERS: Readonly<Record<string, Comparison>> = { equal: '==', eq: '==', include: 'contains', match: 'matches', start: 'contains',
  end: 'contains' }

/** ShellSpec: `The line 1 should equal 'x'`, `The status should be failure`. */
function described(words: readonly Word[],
  push: (compare: Comparison, operands: readonly Value[], claims: 'presence' | 'absence') => void): void
{
  const should = words.findIndex(w => w.literal === 'should')
  const told = words.slice(0, should).map(w => w.literal ?? '').join(' '),
    [first, ...rest] = words.slice(should + 1).filter(w => w.literal !== 'not')
  const path = /status/.test(told) ? 'status' : /stderr|error/.test(told) ? 'stderr' : /line/.test(told) ? 'lines' : 'output'
  const of: Value = /^(value|variable|file|path|dir)/.test(told) ? words[should - 1]?.value ?? UNKNOWN : { is: 'name', path }
  const compare = rowOf(MATCHERS, first?.literal ?? '') ?? 'truth', expected = rest.at(-1)?.value
  const denied = words[should + 1]?.literal === 'not' || /^(failure|blank|undefined)$/.test(rest.at(-1)?.literal ?? '')
  push(compare, compare === 'truth' || !expected ? [of] : [of, expected], denied ? 'absence' : 'presence')
}

export const asToken = (word: Word): Token => ({ text: word.bare ? word.literal ?? null : null, value: () => word.value })

/** `run -0 cmd` and `run ! cmd` fail the test when the command ends otherwise. */
function expectedStatus(words: readonly Word[],
  push: (compare: Comparison, operands: readonly Value[], claims: 'presence' | 'absence') => void): void
{
  const flag = words.find(w => w.literal === '!' || /^-\d+$/.test(w.literal ?? ''))?.literal
  if (flag === undefined || words.findIndex(w => w.literal === flag) > words.findIndex(w => !/^(!|-.*)$/.test(w.literal ?? ''))) return
  const status: Value = { is: 'name', path: 'status' }
  if (flag === '!') push('!=', [status, literal(0)], 'absence')
  else push('==', [status, literal(Number(flag.slice(1)))], flag === '-0' ? 'presence' : 'absence')
}

/** bats-assert's `assert [ -e x ]` and `assert cmd`, podman's `assert "$x" == "y" "message"`. */
function assertWords(words: readonly Word[], span: Span, at: Place, negated: boolean, wrapped: Value | undefined): void {
  const [first, second, third] = words
  if (!first) return
  const opens = first.bare ? first.literal : undefined
  if (opens === '[' || opens === '[[' || opens === 'test')
    return assertTest(at.unit, testValue(words.slice(1, opens === 'test' ? undefined : -1).map(asToken)), span, at.region, negated)
  const sign = second?.literal
  if (sign !== undefined && third && /^(=|==|!=|=~|!~|-eq|-ne|-lt|-le|-gt|-ge)$/.test(sign))
    return assertTest(at.unit, compared(sign, first.value, third.value), span, at.region, negated)
  assertTest(at.unit, wrapped ?? first.value, span, at.region, negated)
}

/** shUnit2's `assertTrue "[ $n -lt 5 ]"` evaluates what it is given. */
function assertScript(words: readonly Word[], span: Span, at: Place, negated: boolean, scope: Scope): void {
  const last = words.at(-1)
  if (!last) return
  const source = scope.text.slice(last.span.start, last.span.end)
  const quoted = /^(["'])([\s\S]*)\1$/.exec(source)
  const tests = quoted !== null && /^\s*(\[|test\s)/.test(quoted[2]!)
  // What was called while it was quoted is not read twice.
  const value = !tests
    ? last.value
    : /[\\`]|\$\(/.test(source)
    ? quotedTest(last.value)
    : scope.script(quoted[2]!, last.span.start + 1, { ...at, asserts: false })
  assertTest(at.unit, value, span, at.region, negated)
}

/** `"[ $(count) -lt 5 ]"`: blanks of the literal parts part the words. */
function quotedTest(value: Value): Value {
  if (value.is !== 'text') return value
  const tokens = value.parts.flatMap((part): Token[] =>
    part.is !== 'literal'
      ? [{ text: null, value: () => part }]
      : String(part.value).split(/\s+/).filter(Boolean).map(text => ({ text, value: () => asNumber({ is: 'literal', value: text }) }))
  )
  return testValue(tokens.filter(t => !/^(\[\[?|\]\]?|test)$/.test(t.text ?? '')))
}

function withoutFlags(words: readonly Word[]): { positional: Word[]; compare?: Comparison; stdin: boolean } {
  const positional: Word[] = []
  let compare: Comparison | undefined, stdin = false
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const flag = word.bare && word.literal !== undefined && positional.length === 0 ? rowOf(ASSERT_FLAGS, word.literal) : undefined
    if (flag === 'value') i++
    else if (flag === 'stdin') stdin = true
    else if (flag) compare = flag
    else if (!(word.bare && word.literal === '--')) positional.push(word)
  }
  return { positional, stdin, ...(compare && { compare }) }
}

// Attributes, read from their text: what they make of a unit.

import type { Span } from '../../facts/facts.ts'
import type { Draft } from '../build.ts'
import type { Node } from '../tree-sitter.ts'
import { MARKERS, TEST_ATTRIBUTES } from './frameworks.ts'
import { lastOf, resolve, row, spanOf, textOf, type Body } from './names.ts'

export interface Attribute {
  readonly span: Span
  /** As written, without blanks: `tokio::test`. */
  readonly path: string
  readonly args: string | null
  readonly value: string | null
  /** The first part of a `cfg_attr` around it. */
  readonly condition: string | null
}

export function attributesOf(node: Node, body: Pick<Body, 'scope'>): Attribute[] {
  const text = textOf(node, body.scope)
  return read(text.replace(/^#!?\s*\[/, '').replace(/\]\s*$/, ''), spanOf(node), null)
}

function read(text: string, span: Attribute['span'], condition: string | null): Attribute[] {
  const match = /^\s*(?:unsafe\s*\(\s*)?((?:\w+\s*::\s*)*\w+)\s*(?:\(([\s\S]*)\)|=\s*([\s\S]*?))?\s*\)?$/.exec(text)
  if (!match) return []
  const path = match[1]!.replace(/\s+/g, '')
  if (path === 'cfg_attr' && match[2] !== undefined) {
    const [when, ...inner] = splitTop(match[2])
    return inner.flatMap(i => read(i, span, (when ?? '').trim()))
  }
  return [{ span, path, args: match[2]?.trim() ?? null, value: match[3]?.trim() ?? null, condition }]
}

/** At commas that stand in no bracket and no string. */
function splitTop(text: string): string[] {
  const parts: string[] = []
  let depth = 0, from = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[([{]|[)\]}]|,/g)) {
    if ('([{'.includes(token)) depth++
    else if (')]}'.includes(token)) depth--
    else if (token === ',' && depth === 0) {
      parts.push(text.slice(from, index))
      from = index + 1
    }
  }
  return [...parts, text.slice(from)].filter(p => p.trim() !== '')
}

const unquote = (text: string): string => text.replace(/^r?#*"([\s\S]*)"#*$/, '$1')

/** A comment above counts where it speaks of not running. */
const SPEAKS =
  /ignor|skip|disabl|flak|manual|slow|broken|fail|\bhang|\brac(e|y)\b|unsupported|unnecessary|requires?\b|needs?\b|only (run|be run)|todo|fixme|https?:|#\d+/i

/** Why a test is put away, in the words of a comment: beside the attribute, or above it and its fellows. */
function toldBeside(span: Span, text: string): string | null {
  const beside = /^[ \t]*\/\/+[ \t]*(\S[^\n]*)/.exec(text.slice(span.end, span.end + 300))?.[1]?.trim()
  if (beside) return beside
  const above = text.slice(Math.max(0, span.start - 2000), span.start).split('\n').slice(0, -1)
  while (/^\s*#\[.*\]\s*$/.test(above.at(-1) ?? '')) above.pop()
  const first = above.findLastIndex(line => !/^\s*\/\//.test(line)) + 1
  const told = above.slice(first).map(line => line.replace(/^\s*\/\/[/!]?\s*/, '')).join(' ').trim()
  return SPEAKS.test(told) ? told.slice(0, 200) : null
}

export const isForTests = ({ path, args }: Attribute): boolean =>
  path === 'cfg' && /(^|[(,\s])test\s*($|[),])/.test(args ?? '') && !/not\s*\(\s*test\s*\)/.test(args ?? '')

export function mark(unit: Draft, attributes: readonly Attribute[], body: Body): void {
  for (const attribute of attributes) {
    const { span, path, args, value, condition } = attribute
    const last = lastOf(path)
    if (path === 'ignore') {
      // A benchmark that is left out hides no failure.
      if (!attributes.some(a => lastOf(a.path) === 'bench'))
        unit.skips.push({ span, how: '#[ignore]', reason: value === null ? toldBeside(span, body.scope.text) : unquote(value), condition })
    } else if (path === 'cfg') {
      if (isForTests(attribute))
        unit.markers.push({ span, is: 'other', name: 'cfg(test)' })
    } else if (TEST_ATTRIBUTES.has(last) && /start_paused\s*=\s*true/.test(args ?? ''))
      unit.markers.push({ span, is: 'frozen-clock', name: path, key: args! })
    else if (row(MARKERS, last)) {
      const known = row(MARKERS, last)!
      const key = args ?? (value === null ? undefined : unquote(value))
        ?? (known.is === 'serial' || known.is === 'parallel' ? '' : undefined)
      unit.markers.push({ span, is: known.is, name: known.name ?? resolve(path, body).name, ...(key !== undefined && { key }) })
    } else if (TEST_ATTRIBUTES.has(last) && path !== 'test')
      unit.markers.push({ span, is: 'other', name: path, ...(args !== null && { key: args }) })
  }
}

// Sharness, and the harness of Git that it grew from, quote their tests: `test_expect_success 'adds' '…'`. The body is read where it
// stands.

import { field, fieldsOf, type Node } from '../tree-sitter.ts'
import { textOf, type Scope, type Title } from './scope.ts'

const EXPECTS = /^[ \t]*test_expect_(?:success|failure|unstable)[ \t]+[^\s(]/

/** A line that begins a test; the library that defines the commands begins none. */
export const beginsTest = (line: string): boolean => EXPECTS.test(line)
const ANY = new RegExp(EXPECTS.source, 'm')
export const expectsTests = (text: string): boolean => text.includes('test_expect_') && ANY.test(text)

export interface Quoted extends Title {
  /** As long as what stands in the file, and so are its offsets. */
  readonly script: string
  readonly start: number
}

/** The test that a command declares: `test_expect_success [PREREQUISITE] title body`; the body `-` comes from a heredoc. */
export function quotedTest(node: Node, scope: Scope, heredoc?: Node): Quoted | null {
  if (!EXPECTS.test(textOf(node, scope))) return null
  // The grammar passes over the dash before a heredoc.
  const words = fieldsOf(node, 'argument').filter(w => textOf(w, scope) !== '-')
  const inside = heredoc?.children.find(c => c.type === 'heredoc_body')
  const body = inside ?? words.at(-1), title = words.at(inside ? -1 : -2)
  if (!body || !title) return null
  const named = { title: textOf(title, scope).replace(/^(["'])([\s\S]*)\1$/, '$2'), span: { start: title.start, end: title.end } }
  if (inside) return { ...named, script: asSteps(textOf(inside, scope)), start: inside.start }
  const quoted = /^(["'])([\s\S]*)\1$/.exec(textOf(body, scope))
  if (!quoted) return null
  // `\$x` in double quotes is `$x` to the test; a blank keeps the length.
  const script = quoted[1] === "'" ? unescaped(quoted[2]!) : quoted[2]!.replace(/\\(["$`\\])/g, ' $1')
  return { ...named, script: asSteps(script), start: body.start + 1 }
}

export const isQuotedTest = (node: Node | undefined, scope: Scope): boolean =>
  node?.type === 'command' && EXPECTS.test(`${textOf(field(node, 'name'), scope)} x`)

/** A chain of `&&` fails with its first command that fails, as do the commands of a test that end at every failure. */
const asSteps = (script: string): string => script.replace(/&&(?=[ \t]*(?:#[^\n]*)?$)/gm, ' ;')

/** `'\''` is a quote inside of quotes; empty strings beside it keep its length. */
function unescaped(script: string): string {
  let open = false
  return script.replace(/'\\''|'"'"'/g, sign => {
    open = !open
    const fill = sign.length === 4 ? "$''" : '""""'
    return open ? `${fill}'` : `'${fill}`
  })
}

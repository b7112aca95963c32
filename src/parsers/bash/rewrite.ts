// `@test "adds an item" {` is no Bash. bats turns it into a function before Bash reads it, and so do we, but with a name
// of exactly the same length, so that every offset of the tree is an offset of the file.

import { beginsTest, expectsTests } from './sharness.ts'
import type { Title } from './scope.ts'

const LINES = /^[^\n]*@test[^\n]*$/gm
/** bats's own idea of a test: the title reaches to the last brace of the line that has a blank before it. */
const TEST = /^([ \t]*)(@test[ \t]+)([^\n]*[^ \t])[ \t]+\{[^\n]*$/
/** `function adds_an_item { # @test` is Bash already. */
const MARKED = /(?:^|[ \t])([^ \t()]+)[ \t]*\(?\)?[ \t]+\{[ \t]+#[ \t]*@test[ \t\r]*$/

/** The grammar takes `[[ $x = *"a b"* ]]` for a regular expression that ends at the first blank, and then loses its way. */
const PATTERNS = /^[^\n]*\[\[[^\n]* = \*[^\n]*$/gm

export interface Rewritten {
  readonly text: string
  readonly titles: ReadonlyMap<number, Title>
}

export function rewrite(text: string): Rewritten {
  const titles = new Map<number, Title>()
  const readable = text.includes('= *') ? text.replace(PATTERNS, line => line.replaceAll(' = *', ' ==*')) : text
  const rewritten = text.includes('@test') ? readable.replace(LINES, (line, offset: number) => rewriteLine(line, offset, titles)) : readable
  return rewritten.length === text.length ? { text: rewritten, titles } : { text, titles: new Map() }
}

function rewriteLine(line: string, offset: number, titles: Map<number, Title>): string {
  const test = TEST.exec(line)
  if (test) {
    const [, indent = '', keyword = '', quoted = ''] = test
    const brace = line.indexOf('{', indent.length + keyword.length + quoted.length)
    const start = offset + indent.length + keyword.length
    titles.set(offset + indent.length, { title: unquote(quoted), span: { start, end: start + quoted.length } })
    return `${indent}${'t'.repeat(brace - indent.length - 3)}() ${line.slice(brace)}`
  }
  const marked = MARKED.exec(line)
  if (marked) {
    const start = offset + line.indexOf(marked[1]!, marked.index)
    titles.set(start, { title: marked[1]!, span: { start, end: start + marked[1]!.length } })
  }
  return line
}

/** bats takes one quote off each end, and later has Bash read the rest between double quotes. */
const unquote = (quoted: string): string => spoken(quoted.replace(/^['"]/, '').replace(/['"]$/, ''))

/** What bats prints: quotes inside the title end and begin its own, and between those a blank only parts words that are joined again. */
export function spoken(title: string): string {
  let quoted = true
  return title.replace(/\\(["$`\\])|"|[ \t]/g, (sign, escaped: string | undefined) => {
    if (sign === '"') quoted = !quoted
    return escaped ?? (sign === '"' || !quoted ? '' : sign)
  })
}

const HEREDOC = /(?:^|[^<])<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.-]+))/
const SHUNIT = /^[ \t]*(?:function[ \t]+test[\w-]*|test[\w-]*[ \t]*\(\))/
const REGISTERED = /^[ \t]*bats_test_function\b.*?[ \t]--[ \t]+([^\s;]+)/

/** Counted line by line, heredocs left out: the tests of a test runner are often written in them. */
export function countTests(text: string): number {
  const bats = text.includes('@test'), registers = text.includes('bats_test_function')
  const sharness = !bats && expectsTests(text)
  const shunit = !bats && !sharness && sources(text)
  if (!bats && !registers && !shunit && !sharness) return 0
  let count = 0, until = '', tabs = false
  const registered = new Set<string>()
  for (const line of text.split('\n')) {
    if (until !== '') {
      if ((tabs ? line.replace(/^\t+/, '') : line).replace(/\r$/, '') === until) until = ''
      continue
    }
    if (bats && line.includes('@test') && (TEST.test(line) || (!/^\s*#/.test(line) && MARKED.test(line)))) count++
    else if (shunit && SHUNIT.test(line)) count++
    else if (sharness && beginsTest(line)) count++
    else if (registers) {
      const name = REGISTERED.exec(line)?.[1]
      if (name) registered.add(name)
    }
    const heredoc = line.includes('<<') && !/^\s*#/.test(line) ? HEREDOC.exec(line) : null
    if (heredoc && !/\(\([^)]*<</.test(line)) {
      until = heredoc[2] ?? heredoc[3] ?? heredoc[4] ?? ''
      tabs = heredoc[1] === '-'
    }
  }
  return count + registered.size
}

const SOURCED = /^[^#\n]*(?:^|[;&|\s])(?:\.|source)[ \t]+[^\n]*(?:shunit2|shunit\b|bash_unit)/im

/** The file sources a library that runs its `test…` functions. */
export const sources = (text: string): boolean => /^#!.*bash_unit/.test(text) || (/shunit|bash_unit/i.test(text) && SOURCED.test(text))

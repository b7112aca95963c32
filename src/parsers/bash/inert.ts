// Statements that look like assertions and cannot fail where they stand. bats runs a test with errexit, which passes over a
// denied command, and over every link of a chain but the last; without errexit nothing heeds a bare test at all.

import { field, type Node } from '../tree-sitter.ts'
import { isTest, linksOf, nameOf } from './chains.ts'
import { textOf, type Place, type Scope } from './scope.ts'

const SAYS = /^(?:echo|printf|tee|date|seq|yes|true)$/

export function noteInert(node: Node, at: Place, scope: Scope): void {
  const { unit, region } = at
  if (scope.runner === 'shunit2' || scope.runner === null) return bareTest(node, at, scope)
  const counts = unit.role.is === 'test' || (unit.role.is === 'hook' && unit.role.when === 'before')
  if (scope.runner !== 'bats' || !at.asserts || !counts) return
  const push = (span: Node, how: string) => void (unit.inert ??= []).push({ span: { start: span.start, end: span.end }, how, in: region })
  const first = node.type === 'pipeline' ? node.children[0] : node
  if (first?.type === 'negated_command' && !isLast(node))
    push(node, 'errexit passes over a denied command: only as the last one of the test does «!» count')
  if (node.type === 'list') {
    const links = linksOf(node)
    if (links.length > 1 && links.every((l, i) => isTest(l.node, scope) && (i === 0 || l.joint === '&&')) && !isLast(node))
      push(links[0]!.node, 'errexit passes over all but the last link of «&&»: this one may be false')
  }
  const end = node.type === 'pipeline' ? node.children.at(-1) : undefined
  const command = (n: Node) => nameOf(n.type === 'redirected_statement' ? field(n, 'body') ?? n : n, scope)
  // What only says a text has nothing to fail with.
  const says = node.type === 'pipeline' && node.children.filter(n => n.named).slice(0, -1).every(n => SAYS.test(command(n) ?? ''))
  if (end && !says && command(end) === 'tee' && !/\bset\b[^\n#]*\bpipefail\b/.test(scope.text))
    push(node, 'without pipefail only tee can fail this line')
}

/** Whatever turns errexit on; a trap on ERR does as well. */
const HEEDS = /\bset\s+(?:-\w+\s+)*-(?:\w*e|o\s+errexit)|^#![^\n]*\s-\w*e|\btrap\b[^\n]*\bERR\b/

/** `[ "$out" = 3 ]` on a line of its own. A script that reads in others may get errexit from them. */
function bareTest(node: Node, at: Place, scope: Scope): void {
  const { unit, region } = at
  const own = scope.runner === 'shunit2'
    ? unit.role.is === 'test'
    : unit.role.is === 'module' && !/(?:^|\n)[ \t]*(?:\.|source)[ \t]/.test(scope.text)
  if (!at.asserts || !own || !isTest(node, scope) || node.type === 'negated_command' || HEEDS.test(scope.text) || isLast(node)) return
  // What comes next may look at the status.
  const beside = node.parent?.children ?? []
  const next = beside.slice(beside.indexOf(node) + 1).find(n => n.named && n.type !== 'comment')
  if (next && /\$\?|\$\{\?/.test(textOf(next, scope))) return
  ;(unit.inert ??= []).push({ span: { start: node.start, end: node.end },
    how: scope.runner === null ? 'without errexit nothing heeds what a test answers' : 'shunit2 heeds its own assertions alone', in: region,
    likely: true })
}

/** Nothing of its function comes after it. What stands in a loop comes before its own next round. */
function isLast(node: Node): boolean {
  for (let at = node; at.parent && at.type !== 'function_definition'; at = at.parent) {
    const { type, children } = at.parent
    if (type === 'do_group') return false
    const beside = type === 'if_statement' || type === 'case_statement'
    if (children.slice(children.indexOf(at) + 1).some(n =>
      n.named && n.type !== 'comment' && !(beside && /_clause$|^case_item$/.test(n.type))
    )) return false
  }
  return true
}

// Assignments, `local`, `export` and what they tell the runner.

import type { Marker } from '../../facts/facts.ts'
import { addCall, type Draft } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { declares, word } from './expressions.ts'
import { SETTINGS, rowOf } from './frameworks.ts'
import { textOf, type Place, type Scope } from './scope.ts'

export function assign(node: Node, at: Place, scope: Scope, how: { declares?: boolean; exports?: boolean }): void {
  const name = field(node, 'name'), given = field(node, 'value')
  if (!name) return
  const target = name.type === 'subscript' ? `${textOf(field(name, 'name'), scope)}[]` : textOf(name, scope)
  const value = given ? word(given, at, scope) : { is: 'literal', value: '' } as const
  const adds = node.children.some(c => c.type === '+=')
  if (how.exports) at.unit.writes.push({ span: node, target: `export ${target}`, value, in: at.region, declares: false, adds })
  at.unit.writes.push({ span: node, target, value, in: at.region, declares: how.declares ?? declares(target, at, scope), adds })
  if (target === 'RANDOM')
    addCall(at.unit, { span: node, nameSpan: name, name: 'RANDOM=', resolution: 'global', args: [value], in: at.region,
      result: 'discarded' })
  const kept = /--(?:max-time|connect-timeout)[ =]["']?(\d*\.?\d+)/.exec(textOf(given, scope))?.[1]
  if (kept && /^(array|string|raw_string)$/.test(given?.type ?? ''))
    addCall(at.unit, { span: node, nameSpan: name, name: 'curl options', resolution: 'global', args: [],
      named: { timeout: { is: 'literal', value: Number(kept) } }, in: at.region, result: 'discarded' })
  const setting = rowOf(SETTINGS, target)
  if (setting) mark(at.unit, { span: node, is: setting, name: target, key: textOf(given, scope) }, scope)
}

/** An associative array gives its keys and values in the order of their hashes. */
function associative(node: Node, name: Node, at: Place, scope: Scope, local: boolean): void {
  const value = addCall(at.unit, { span: node, nameSpan: name, name: 'declare -A', resolution: 'global', args: [], in: at.region,
    result: 'used' })
  at.unit.writes.push({ span: node, target: textOf(name, scope), value, in: at.region, declares: local || at.unit.role.is === 'module',
    adds: false })
}

/** What a file sets outside its tests, or before them, holds for all of them. */
function mark(unit: Draft, marker: Marker, scope: Scope): void {
  const whole = unit.role.is === 'hook' || unit.role.is === 'module'
  const owner = whole ? scope.units[0]! : unit
  owner.markers.push(marker)
}

export function declaration(node: Node, at: Place, scope: Scope): void {
  const keyword = node.children[0]?.type ?? ''
  const flags = node.children.filter(c => c.type === 'word').map(c => textOf(c, scope)).join('')
  const exports = keyword === 'export' || /-\w*x/.test(flags)
  if (/-\w*[fF]/.test(flags)) return
  const local = at.unit.role.is !== 'module'
    && (keyword === 'local' || ((keyword === 'declare' || keyword === 'typeset') && !/-\w*g/.test(flags)))
  for (const child of node.children) {
    const name = child.type === 'variable_assignment' ? field(child, 'name') : child.type === 'variable_name' ? child : undefined
    if (!name) continue
    if (local) scope.locals.set(at.unit, (scope.locals.get(at.unit) ?? new Set()).add(textOf(name, scope)))
    if (/-\w*A/.test(flags)) associative(node, name, at, scope, local)
    if (child.type === 'variable_assignment') assign(child, at, scope, { exports, ...(local && { declares: true }) })
    else if (exports && !/-\w*n/.test(flags))
      at.unit.writes.push({ span: node, target: `export ${textOf(name, scope)}`, value: { is: 'name', path: textOf(name, scope) },
        in: at.region, declares: false, adds: false })
  }
}

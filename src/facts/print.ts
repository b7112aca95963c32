// Facts as a small readable tree: what the facts pages show and what a parser's author looks at.

import type { Call, Parsed, Unit, Value } from './facts.ts'

export function printFacts(parsed: Parsed): string {
  const lines: string[] = []
  for (const unit of parsed.units) {
    const body = printUnit(unit)
    if (unit.role.is === 'module' && body.length === 0) continue
    lines.push(heading(unit), ...body.map(l => `  ${l}`))
  }
  for (const problem of parsed.problems) lines.push(`problem ${problem.message}`)
  return lines.join('\n')
}

function heading(unit: Unit): string {
  const role = unit.role.is === 'hook' ? `hook ${unit.role.when} each ${unit.role.per}` : unit.role.is
  return [role, unit.title, unit.params.length > 0 ? `(${unit.params.join(', ')})` : ''].filter(Boolean).join(' ')
}

function printUnit(unit: Unit): string[] {
  const items: { at: number; order: number; text: string }[] = []
  const add = (at: number, order: number, text: string) => items.push({ at, order, text })
  for (const m of unit.markers) add(m.span.start, 0, `marker ${m.is} ${m.name}${m.key === undefined ? '' : ` (${m.key})`}`)
  for (const s of unit.skips)
    add(s.span.start, 0,
      `skip ${s.how}${s.condition === null ? '' : ` if ${s.condition}`}${s.reason === null ? '' : ` because ${JSON.stringify(s.reason)}`}`)
  for (const c of unit.calls) add(c.span.end, 1, printCall(unit, c))
  for (const w of unit.writes)
    add(w.span.end, 2, `${w.adds ? 'add to' : 'write'} ${w.target} = ${printValue(w.value, unit)}${where(unit, w.in)}`)
  for (const a of unit.assertions)
    add(a.span.end, 3,
      `assert ${a.claims} ${a.compare} ${a.operands.map(o => printValue(o, unit)).join(' , ')}${
        a.tolerance ? ` ± ${printValue(a.tolerance, unit)}` : ''
      }${where(unit, a.in)}`)
  for (const s of unit.swallows) add(s.span.end, 4, `swallow ${s.how}: ${s.text.replace(/\s+/g, ' ')}${where(unit, s.in)}`)
  for (const i of unit.inert ?? []) add(i.span.end, 4, `inert ${i.how}${where(unit, i.in)}`)
  for (const r of unit.regions)
    if (r.kind === 'loop')
      add(r.span.start, 0,
        `loop${r.condition ? ` while ${printValue(r.condition, unit)}` : ''}${r.counted ? ' counted' : ''}${r.leaves ? ' leaves' : ''}`)
  return items.sort((a, b) => a.at - b.at || a.order - b.order).map(i => i.text)
}

function printCall(unit: Unit, call: Call): string {
  const args = [...call.args.map(a => printValue(a, unit)), ...Object.entries(call.named).map(([k, v]) => `${k}=${printValue(v, unit)}`)]
  const effects = call.effects.map(e => e.kind + (e.ms === undefined ? '' : ` ${e.ms}ms`) + (e.through ? ` through ${e.through}` : ''))
  return `call ${call.name}(${args.join(', ')}) via ${call.resolution}${call.result === 'used' ? '' : ` ${call.result}`}${
    effects.length > 0 ? ` · ${effects.join(' · ')}` : ''
  }${where(unit, call.in)}`
}

function where(unit: Unit, region: number): string {
  const path: string[] = []
  for (let at = region; at !== 0; at = unit.regions[at]!.in) {
    const r = unit.regions[at]!
    path.push(r.call === undefined ? r.kind : `${r.kind} of ${unit.calls[r.call]?.name}`)
  }
  return path.length > 0 ? ` in ${path.join(' in ')}` : ''
}

export function printValue(value: Value, unit: Unit): string {
  switch (value.is) {
    case 'literal':
      return JSON.stringify(value.value)
    case 'name':
      return value.path
    case 'call':
      return `${unit.calls[value.call]?.name}()`
    case 'text':
      return `text(${value.parts.map(p => printValue(p, unit)).join(' ')})`
    case 'op':
      return value.of.length === 1
        ? `(${value.op} ${printValue(value.of[0]!, unit)})`
        : `(${value.of.map(v => printValue(v, unit)).join(` ${value.op} `)})`
    case 'group':
      return `[${value.of.map(v => printValue(v, unit)).join(' ')}]`
    case 'unknown':
      return '…'
  }
}

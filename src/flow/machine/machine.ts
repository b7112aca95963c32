// What a test takes from the machine it runs on, through a name or directly: its processors, its name, variables of its environment.

import type { Assertion, Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { around, has, inForce, valuesIn } from '../../facts/query.ts'

interface Seen {
  readonly facts: FileFacts
  readonly folding: Folding
}

/** The value a name has been given in this unit, where it is given one. */
const keptIn = (path: string, unit: Unit): Value | undefined => {
  const writes = unit.writes.filter(w => w.target === path)
  return writes.length === 1 && !writes[0]!.adds ? writes[0]!.value : undefined
}

/** A value is a call's answer: itself, what it is worth in another form, or a sum with it; not what another function makes of it. */
function answers(value: Value | undefined, call: Call, unit: Unit, depth = 0): boolean {
  if (!value || depth > 6) return false
  if (value.is === 'op' || value.is === 'group') return value.of.some(v => answers(v, call, unit, depth + 1))
  if (value.is === 'name') return answers(keptIn(value.path, unit) ?? keptIn(value.path.replace(/\.\w+$/, ''), unit), call, unit, depth + 1)
  const made = value.is === 'call' ? unit.calls[value.call] : undefined
  return made === call || (made?.receiver?.is === 'call' && made.args.length === 0 && answers(made.receiver, call, unit, depth + 1))
    || (made !== undefined && /^(int|len|Number|parseInt|str|String)$/.test(made.name) && answers(made.args[0], call, unit, depth + 1))
}

/** The assertion that compares what a call answers with a fixed value; what holds on every machine is none. */
export function comparedWith(call: Call, unit: Unit): Assertion | undefined {
  const own = (v: Value) => answers(v, call, unit) || [...valuesIn(v, unit)].some(x => x.is === 'call' && unit.calls[x.call] === call)
  const fixed = (v: Value, { compare }: Assertion) =>
    v.is === 'literal' && v.value !== null && typeof v.value !== 'boolean' && v.value !== 0 && v.value !== ''
    && !(compare === '>=' && v.value === 1)
  return unit.assertions.find(a => a.operands.some(own) && a.operands.some(o => fixed(o, a)))
}

/** `monkeypatch.setattr(os, "cpu_count", …)`, `vi.spyOn(os, 'cpus')`, `jest.mock('os')`: another answers. */
export function isPlayed(name: string, unit: Unit, { facts }: Seen): boolean {
  const last = /\w+$/.exec(name)?.[0] ?? name
  const isIt = (v: Value) =>
    v.is === 'literal' && typeof v.value === 'string' && (v.value === last || v.value.endsWith(`.${last}`) || /^(node:)?os$/.test(v.value))
  return [unit, ...inForce(facts, unit)].some(u => u.calls.some(c => has(c, 'mock', 'stub', 'restore') && c.args.some(isIt)))
}

/** Who runs the test and where: a service, a container and a build agent often have none of them. */
const PERSONAL = /^(USER|USERNAME|LOGNAME|HOSTNAME|COMPUTERNAME|SHELL|EDITOR|DISPLAY)$/
const GETS = /^(os\.(Getenv|getenv|environ\.get)|java\.lang\.System\.getenv|std::env::var(_os)?|Deno\.env\.get)$/
const OF_ENVIRONMENT = /^(?:globalThis\.)?(?:process\.env|os\.environ|env)\.(\w+)$/

/** The variable of the environment that a value is. */
function variableIn(value: Value, unit: Unit, { facts, folding }: Seen): string | undefined {
  if (value.is === 'name') return facts.language === 'bash' ? value.path : OF_ENVIRONMENT.exec(value.path)?.[1]
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const holder = value.is === 'op' && value.op === '[]' ? value.of[0] : undefined
  const key = holder?.is === 'name' && /^(os\.environ|process\.env)$/.test(holder.path)
    ? (value as { of: readonly Value[] }).of[1]
    : call && GETS.test(call.name)
    ? call.args[0]
    : undefined
  const name = fold(key, unit, folding)
  return typeof name === 'string' ? name : undefined
}

/** The test gives the variable a value of its own. */
function isSet(name: string, unit: Unit, { facts }: Seen): boolean {
  const names = (v: Value, u: Unit) => [...valuesIn(v, u)].some(x => x.is === 'literal' && x.value === name)
  return [unit, ...inForce(facts, unit)].some(u =>
    u.writes.some(w => w.target.split(/\W+/).includes(name))
    || u.calls.some(c =>
      has(c, 'env-write', 'restore', 'mock', 'stub') && (name in c.named || [...c.args, ...Object.values(c.named)].some(a => names(a, u)))
    )
  )
}

/** Assertions that expect what a variable of the machine holds, and the variable. */
export function* expectedVariables(unit: Unit, view: Seen): Generator<{ readonly check: Assertion; readonly name: string }> {
  for (const check of unit.assertions) {
    const values = check.operands.flatMap(o => [o, ...(o.is === 'name' ? [keptIn(o.path, unit) ?? o] : [])]).flatMap(
      o => [...valuesIn(o, unit)],
    )
    const name = values.map(v => variableIn(v, unit, view)).find(n => n !== undefined && PERSONAL.test(n))
    if (name && !isSet(name, unit, view)) yield { check, name }
  }
}

/** An assertion that is another one on a build agent: `if (process.env.CI) expect(…)`. */
export function decidedByAgent(check: Assertion, unit: Unit, view: Seen): boolean {
  const conditions = [...around(unit, check.in)].flatMap(r => ((r.kind === 'if' || r.kind === 'else') && r.condition ? [r.condition] : []))
  return conditions.some(c =>
    [...valuesIn(c, unit)].some(v => /^(CI|GITHUB_ACTIONS|TRAVIS|JENKINS_URL)$/.test(variableIn(v, unit, view) ?? ''))
  ) && !isSet('CI', unit, view)
}

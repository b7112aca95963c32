import type { Call, Unit } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { valuesIn } from '../../facts/query.ts'
import { commitsUnnamed, shutsOut, wordsOf } from '../../flow/machine/whoever.ts'
import { type FileView, type Report } from '../rule.ts'

/** The address that belongs to the name of the machine, not the one that always means this machine. */
export const OWN_ADDRESS = /^java\.net\.(InetAddress|Inet4Address)\.getLocalHost$|^InetAddress\.getLocalHost$|^socket\.getfqdn$/

export const HOST_FILE = /^\/etc\/(passwd|group|hosts|resolv\.conf|os-release)$/
export const READERS = /^(awk|sed|grep|cut|head|tail|cat|read|getent|sort|shuf)$/

/** `git init` calls the first branch as whoever runs it has configured, and the test calls it by a name. */
export function* firstBranch(call: Call, unit: Unit, view: FileView): Generator<Report> {
  const line = `${call.name} ${wordsOf(call, unit, view.folding).join(' ')}`
  if (!/\bgit init\b/.test(line) || /(^|\s)(-b|--initial-branch|--bare)\b|clone/.test(line)) return
  const branch = unit.assertions.flatMap(a => a.operands.flatMap(o => [...valuesIn(o, unit)])).find(v =>
    v.is === 'literal' && /^(refs\/heads\/)?(master|main)$/.test(String(v.value))
  )
  if (branch?.is !== 'literal'
    || /init\.?defaultBranch|GIT_CONFIG_GLOBAL|--initial-branch|symbolic-ref|branch["', ]+-[mM]/.test(
      view.textOf(view.facts.units[0]!.span),
    )) return
  yield { at: call.span, unit: unit.id, confidence: 'medium',
    message: `git calls the first branch as whoever runs the test has configured, and the test expects ${String(branch.value)}` }
}

const VARIABLE = /^(TEMP|TMP|TMPDIR|USER|USERNAME|SHELL|EDITOR|DISPLAY)$/

/** `env::var("TEMP").unwrap()`: on some machines nobody sets it. */
export function* unsetVariable(call: Call, unit: Unit, view: FileView): Generator<Report> {
  const name = /^std::env::var(_os)?$/.test(call.name) ? fold(call.args[0], unit, view.folding) : undefined
  if (typeof name !== 'string' || !VARIABLE.test(name)
    || !/^\)?\s*\.(unwrap|expect)\(/.test(view.textOf({ start: call.span.end, end: call.span.end + 12 }))) return
  yield { at: call.span, unit: unit.id, confidence: 'medium', message: `cannot go on without ${name}: not every machine sets it` }
}

const COMMITS = 'commits under the name that git finds on the machine: where nobody has configured one, it refuses'
const SHUTS_OUT = 'takes a permission away and expects that it is missed: root, as in many containers, never misses one'

/** What differs with who runs the test and where: one of each in a file, for they have one cure. */
export function* byWhoever(unit: Unit, { facts, folding, textOf }: FileView, told: Set<string>): Generator<Report> {
  const all = () => textOf(facts.units[0]!.span)
  for (const call of unit.calls) {
    const shuts = shutsOut(facts, call, unit, folding, textOf, all)
    const message = shuts ? SHUTS_OUT : commitsUnnamed(call, unit, folding, textOf, all) ? COMMITS : undefined
    // Who commits is most often said in a set-up that stands elsewhere.
    if (message && !told.has(message))
      told.add(message), yield { at: call.span, unit: unit.id, confidence: shuts ? 'medium' : 'low', message }
  }
}

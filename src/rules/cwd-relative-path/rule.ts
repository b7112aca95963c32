import type { Call, Unit, Value } from '../../facts/facts.ts'
import { argumentOf, effectOf, has, inForce, isTestCode, valuesIn, within } from '../../facts/query.ts'
import { readFrom } from '../../flow/machine/reads.ts'
import { rootOf } from '../../flow/machine/roots.ts'
import { defineRule, type FileView } from '../rule.ts'
import { WORDS } from './words.ts'

export default defineRule(
  {
    id: 'cwd-relative-path',
    title: 'A test finds its files only from one working directory',
    category: 'environment',
    severity: 'note',
    audit: true,
    triggers: ['cwd-read', 'name-resource'],
    words: WORDS,
    confirm: ['cwd-change'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    // Their runners set the working directory to the package: a relative path is the custom there.
    if (facts.language === 'go' || facts.language === 'rust') return
    const told = new Set<string>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || moves(unit, view)) continue
      for (const call of unit.calls) {
        const path = relativeIn(call, unit, view)
        if (asksForIt(call, unit, view) && isJoined(call, unit, view))
          yield { at: call.span, unit: unit.id, confidence: 'low',
            message: 'builds a path from the working directory: from another one the test does not find it' }
        else if (path && !told.has(path)) {
          told.add(path)
          yield { at: call.span, unit: unit.id, confidence: 'low',
            message: `${path} is looked for in the working directory: from another one the test reads or leaves another file` }
        }
      }
    }
  },
)

/** A folder or a file with an ending, from where one stands; of a path that is known in part, its first folder. */
const RELATIVE = /^(\.{1,2}\/)*[\w-]+(\/[\w.-]+)*(\/[\w-]+|\.\w{1,10})$/
const BEGINNING = /^(\.{1,2}\/|[\w-]+\/)[\w./-]*$/

function relativeIn(call: Call, unit: Unit, view: FileView): string | undefined {
  // A program by its place: a shell looks for one with a slash in its name where it stands.
  if (/^\.{1,2}\/\w/.test(call.name) && view.facts.language === 'bash') return call.name
  const effect = effectOf(call, 'name-resource')
  const root = rootOf(effect?.what === 'file' ? argumentOf(call, effect) : readFrom(call), unit, view)
  if (root?.is === 'cwd' && view.facts.language === 'bash') return '$PWD'
  if (root?.is !== 'text' || /^__(dirname|filename)\b/.test(root.text)) return undefined
  return root.whole ? (RELATIVE.test(root.text) ? root.text : undefined) : BEGINNING.test(root.text) ? `${root.text}…` : undefined
}

const asksForIt = (call: Call, unit: Unit, view: FileView): boolean =>
  has(call, 'cwd-read')
  || (/\.getProperty$/.test(call.name) && rootOf({ is: 'call', call: unit.calls.indexOf(call) }, unit, view)?.is === 'cwd')

const CHECKS = /expect|assert|equal|\.to[A-Z]|mock|replace|relative/i

/** Its result, or the name that keeps it, becomes the beginning of a longer path. */
function isJoined(call: Call, unit: Unit, view: FileView): boolean {
  const own = (v: Value): boolean => v.is === 'call' && unit.calls[v.call] === call
  const kept = unit.writes.find(w => own(w.value))?.target
  return longer(unit, own) || (kept !== undefined && view.facts.units.some(u => longer(u, v => v.is === 'name' && v.path === kept)))
}

function longer(unit: Unit, own: (v: Value) => boolean): boolean {
  const holds = (v: Value): boolean =>
    (v.is === 'text' && v.parts.length > 1 && own(v.parts[0]!))
    || (v.is === 'op' && /^[/+]$/.test(v.op) && [...valuesIn(v, unit)].some(own))
  return unit.writes.some(w => holds(w.value))
    || unit.calls.some(c =>
      !CHECKS.test(c.name) && (c.args.some(holds) || (/join|resolve|Path|File/.test(c.name) && c.args.length > 1 && c.args.some(own)))
    )
}

/** The test has gone to a folder of its own; what goes there in a subshell is back at its end. */
const moves = (unit: Unit, view: FileView): boolean =>
  [unit, ...inForce(view.facts, unit)].some(u =>
    u.calls.some(c => (has(c, 'cwd-write') || /chdir$|^cd$|^pushd$|isolated_filesystem$/.test(c.name)) && !within(u, c.in, 'subshell'))
  )

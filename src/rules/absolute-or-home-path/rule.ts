import type { Span, Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { argumentOf, curedOutside, effectOf, has, isTestCode, valuesIn, inForce } from '../../facts/query.ts'
import { defineRule, type FileView } from '../rule.ts'
import { least, confidenceOf } from '../wording.ts'

/** Somebody's own folder on somebody's machine; those of build agents and images are the same everywhere. */
const SOMEBODYS = /^(file:\/\/)?(\/home\/(?!runner|circleci|vsts|node|user\/|travis)[\w.-]+\/|\/Users\/(?!runner|Shared)[\w.-]+\/|[A-Za-z]:[\\/]Users[\\/](?!Public)[\w.-]+[\\/])./

const PATHS = ['["\']/home/', '["\']/Users/', ':\\\\\\\\Users', '["\']~/']

export default defineRule(
  {
    id: 'absolute-or-home-path', title: 'A test reads or writes in somebody\'s home', category: 'environment', severity: 'warning',
    triggers: ['home-read'], words: { python: PATHS, typescript: PATHS, go: PATHS, bash: [...PATHS, '\\$\\{?HOME\\b'] }, confirm: ['env-scrub'], cap: 'medium', since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    const told = new Set<string>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || ownsHome(unit, view)) continue
      const tilde = inHome(unit)
      if (tilde) yield { at: tilde, unit: unit.id, confidence: 'medium', message: 'names a place in the home of whoever runs the test: another run has the same, and not every account has one' }
      for (const call of unit.calls) {
        const effect = effectOf(call, 'name-resource')
        const where = effect?.what === 'file' ? placeIn(argumentOf(call, effect), unit, view) : undefined
        if (!where || told.has(where)) continue
        told.add(where)
        yield {
          at: call.span, unit: unit.id, confidence: isServed(where, view) ? 'low' : least(confidenceOf(call), where === HOME ? 'medium' : 'high'),
          message: where === HOME ? 'writes into the home of whoever runs the test: it finds what is there and leaves what it made' : `depends on ${where}: other machines have no such folder`,
        }
      }
    }
  },
)

const HOME = 'the home'

function placeIn(value: Value | undefined, unit: Unit, view: FileView): string | undefined {
  if (!value) return undefined
  const folded = fold(value, unit, view.folding)
  if (typeof folded === 'string') return SOMEBODYS.test(folded) ? folded : /^~\//.test(folded) ? HOME : undefined
  const kept = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path)?.value ?? value : value
  const first = [...valuesIn(kept, unit)].find(v => v.is === 'call' || v.is === 'literal' || v.is === 'name')
  const isHome = [...valuesIn(kept, unit)].some(v => (v.is === 'call' && has(unit.calls[v.call]!, 'home-read')) || (v.is === 'name' && v === first && /^(HOME|process\.env\.HOME|env\.HOME)$/.test(v.path)))
  return isHome ? HOME : undefined
}

/** `Path("~/shop")`, `filename = "~/shop"`: a name of the test's own below the home. */
function inHome(unit: Unit): Span | undefined {
  const isTilde = (v: Value) => v.is === 'literal' && typeof v.value === 'string' && /^~\/[\w-]{3,}(\.\w+)?$/.test(v.value)
  return unit.writes.find(w => isTilde(w.value) && /file|path|dir|folder/i.test(w.target))?.span
    ?? unit.calls.find(c => /path|expand|open|file|dir|folder/i.test(c.name) && !/assert|expect|equal|pars|abbrev|shorten|collaps|mock/i.test(c.name) && c.args.some(isTilde))?.span
}

/** The account of a program that the tests run: whoever installs it makes the folder. */
function isServed(where: string, { facts }: FileView): boolean {
  const account = /^\/home\/([\w.-]+)\//.exec(where)?.[1]
  return account !== undefined && facts.units.some(u => u.calls.some(c => c.name === account
    || (c.name === 'chown' && c.args.some(a => a.is === 'literal' && String(a.value).split(':')[0] === account))))
}

/** The test sets a home of its own, here or in what is in force around it. */
const ownsHome = (unit: Unit, view: FileView): boolean => curedOutside(view.facts, 'home') ||
  [unit, ...inForce(view.facts, unit)].some(u => u.writes.some(w => /(^|[.[])["']?HOME\b/.test(w.target))
    || u.calls.some(c => has(c, 'env-write', 'restore') && c.args.some(a => a.is === 'literal' && /^(HOME|USERPROFILE|XDG_\w+)$/.test(String(a.value)))))

import type { Call, Unit } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { ancestors, isTestCode } from '../../facts/query.ts'
import { lineErrors } from '../../flow/machine/line-errors.ts'
import { knowsSystems, lineEnds, onlyLinux, separators } from '../../flow/machine/platforms.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { ONLY_GNU, WORDS } from './words.ts'

export default defineRule(
  {
    id: 'platform-dependence',
    title: 'A test holds on one family of systems only',
    category: 'environment',
    severity: 'note',
    triggers: [],
    words: WORDS,
    confirm: ['env-scrub'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    const knows = facts.language !== 'bash' && knowsSystems(view)
    let kernel: Report | undefined
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isGuarded(unit, view)) continue
      for (const found of lineErrors(unit, view, knows)) yield { ...found, unit: unit.id, confidence: 'medium', severity: 'warning' }
      if (knows) continue
      yield* facts.language === 'bash' ? gnu(unit, view) : apart(unit, view)
      // One report for a file: whoever looks there once knows where the tests run.
      const found = kernel || facts.language === 'bash'
        ? undefined
        : unit.calls.map(c => onlyLinux(c, unit, view)).find(d => d !== undefined)
      if (found) yield kernel = { ...found, unit: unit.id, confidence: 'low' }
    }
  },
)

function* gnu(unit: Unit, view: FileView): Generator<Report> {
  for (const call of unit.calls) {
    const flag = gnuFlag(call, unit, view)
    if (flag)
      yield { at: call.span, unit: unit.id, confidence: 'low',
        message: `${call.name.split(' ')[0]} ${flag} is known to one family of systems only: elsewhere the test fails` }
  }
}

function gnuFlag(call: Call, unit: Unit, view: FileView): string | undefined {
  const flags = ONLY_GNU[call.name.split(' ')[0]!]
  if (!flags) return undefined
  return [...call.name.split(' ').slice(1), ...call.args.map(a => fold(a, unit, view.folding)), ...Object.keys(call.named)].find((
    w,
  ): w is string => typeof w === 'string' && flags.test(w))
}

/** Where the code itself would do elsewhere, and what it is compared with does not. */
function* apart(unit: Unit, view: FileView): Generator<Report> {
  for (const found of [...separators(unit, view), ...lineEnds(unit, view)]) yield { ...found, unit: unit.id, confidence: 'low' }
}

/** The test asks which system it is on, or says that it is skipped on others. */
const isGuarded = (unit: Unit, view: FileView): boolean =>
  [unit, ...ancestors(view.facts, unit)].some(u =>
    u.calls.some(c => /^(uname|is_macos|skip_\w*(mac|bsd|darwin|alpine|busybox)\w*)/i.test(c.name))
    || u.skips.some(s => /linux|darwin|mac|bsd|gnu|uname|OSTYPE/i.test(`${s.condition ?? ''} ${s.reason ?? ''}`))
  )

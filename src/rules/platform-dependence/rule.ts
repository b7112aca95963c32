import type { Call, Unit } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { ancestors, isTestCode } from '../../facts/query.ts'
import { defineRule, type FileView } from '../rule.ts'

/** Flags that only one family of systems knows, with the command they belong to. */
const ONLY_GNU: Readonly<Record<string, RegExp>> = {
  date: /^(-d|--date(=.*)?|--iso-8601.*)$/, readlink: /^(-f|-e|-m|--canonicalize)$/, stat: /^(-c.*|--format.*|--printf.*)$/, grep: /^(-P|--perl-regexp|-[a-zA-Z]*P[a-zA-Z]*)$/,
  sort: /^(-V|--version-sort)$/, base64: /^(-w.*|--wrap.*)$/, cp: /^(--reflink.*|--parents)$/, xargs: /^(-d|--delimiter.*|--no-run-if-empty)$/, touch: /^(-d|--date.*)$/, du: /^(-b|--bytes)$/,
}

export default defineRule(
  {
    id: 'platform-dependence', title: 'A test holds on one family of systems only', category: 'environment', severity: 'note', audit: true,
    triggers: [], words: { bash: Object.keys(ONLY_GNU).map(name => `\\b${name}\\b[^\\n|;]*\\s-`) }, confirm: ['env-scrub'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    if (facts.language !== 'bash') return
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isGuarded(unit, view)) continue
      for (const call of unit.calls) {
        const flag = gnuFlag(call, unit, view)
        if (flag) yield { at: call.span, unit: unit.id, confidence: 'low', message: `${call.name.split(' ')[0]} ${flag} is known to one family of systems only: elsewhere the test fails` }
      }
    }
  },
)

function gnuFlag(call: Call, unit: Unit, view: FileView): string | undefined {
  const flags = ONLY_GNU[call.name.split(' ')[0]!]
  if (!flags) return undefined
  return [...call.name.split(' ').slice(1), ...call.args.map(a => fold(a, unit, view.folding)), ...Object.keys(call.named)].find((w): w is string => typeof w === 'string' && flags.test(w))
}

/** The test asks which system it is on, or says that it is skipped on others. */
const isGuarded = (unit: Unit, view: FileView): boolean =>
  [unit, ...ancestors(view.facts, unit)].some(u => u.calls.some(c => /^(uname|is_macos|skip_\w*(mac|bsd|darwin|alpine|busybox)\w*)/i.test(c.name))
    || u.skips.some(s => /linux|darwin|mac|bsd|gnu|uname|OSTYPE/i.test(`${s.condition ?? ''} ${s.reason ?? ''}`)))

// The plugin, one object for all languages: ESLint refuses two plugins of one name. It begins with the rules alone; each
// language adds itself when it is imported, so that only its grammar is loaded.

import type { ESLint, Linter, Rule } from 'eslint'
import { SUPPRESSION_RULES, VERSION, rules as ours, type Preset, type RuleMeta } from '../../index.ts'
import { isRecommended, rules } from './rules.ts'

const NAME = 'flakesniff'

/** The presets of the command line, as configurations to be spread into eslint.config.js. */
export type Configs = Readonly<Record<Preset, Linter.Config[]>>

type Languages = NonNullable<ESLint.Plugin['languages']>

export const plugin: { readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly rules: Record<string, Rule.RuleModule>; readonly languages: Languages } = {
    meta: { name: NAME, version: VERSION, namespace: NAME },
    rules: { ...rules },
    languages: {},
  }

const SHOWN: Readonly<Record<Preset, (meta: RuleMeta) => boolean>> = { recommended: isRecommended, strict: meta => meta.audit !== true,
  audit: () => true }

function rulesOf(preset: Preset): Linter.RulesRecord {
  const entry = (id: string, severity: 'warn' | 'error'): [string, Linter.RuleEntry] => [`${NAME}/${id}`, [severity, { preset }]]
  return Object.fromEntries([
    ...ours.filter(r => SHOWN[preset](r.meta)).map(({ meta }) => entry(meta.id, meta.severity === 'error' ? 'error' : 'warn')),
    ...SUPPRESSION_RULES.map(id => entry(id, 'warn')),
  ])
}

/** `where` says for which files, and in which language. */
export function configsFor(title: string, where: Pick<Linter.Config, 'files' | 'ignores' | 'language'>): Configs {
  const config = (
    preset: Preset,
  ): Linter.Config[] => [{ name: `${NAME}/${preset}${title}`, ...where, plugins: { [NAME]: plugin }, rules: rulesOf(preset) }]
  return { recommended: config('recommended'), strict: config('strict'), audit: config('audit') }
}

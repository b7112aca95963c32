// What a worker must know to judge a file: plain data, so that it can be sent to one.

import { levelOf, presetOf, type Config, type DeclaredName, type Level } from '../config/config.ts'
import type { EffectKind } from '../facts/effects.ts'
import type { Language } from '../facts/facts.ts'
import type { CatalogRow } from '../parsers/frontend.ts'
import type { ProjectFacts } from '../project/project.ts'
import type { Confidence, Preset, RuleMeta } from '../rules/rule.ts'

export interface Settings {
  readonly config: Config
  /** From the command line; what the configuration says where null. */
  readonly preset: Preset | null
  /** Levels from the command line, by rule: they beat the configuration's. */
  readonly levels: Readonly<Record<string, Level>>
  readonly project: ProjectFacts
  /** Calls whose promise is thrown away, as the compiler says, by file; the ends of a span in a row. */
  readonly typed?: Readonly<Record<string, readonly number[]>>
}

export const DEFAULT_PRESET: Preset = 'recommended'

/** What a preset lets through. */
export const PRESET_CONFIDENCE: Readonly<Record<Preset, readonly Confidence[]>> = {
  recommended: ['high'],
  strict: ['high', 'medium'],
  audit: ['high', 'medium', 'low'],
}

/** The level of a rule in a file, and whether somebody set it rather than the rule itself. */
export function levelIn(settings: Settings, rule: RuleMeta, path: string): { readonly level: Level; readonly set: boolean } {
  const given = settings.levels[rule.id]
  if (given !== undefined) return { level: given, set: true }
  const unset = 'unset' as Level
  const configured = levelOf(settings.config, rule.id, path, unset)
  return configured === unset ? { level: rule.severity, set: false } : { level: configured, set: true }
}

/** Off everywhere: the screen need not look for what it needs. */
export const isOff = (settings: Settings, rule: RuleMeta): boolean =>
  (rule.audit === true && !mayAudit(settings)) || settings.levels[rule.id] === 'off'
  || (settings.levels[rule.id] === undefined && settings.config.rules[rule.id]?.level === 'off'
    && !settings.config.overrides.some(o => o.rules[rule.id]?.level))

/** Some file may be linted with the audit preset. */
const mayAudit = ({ preset, config }: Settings): boolean =>
  (preset ?? config.preset ?? DEFAULT_PRESET) === 'audit' || (preset === null && config.overrides.some(o => o.preset === 'audit'))

export const presetIn = (settings: Settings, path: string): Preset => settings.preset ?? presetOf(settings.config, path, DEFAULT_PRESET)

/** The names that the project declares for itself, as catalog rows. */
export function declaredRows({ config }: Settings, language: Language): CatalogRow[] {
  const rows = (names: readonly DeclaredName[], effect: EffectKind): CatalogRow[] =>
    names.filter(n => n.language === undefined || n.language === language).map(n => ({
      name: n.name,
      effect,
      ...(effect === 'sleep' && { ms: { arg: n.arg ?? 0, unit: n.unit ?? 'ms' } }),
    }))
  return [...rows(config.sleeps, 'sleep'), ...rows(config.clocks, 'clock'), ...rows(config.waits, 'wait-until')]
}

export const declaredNames = (names: readonly DeclaredName[], language: Language): string[] =>
  names.filter(n => n.language === undefined || n.language === language).map(n => n.name)

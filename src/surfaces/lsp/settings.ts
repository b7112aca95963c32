// What a client may set, by initializationOptions or workspace/didChangeConfiguration; checked, since nobody else does.

import { didYouMean, type Preset } from '../../index.ts'

export interface Settings {
  /** Null where flakesniff.json decides. */
  readonly preset: Preset | null
}

const PRESETS: readonly Preset[] = ['recommended', 'strict', 'audit']
const KEYS = ['preset']

/** Given as they are or under the key `flakesniff`. Undefined where they say nothing; faults tell the way out. */
export function readSettings(given: unknown): { readonly settings?: Settings; readonly faults: readonly string[] } {
  const own = isRecord(given) && isRecord(given['flakesniff']) ? given['flakesniff'] : given
  if (own === null || own === undefined || (isRecord(own) && Object.keys(own).length === 0)) return { faults: [] }
  if (!isRecord(own)) return { faults: [`the settings must be an object, such as { "preset": "strict" }; ${JSON.stringify(own)} is none`] }
  // Settings that are not under our key may hold those of others.
  const strangers = own === given ? [] : Object.keys(own).filter(key => !KEYS.includes(key))
  const unknown = strangers.map(key =>
    `there is no setting flakesniff.${key}${didYouMean(key, KEYS)}; rules are configured in flakesniff.json`
  )
  const wanted = own['preset']
  if (wanted === undefined) return { faults: unknown }
  if (wanted === null) return { settings: { preset: null }, faults: unknown }
  const preset = PRESETS.find(p => p === wanted)
  if (!preset)
    return {
      faults: [...unknown,
        `the setting preset must be one of ${PRESETS.join(', ')}, and is ${JSON.stringify(wanted)}${didYouMean(String(wanted), PRESETS)}`],
    }
  return { settings: { preset }, faults: unknown }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

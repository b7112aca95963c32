// What a configuration may hold, as data: the validator walks it, and a test compares it with the published schema.

import type { Language } from '../facts/facts.ts'

export const LANGUAGES = ['python', 'typescript', 'java', 'go', 'rust', 'bash'] as const satisfies readonly Language[]
export const PRESETS = ['recommended', 'strict', 'audit'] as const
export const LEVELS = ['off', 'note', 'warning', 'error'] as const
export const FAIL_LEVELS = ['error', 'warning', 'note', 'never'] as const
export const UNITS = ['ns', 'us', 'ms', 's', 'm'] as const

export type Shape =
  | { readonly is: 'one-of'; readonly of: readonly string[] }
  | { readonly is: 'text' }
  | { readonly is: 'yes-no' }
  | { readonly is: 'count'; readonly least: number }
  | { readonly is: 'list'; readonly of: Shape }
  | { readonly is: 'map'; readonly keys: Readonly<Record<string, Shape>>; readonly needs?: readonly string[] }
  | { readonly is: 'by-rule'; readonly of: Shape }
  | { readonly is: 'any-map' }
  /** Tried by kind: at most one of each kind among them. */
  | { readonly is: 'either'; readonly of: readonly Shape[] }

const text: Shape = { is: 'text' }
const listOf = (of: Shape): Shape => ({ is: 'list', of })
const oneOf = (of: readonly string[]): Shape => ({ is: 'one-of', of })
const either = (...of: readonly Shape[]): Shape => ({ is: 'either', of })
const map = (keys: Readonly<Record<string, Shape>>, needs: readonly string[] = []): Shape => ({ is: 'map', keys, needs })

const rules: Shape = { is: 'by-rule', of: either(oneOf(LEVELS), map({ level: oneOf(LEVELS), options: { is: 'any-map' } })) }
const named = { name: text, language: oneOf(LANGUAGES) }
const names = listOf(either(text, map(named, ['name'])))
const timedNames = listOf(either(text, map({ ...named, arg: either({ is: 'count', least: 0 }, text), unit: oneOf(UNITS) }, ['name'])))

export const CONFIG_SHAPE = {
  is: 'map',
  keys: {
    $schema: text,
    preset: oneOf(PRESETS),
    rules,
    ignore: listOf(text),
    include: listOf(text),
    overrides: listOf(map({ files: either(text, listOf(text)), rules, preset: oneOf(PRESETS) }, ['files'])),
    failOn: oneOf(FAIL_LEVELS),
    sleeps: timedNames,
    clocks: names,
    waits: timedNames,
    serialMarkers: names,
    testFunctions: names,
    batsSequential: map({ setup: text, load: text, complete: text, environment: text, pattern: text }),
    maxFileBytes: { is: 'count', least: 1 },
    jobs: { is: 'count', least: 1 },
    typed: { is: 'yes-no' },
    baseline: text,
  },
} as const satisfies Shape

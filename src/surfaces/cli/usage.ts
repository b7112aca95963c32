// What every command's options have in common: messages that carry the way out, choices, and files to write to.

import { didYouMean } from '../../index.ts'

/** Carries a message for the user; the way out is part of it. */
export interface UsageError extends Error {
  readonly name: 'UsageError'
}

export const isUsageError = (error: unknown): error is UsageError => error instanceof Error && error.name === 'UsageError'

export function usage(message: string): never {
  throw Object.assign(new Error(message), { name: 'UsageError' as const })
}

export function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  return allowed.find(a => a === value) ?? usage(`${option} ${value}: must be one of ${allowed.join(', ')}${didYouMean(value, allowed)}`)
}

/** `FILE`, in the format asked for or told by its ending, or `FORMAT:FILE`. */
export function output<T extends string>(value: string, format: string | undefined, all: readonly T[], endings: Readonly<Record<string, T>>,
  otherwise: T): { readonly format: T; readonly file: string }
{
  const prefix = /^([a-z]+):(.+)$/.exec(value)
  const named = all.find(f => f === prefix?.[1])
  if (prefix && named) return { format: named, file: prefix[2]! }
  return { file: value, format: oneOf('--format', format ?? endings[/\.(\w+)$/.exec(value)?.[1] ?? ''] ?? otherwise, all) }
}

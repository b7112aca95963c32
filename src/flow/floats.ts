// Which values are rounded: results of arithmetic on fractions, whose last digits depend on the order and the machine.

import type { FileFacts, Unit, Value } from '../facts/facts.ts'
import { keptIn } from './zone.ts'

/** Sums over many numbers, and functions that only come close. */
const AGGREGATES = /^(numpy\.(mean|average|std|var|dot|matmul|trapz|cov|corrcoef|median|percentile|quantile|exp|log|sqrt|linalg\.\w+)|statistics\.(mean|fmean|stdev|pstdev|variance)|math\.(exp|log|sqrt|sin|cos|tan|pow|dist|hypot)|Math\.(exp|log|sqrt|sin|cos|tan|pow|hypot)|\?\.(mean|std|var|score|predict_proba|decision_function|score_samples|inverse_transform|log_loss|norm|cov|corr))$/
const TIMES = /(^|[._])(started|expires|finished|stopped|created|start|stop|end|time|now|deadline|at|mono|elapsed|duration|t\d?)$|_(at|time|mono|ts)(_\w+)?$/

export interface Rounded {
  readonly how: 'times' | 'aggregate' | 'arithmetic'
}

export function rounded(file: Pick<FileFacts, 'units'>, unit: Unit, value: Value | undefined, offset: number, depth = 0): Rounded | undefined {
  if (!value || depth > 4) return undefined
  if (value.is === 'name') {
    const kept = keptIn(file, unit, value.path, offset)
    return kept && !value.path.includes('.') ? rounded(file, kept.unit, kept.value, kept.offset, depth + 1) : undefined
  }
  if (value.is === 'group' && value.of.length === 1) return rounded(file, unit, value.of[0], offset, depth + 1)
  if (value.is === 'call') return AGGREGATES.test(unit.calls[value.call]?.name ?? '') ? { how: 'aggregate' } : undefined
  if (value.is !== 'op' || value.of.length !== 2 || !/^[-+*/]$/.test(value.op)) return undefined
  if (value.op === '-' && value.of.every(v => v.is === 'name' && v.path.includes('.') && TIMES.test(v.path))) return { how: 'times' }
  const inner = value.of.map(v => rounded(file, unit, v, offset, depth + 1)).find(r => r !== undefined)
  return inner ?? (value.of.some(isFraction) ? { how: 'arithmetic' } : undefined)
}

/** A number that no binary fraction hits: 0.1, not 0.5. */
export const isFraction = (value: Value | undefined): boolean => value?.is === 'literal' && typeof value.value === 'number' && !Number.isInteger(value.value * 1024)

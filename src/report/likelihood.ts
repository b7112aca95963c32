// How likely a finding is to be one that somebody has to fix. Not a guess: in the files of 256 real flakiness fixes, as they
// stood before, it was counted how many findings each rule makes and how many of those stand on lines that the fix changed.
// `node scripts/calibrate.mjs` counts again; docs/risk.md tells how, and what the figure does not say.

import type { Confidence, Finding } from '../rules/rule.ts'
import { OBSERVED } from './observed.ts'

/** A rule that was seen seldom is thought to be like the others: so many findings of the common share are added to its own. */
const PRIOR_WEIGHT = 20

/**
 * In those files findings of high and of medium confidence were fixed about equally often (6 and 10 of 100), low ones a quarter as often
 * (1.6).
 */
const BY_CONFIDENCE: Readonly<Record<Confidence, number>> = { high: 1, medium: 1, low: 0.25 }

const ALL = Object.values(OBSERVED).reduce((sum, [fixed, found]) => [sum[0] + fixed, sum[1] + found] as const, [0, 0] as const)
const COMMON = ALL[1] === 0 ? 0 : ALL[0] / ALL[1]

/** Between 0 and 1. */
export function likelihoodOf({ ruleId, confidence }: Pick<Finding, 'ruleId' | 'confidence'>): number {
  const [fixed, found] = OBSERVED[ruleId] ?? [0, 0]
  return ((fixed + PRIOR_WEIGHT * COMMON) / (found + PRIOR_WEIGHT)) * BY_CONFIDENCE[confidence]
}

/** What a report says of the figure, in paragraphs; docs/risk.md says more. */
export const RECKONING: readonly string[] = [
  'Risk is tests endangered times likelihood. A test that is reached by imports and types counts 1, one with a step that was told by less 0.8, one that rests on names alone 0.3.',
  `Likelihood is how often a finding of that rule stood on a line that somebody later had to fix, counted in the files of 256 real flakiness fixes in 19 public repositories: ${
    ALL[0]
  } of ${ALL[1]} findings. A rule that was seen seldom is drawn towards the share of all rules together.`,
  'It serves to rank causes against each other. It is no chance of failure, and the same tree gives the same figures every time.',
]

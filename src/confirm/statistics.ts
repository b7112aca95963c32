// What a handful of runs allows to be said.

export interface Interval {
  readonly low: number
  readonly high: number
}

const Z95 = 1.959963984540054

/** Wilson's 95 % interval of a rate: unlike the normal one it is right at 0 and at n. */
export function wilson(failures: number, runs: number, z = Z95): Interval {
  if (runs === 0) return { low: 0, high: 1 }
  const p = failures / runs
  const z2 = z * z
  const centre = (p + z2 / (2 * runs)) / (1 + z2 / runs)
  const half = (z / (1 + z2 / runs)) * Math.sqrt((p * (1 - p)) / runs + z2 / (4 * runs * runs))
  return { low: failures === 0 ? 0 : Math.max(0, centre - half), high: failures === runs ? 1 : Math.min(1, centre + half) }
}

/** With no failure in n runs, rates above this are excluded at 95 %. */
export const zeroFailureBound = (runs: number, confidence = 0.95): number => (runs === 0 ? 1 : 1 - (1 - confidence) ** (1 / runs))

/** How many runs show a failure of this rate at least once, with that confidence. */
export const runsToSee = (rate: number, confidence = 0.95): number =>
  rate >= 1 ? 1 : Math.ceil(Math.log(1 - confidence) / Math.log(1 - rate) - 1e-9)

/** Fisher's exact test, two-sided: how likely two counts as unequal as these are where the rates are the same. */
export function fisher(failuresA: number, runsA: number, failuresB: number, runsB: number): number {
  const failures = failuresA + failuresB
  const chance = (a: number) => Math.exp(logChoose(runsA, a) + logChoose(runsB, failures - a) - logChoose(runsA + runsB, failures))
  const seen = chance(failuresA)
  let p = 0
  for (let a = Math.max(0, failures - runsB); a <= Math.min(runsA, failures); a++) if (chance(a) <= seen * (1 + 1e-7)) p += chance(a)
  return Math.min(1, p)
}

function logChoose(n: number, k: number): number {
  let sum = 0
  for (let i = 1; i <= k; i++) sum += Math.log(n - k + i) - Math.log(i)
  return sum
}

/** A failure rate from few runs, never quite 0 or 1, and cautious: what a search plans with. */
export const cautiousRate = (failures: number, runs: number): number => (0.75 * (failures + 0.5)) / (runs + 1)

/** As many passes as make it a hundred to one that nothing in there makes the test fail. */
export const passesThatAcquit = (rate: number, confidence = 0.99): number => Math.max(3, runsToSee(rate, confidence))

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

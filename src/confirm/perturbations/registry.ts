// Every shake that a rule may name. Four of them are protocols of their own and have no file here: the ladder takes them.

import type { Perturbation, Shake } from './perturbation.ts'
import { clockShift } from './clock-shift.ts'
import { cpuStress } from './cpu-stress.ts'
import { cwdChange } from './cwd-change.ts'
import { envScrub } from './env-scrub.ts'
import { hashSeed } from './hash-seed.ts'
import { latencyInject } from './latency-inject.ts'
import { localeShift } from './locale-shift.ts'
import { netOff } from './net-off.ts'
import { parallelise } from './parallelise.ts'
import { portOccupy } from './port-occupy.ts'
import { seedVary } from './seed-vary.ts'
import { tmpMove } from './tmp-move.ts'
import { tzShift } from './tz-shift.ts'
import { unskip } from './unskip.ts'

/** In the order they are tried: what one run tells comes first. */
export const SHAKES: readonly Shake[] = [tzShift, localeShift, hashSeed, seedVary, envScrub, tmpMove, cwdChange, clockShift, netOff,
  portOccupy, parallelise, latencyInject, cpuStress, unskip]

/** What the ladder does by protocol. */
export const BY_PROTOCOL: Readonly<Record<Exclude<Perturbation, ShakeName>, string>> = {
  'shuffle-order': 'the suite backwards and in ten shuffled orders',
  isolate: 'alone against in suite',
  repeat: 'thirty runs alone',
}

type ShakeName = Exclude<Perturbation, 'shuffle-order' | 'isolate' | 'repeat'>

export const PERTURBATIONS: readonly Perturbation[] = [...SHAKES.map(s => s.name), ...Object.keys(BY_PROTOCOL) as Perturbation[]].sort()

/** Tried where nobody asks for one: cheap, and one run tells. */
export const USUAL: readonly Perturbation[] = ['tz-shift', 'locale-shift', 'hash-seed', 'cpu-stress']

/** A shake for every name, or the ladder knows it: kept true by the compiler. */
export const shakeNamed = (name: Perturbation): Shake | undefined => SHAKES.find(s => s.name === name)

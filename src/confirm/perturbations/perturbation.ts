// A shake of the world: what it reveals, and the ways in which it can be done here.

import type { Perturbation } from '../../rules/rule.ts'
import type { Guard } from '../guard.ts'
import type { Ask } from '../protocols/ask.ts'
import type { Abilities, Command, Finished, Listed, Request } from '../runner.ts'

export type { Perturbation }

/** What a shake may look at before it says what it can do. */
export interface World {
  readonly runner: string
  readonly can: Abilities
  readonly target: Listed
  /** The text of the target's file; empty where it is not known. */
  readonly text: string
  readonly env: Readonly<Record<string, string>>
  /** Variables that the user passes by name. */
  readonly passed: readonly string[]
  /** A folder of its own, empty, for as long as the confirmation lasts. */
  readonly folder: (name: string) => string
  readonly exec: (command: Command) => Promise<Finished>
  readonly guard: Guard
}

/** One way to shake. Everything it changes is said here, so that the command to reproduce it can be printed. */
export interface Variant {
  /** `TZ=Asia/Kolkata`, `4 burners at nice 10`. */
  readonly title: string
  readonly env?: Readonly<Record<string, string>>
  /** Replaces the whole environment. */
  readonly wholeEnv?: Readonly<Record<string, string>>
  readonly prefix?: readonly string[]
  readonly request?: Pick<Request, 'cwd' | 'unskip'>
  readonly asks?: Pick<Ask, 'parallel' | 'seed' | 'copies'>
  readonly inSuite?: boolean
  /** Goes on around the run; gives its end. */
  readonly around?: () => Promise<() => void>
  /** Acts on the run's own processes while they run. */
  readonly beside?: (marked: () => readonly number[]) => () => void
}

export interface Shake {
  readonly name: Perturbation
  /** The cause that a failure under it shows. */
  readonly reveals: string
  /** The same variant always does the same. */
  readonly sure: boolean
  /** The ways it can be done here, or why it cannot. */
  readonly variants: (world: World) => Promise<readonly Variant[] | string>
}

export type Family = 'python' | 'node' | 'jvm' | 'native' | 'shell'

/** What executes the tests of a runner: libraries and languages differ in which shakes reach them. */
export function familyOf(runner: string): Family {
  if (/^(pytest|unittest)$/.test(runner)) return 'python'
  if (/^(jest|vitest|mocha|node-test|playwright)$/.test(runner)) return 'node'
  if (/^(surefire|gradle)$/.test(runner)) return 'jvm'
  return runner === 'bats' || runner === 'command' ? 'shell' : 'native'
}

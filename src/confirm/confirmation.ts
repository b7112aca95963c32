// The outcome of a confirmation as plain data: what reports are made of, and what shards hand to each other.

import { counts, countedIn, failed, failuresIn, type ProtocolName, type Run, type RunOutcome } from './protocols/ask.ts'
import { READINGS, type IsolationReading } from './protocols/isolation.ts'
import { closed, type Known } from './protocols/known.ts'
import { LABELS, type MultiRunLabel } from './protocols/multi-run.ts'
import type { PhaseTiming } from './protocols/timing.ts'
import { exitStatusOf, judge, type Verdict } from './protocols/verdict.ts'
import type { Listed } from './runner.ts'
import { wilson, zeroFailureBound, type Interval } from './statistics.ts'
import type { Ending } from './drive.ts'

export interface RunLine {
  readonly protocol: ProtocolName
  readonly what: string
  readonly outcome: RunOutcome
  readonly attempts: number
  readonly setupMs: number | null
  readonly testMs: number | null
  readonly teardownMs: number | null
  readonly ms: number
  readonly message?: string
  readonly race?: boolean
  readonly leaked?: number
}

export interface Counted {
  readonly runs: number
  readonly failures: number
  readonly interval: Interval
}

export interface Confirmation {
  readonly schemaVersion: 1
  readonly tool: { readonly name: 'flakesniff'; readonly version: string }
  readonly target: { readonly id: string; readonly name: string; readonly file: string | null; readonly line: number | null }
  readonly runner: { readonly id: string; readonly title: string; readonly reasons: readonly string[] }
  readonly verdict: Verdict
  readonly confirmed: boolean
  readonly diagnosis: string
  /** Under which `runs`, `failures` and `interval` were counted: `alone`, `in suite`, `after X`. */
  readonly condition: string
  readonly runs: number
  readonly failures: number
  /** Wilson's 95 % interval of the failure rate. */
  readonly interval: Interval
  /** With no failure: rates above this are excluded at 95 %. */
  readonly excludedAbove: number | null
  readonly nondeterministic: boolean
  readonly interferers: readonly { readonly id: string; readonly file: string | null; readonly name: string }[]
  readonly perturbation: { readonly name: string; readonly title: string; readonly reveals: string } | null
  /** The command that shows it again, for a shell. */
  readonly reproduce: string | null
  /** Runs that the runner's own retries made pass, and the settings that do so. */
  readonly masked: { readonly runs: number; readonly settings: readonly string[] }
  readonly multiRun: Counted & { readonly command: string; readonly label: MultiRunLabel; readonly meaning: string;
    readonly lines: readonly RunLine[] }
  readonly isolation: { readonly scope: 'suite' | 'file'; readonly isolated: readonly RunLine[]; readonly inSuite: readonly RunLine[];
    readonly reading: IsolationReading; readonly diagnosis: string; readonly p: number | null } | null
  readonly orders: readonly RunLine[]
  readonly ordering: {
    readonly kind: 'polluter' | 'setter'
    readonly candidates: number
    readonly confirmed: boolean
    readonly more: readonly (readonly string[])[]
    readonly steps: readonly { readonly step: number; readonly what: string; readonly outcomes: readonly RunOutcome[];
      readonly reading: string }[]
  } | null
  readonly timing: { readonly parallel: readonly RunLine[]; readonly serial: readonly RunLine[]; readonly race: readonly RunLine[];
    readonly phases: readonly PhaseTiming[]; readonly observations: readonly string[] }
  readonly perturbations: readonly { readonly name: string; readonly title: string; readonly runs: readonly RunLine[];
    readonly baseline: readonly RunLine[]; readonly revealed: boolean; readonly p: number }[]
  /** What was wanted and is not possible here, and why. */
  readonly unavailable: readonly { readonly name: string; readonly why: string }[]
  readonly environment: { readonly dropped: readonly string[]; readonly set: Readonly<Record<string, string>> }
  readonly warnings: readonly string[]
  /** `done`, or why it stopped before. */
  readonly ending: Ending
  readonly totalRuns: number
  readonly shard: { readonly index: number; readonly of: number } | null
}

/** What a confirmation says beside its runs. */
export type About = Pick<Confirmation, 'tool' | 'runner' | 'unavailable' | 'environment' | 'warnings' | 'ending' | 'shard'> & {
  readonly target: Listed
  readonly retries: readonly string[]
  readonly reveals: (perturbation: string) => string
  readonly commandOf: (run: Run) => string
}

export function toConfirmation(sofar: Known, about: About): Confirmation {
  const known = closed(sofar)
  const { multiRun, isolation, ordering, timing } = known
  const { target, retries, reveals, commandOf, ...rest } = about
  const judged = judge(known, target)
  const shaken = known.shaken.find(s => s.revealed)
  const alone = multiRun?.runs ?? []
  const countedShown = counted(judged.shown)
  return {
    schemaVersion: 1,
    ...rest,
    target: { id: target.id, name: target.name, file: target.file, line: target.line ?? null },
    verdict: judged.verdict,
    confirmed: exitStatusOf(judged.verdict) === 1,
    diagnosis: judged.diagnosis,
    condition: judged.condition,
    ...countedShown,
    excludedAbove: countedShown.failures === 0 && countedShown.runs > 0 ? zeroFailureBound(countedShown.runs) : null,
    nondeterministic: known.runs.some(failed) && known.runs.some(r => r.outcome === 'pass'),
    interferers: judged.interferers.map(({ id, file, name }) => ({ id, file, name })),
    perturbation: shaken && (judged.verdict === 'environment-sensitive' || judged.verdict === 'parallel-only')
      ? { name: shaken.name, title: shaken.title, reveals: reveals(shaken.name) }
      : null,
    reproduce: judged.proof === null ? null : commandOf(judged.proof),
    masked: { runs: known.runs.filter(r => r.attempts > 1).length, settings: retries },
    multiRun: { ...counted(alone), command: alone[0] ? commandOf(alone[0]) : '', label: multiRun?.label ?? 'none',
      meaning: LABELS[multiRun?.label ?? 'none'], lines: alone.map(toLine) },
    isolation: isolation
      ? { scope: isolation.scope, isolated: isolation.isolated.map(toLine), inSuite: isolation.inSuite.map(toLine),
        reading: isolation.reading, diagnosis: READINGS[isolation.reading], p: isolation.p }
      : null,
    orders: [...known.shuffles ?? [], ...known.twice ?? []].map(toLine),
    ordering: ordering
      ? {
        kind: ordering.kind,
        candidates: ordering.candidates,
        confirmed: ordering.confirmed,
        more: ordering.more.map(set => set.map(t => t.id)),
        steps: ordering.steps.map(s => ({ step: s.step, what: s.what, outcomes: s.runs.map(r => r.outcome), reading: s.reading })),
      }
      : null,
    timing: { parallel: (timing?.parallel ?? []).map(toLine), serial: (timing?.serial ?? []).map(toLine),
      race: (timing?.race ?? []).map(toLine), phases: timing?.phases ?? [], observations: timing?.observations ?? [] },
    perturbations: known.shaken.map(s => ({ name: s.name, title: s.title, runs: s.runs.map(toLine), baseline: s.baseline.map(toLine),
      revealed: s.revealed, p: s.p })
    ),
    totalRuns: known.runs.length,
  }
}

const counted = (runs: readonly Run[]): Counted => ({ runs: countedIn(runs), failures: failuresIn(runs),
  interval: wilson(failuresIn(runs), countedIn(runs)) })

const toLine = ({ ask, outcome, attempts, setupMs, testMs, teardownMs, ms, message, race, leaked }: Run): RunLine => ({
  protocol: ask.protocol,
  what: ask.what,
  outcome,
  attempts,
  setupMs: round(setupMs),
  testMs: round(testMs),
  teardownMs: round(teardownMs),
  ms: Math.round(ms),
  ...(message !== undefined && !(counts({ outcome }) && outcome === 'pass') && { message }),
  ...(race !== undefined && { race }),
  ...(leaked !== undefined && { leaked }),
})

function round(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100
}

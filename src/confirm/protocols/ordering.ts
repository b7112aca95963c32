// Which tests, run before the target, make it fail? Or, for one that fails alone: which make it pass?

import type { Listed } from '../runner.ts'
import { cautiousRate, passesThatAcquit } from '../statistics.ts'
import { counts, failed, passed, type Answer, type Protocol, type Run } from './ask.ts'
import { search, type Found } from './search.ts'

export interface OrderingStep {
  readonly step: number
  readonly what: string
  readonly runs: Run[]
  readonly reading: 'here' | 'not here' | 'confirmed'
}

export interface Ordering {
  /** Polluters make the target fail; setters make one pass that fails without them. */
  readonly kind: 'polluter' | 'setter'
  readonly candidates: number
  readonly steps: readonly OrderingStep[]
  /** They act together: each is needed. */
  readonly interferers: readonly Listed[]
  /** Other sets that do the same by themselves. */
  readonly more: readonly (readonly Listed[])[]
  readonly confirmed: boolean
  readonly hits: number
  readonly tries: number
  /** The confirming run, for the command that reproduces it. */
  readonly proof: Run | null
}

export interface OrderingQuestion {
  readonly target: Listed
  /** What ran before the target in the order that failed (or passed), in that order. */
  readonly candidates: readonly Listed[]
  readonly kind: Ordering['kind']
  /** How often it happened with all of them, of how many. */
  readonly seen: { readonly hits: number; readonly runs: number }
  /** For a runner that keeps its own order: the seed under which it happened. */
  readonly seed?: number
}

/** More than this many independent causes are the project's, not the test's. */
const MOST_CAUSES = 3

export function* ordering(question: OrderingQuestion): Protocol<Ordering> {
  const log = stepLog(question)
  const causes: Found<Listed>[] = []
  let rest = question.candidates
  while (rest.length > 0 && causes.length < MOST_CAUSES) {
    const { hits, runs } = question.seen
    const found = yield* asked(search(rest, { rate: cautiousRate(hits, runs), always: causes.length === 0 && hits === runs && runs >= 5 }),
      question, log)
    if (!found?.confirmed) {
      if (causes.length === 0 && found) causes.push(found)
      break
    }
    causes.push(found)
    rest = rest.filter(t => !found.cause.includes(t))
    if (!(yield* stillHappens(rest, question, log))) break
  }
  const [first, ...others] = causes
  return {
    kind: question.kind,
    candidates: question.candidates.length,
    steps: log.steps(first?.confirmed ? first.cause : []),
    interferers: first?.confirmed ? first.cause : [],
    more: others.filter(f => f.confirmed).map(f => f.cause),
    confirmed: first?.confirmed ?? false,
    hits: first?.hits ?? 0,
    tries: first?.tries ?? 0,
    proof: first?.confirmed ? log.proofOf(first.cause) : null,
  }
}

const happened = (kind: Ordering['kind'], answer: Answer): boolean => (kind === 'polluter' ? failed(answer) : passed(answer))

/** Does it without what was found? Only so many runs as make a second cause of the same strength likely to show. */
function* stillHappens(rest: readonly Listed[], question: OrderingQuestion, log: StepLog): Protocol<boolean> {
  if (rest.length === 0) return false
  const most = Math.min(passesThatAcquit(cautiousRate(question.seen.hits, question.seen.runs), 0.9), 8)
  for (let n = 0; n < most; n++) if (yield* oneRun(rest, question, log)) return true
  return false
}

function* asked<R>(steps: Generator<readonly Listed[], R, boolean>, question: OrderingQuestion, log: StepLog): Protocol<R> {
  let next = steps.next()
  while (!next.done) next = steps.next(yield* oneRun(next.value, question, log))
  return next.value
}

function* oneRun(before: readonly Listed[], question: OrderingQuestion, log: StepLog): Protocol<boolean> {
  const { target, kind, seed } = question
  const ask = { protocol: 'ordering' as const, what: log.nameOf(before), tests: [...before, target], ...(seed !== undefined && { seed }) }
  let run: Run = { ask, ...(yield ask) }
  // A run that tells nothing is made again once: taken for «not here», it would send the search astray.
  if (!counts(run)) run = { ask, ...(yield ask) }
  const hit = happened(kind, run)
  log.add(before, run, hit)
  return hit
}

interface StepLog {
  readonly nameOf: (before: readonly Listed[]) => string
  readonly add: (before: readonly Listed[], run: Run, hit: boolean) => void
  readonly proofOf: (cause: readonly Listed[]) => Run | null
  readonly steps: (cause: readonly Listed[]) => OrderingStep[]
}

/** Runs gathered as the protocol records them: by step, and within it by the part that was run. */
function stepLog(question: OrderingQuestion): StepLog {
  const index = new Map(question.candidates.map((t, i) => [t, i]))
  const entries: { step: number; before: readonly Listed[]; what: string; runs: Run[]; hits: Run[] }[] = []
  let step = 1
  let over = false
  const nameOf = (before: readonly Listed[]): string => {
    const [first, last] = [index.get(before[0]!) ?? 0, index.get(before.at(-1)!) ?? 0]
    if (before.length === 1) return `test[${first}] + target`
    return last - first + 1 === before.length ? `tests[${first}:${last}] + target` : `${before.length} of tests[${first}:${last}] + target`
  }
  const of = (cause: readonly Listed[]) =>
    entries.filter(e =>
      cause.length > 0 && e.hits.length > 0 && e.before.length === cause.length && e.before.every((t, i) => t === cause[i])
    ).at(-1)
  return {
    nameOf,
    add: (before, run, hit) => {
      const what = nameOf(before)
      const current = entries.filter(e => e.step === step)
      const known = current.find(e => e.what === what)
      // Two halves race in a step. A hit ends it, and so does a part that is no sibling of the first.
      const sibling = current.length === 0 || Math.abs(current[0]!.before.length - before.length) <= 1
      if (!known && (over || !sibling || current.length >= 2)) step++
      const entry = known ?? { step, before, what, runs: [], hits: [] }
      if (!known) entries.push(entry)
      entry.runs.push(run)
      if (hit) entry.hits.push(run)
      over = hit
    },
    proofOf: cause => of(cause)?.hits.at(-1) ?? null,
    steps: cause => {
      const proof = of(cause)
      return entries.map(e => ({ step: e.step, what: e.what, runs: e.runs,
        reading: e === proof ? 'confirmed' : e.hits.length > 0 ? 'here' : 'not here' })
      )
    },
  }
}

// For a terminal: the verdict first, then what each protocol recorded.

import { visible } from '../../report/visible.ts'
import type { Confirmation, RunLine } from '../confirmation.ts'
import { advice, ENDINGS, isCounted, isFailure, letters, lettersOf, ms, percent, rateOf, rateSentence } from './numbers.ts'

export function formatConfirmText(c: Confirmation): string {
  const sections = [head(c), ...records(c)].filter(s => s.length > 0)
  return `${sections.map(s => s.map(visible).join('\n')).join('\n\n')}\n`
}

/** What the protocols recorded, each in its own form. */
export const records = (c: Confirmation): string[][] =>
  [multiRun(c), isolation(c), orders(c), ordering(c), timing(c), perturbations(c), notes(c)].filter(s => s.length > 0)

function head(c: Confirmation): string[] {
  const hint = advice(c)
  return [
    `${c.target.id}: ${c.verdict}`,
    `  ${c.diagnosis}.`,
    `  ${c.condition[0]!.toUpperCase()}${c.condition.slice(1)}: ${rateSentence(c)}`,
    ...(c.interferers.length > 0 ? [`  Interfering test: ${c.interferers.map(t => `${t.name} (${t.id})`).join(', together with ')}`] : []),
    ...(c.perturbation ? [`  Perturbation: ${c.perturbation.name} (${c.perturbation.title}) — reveals ${c.perturbation.reveals}`] : []),
    ...(c.reproduce === null ? [] : [`  Reproduce: ${c.reproduce}`]),
    ...(hint === null ? [] : [`  ${hint}`]),
    ...(c.ending === 'done' ? [] : [`  ${ENDINGS[c.ending]}`]),
  ]
}

function multiRun({ multiRun: { command, lines, runs, failures, interval, meaning } }: Confirmation): string[] {
  if (lines.length === 0) return []
  const silent = lines.length - runs
  const message = lines.find(l => isFailure(l) && l.message !== undefined)?.message
    ?? lines.find(l => !isCounted(l) && l.message !== undefined)?.message
  return [
    'MULTI-RUN RESULTS',
    `Command: ${command}`,
    `Runs: ${lines.length}`,
    `Results: ${lettersOf(lines)}`,
    `Pass: ${runs - failures}, Fail: ${failures}${silent > 0 ? `, no result: ${silent}` : ''}`,
    `Fail rate: ${rateOf(lines)}${runs > 0 ? ` (95% interval ${percent(interval.low)} to ${percent(interval.high)})` : ''}`,
    ...(runs > 0 ? [`Reading: ${meaning}`] : []),
    ...(message === undefined ? [] : ['Message:', ...message.split('\n').slice(-6).map(l => `  ${l}`)]),
  ]
}

function isolation({ isolation: made }: Confirmation): string[] {
  if (!made || made.inSuite.length === 0) return []
  const suite = made.scope === 'suite' ? 'In-suite' : 'In its file'
  return [
    'ISOLATION RESULTS',
    `Isolated (${made.isolated.length} runs): ${lettersOf(made.isolated)} — fail rate: ${rateOf(made.isolated)}`,
    `${suite} (${made.inSuite.length} runs): ${lettersOf(made.inSuite)} — fail rate: ${rateOf(made.inSuite)}`,
    `Diagnosis: ${made.diagnosis}`,
    ...(made.p !== null && made.reading === 'ordering-dependent'
      ? [`Chance of so unequal counts without a difference: ${made.p < 0.001 ? 'below 0.1%' : percent(made.p)}`]
      : []),
  ]
}

function orders({ orders: made }: Confirmation): string[] {
  return made.length === 0 ? [] : ['OTHER ORDERS', ...grouped(made).map(([what, lines]) => `${what}: ${lettersOf(lines)}`)]
}

const READINGS: Readonly<Record<string, string>> = { here: '(here!)', 'not here': '(not here)', confirmed: '(CONFIRMED)' }

function ordering({ ordering: made, interferers }: Confirmation): string[] {
  if (!made) return []
  const what = made.kind === 'polluter' ? 'Interfering test' : 'Test it needs'
  return [
    'ORDERING BISECTION',
    `Full suite: ${made.candidates} tests before target`,
    ...made.steps.map(s => `Step ${s.step}: ${s.what} → ${runs(s.outcomes.length)}: ${letters(s.outcomes)} ${READINGS[s.reading] ?? ''}`),
    ...(interferers.length > 0 ? interferers.map(t => `${what}: ${t.name} (${t.id})`) : [`${what}: not found`]),
    ...(interferers.length > 1 ? ['These act only together.'] : []),
    ...made.more.map(set => `Also: ${set.join(' + ')}`),
  ]
}

const NAMES = { setup: 'Setup:   ', test: 'Test:    ', teardown: 'Teardown:' } as const

function timing({ timing: made }: Confirmation): string[] {
  const mode = (name: string, lines: readonly RunLine[]) => (lines.length === 0
    ? []
    : [`${name} mode: ${lines.length} runs → ${lines.filter(isFailure).length} failures (${rateOf(lines)} fail rate)`])
  const spread = made.phases.map(p =>
    `  ${NAMES[p.phase]} median=${ms(p.median)}, max=${ms(p.max)} (${
      p.max < 50 || p.ratio < 2 ? 'stable' : `${Math.round(p.ratio)}x variance${p.onFailing ? ' on a failing run' : ''}`
    })`
  )
  const body = [
    ...mode('Parallel', made.parallel),
    ...(made.parallel.length > 0 ? mode('Serial', made.serial) : []),
    ...(made.parallel.some(isFailure) && !made.serial.some(isFailure) && made.serial.length > 0
      ? ['Diagnosis: Fails only under parallel execution']
      : []),
    ...(made.race.length > 0 ? [`Race detector: ${made.race.length} runs → ${made.race.filter(r => r.race).length} reports`] : []),
    ...(spread.length > 0 ? ['', 'Timing variance:', ...spread] : []),
    ...(made.observations.length > 0 ? ['', ...made.observations.map(o => `Observation: ${o}`)] : []),
  ]
  return body.length === 0 ? [] : ['TIMING ANALYSIS', ...(body[0] === '' ? body.slice(1) : body)]
}

function perturbations({ perturbations: made, unavailable }: Confirmation): string[] {
  if (made.length === 0 && unavailable.length === 0) return []
  return [
    'PERTURBATIONS',
    ...made.map(p =>
      `${p.name} (${p.title}): ${lettersOf(p.runs)}${p.baseline.length > 0 ? ` — at rest: ${lettersOf(p.baseline)}` : ''}${
        p.revealed ? ' (turned a pass into a failure)' : ''
      }`
    ),
    ...unavailable.map(u => `${u.name}: not possible here: ${u.why}`),
  ]
}

function notes({ masked, warnings, environment, totalRuns, runner }: Confirmation): string[] {
  return [
    'NOTES',
    `Runner: ${runner.title} (${runner.reasons.join('; ')}), ${totalRuns} runs in all`,
    ...(masked.runs > 0 ? [`The runner's own retries hid a failure in ${masked.runs} runs.`] : []),
    ...masked.settings.map(s => `Retries are on: ${s}`),
    ...warnings.map(w => `Warning: ${w}`),
    ...(environment.dropped.length > 0 ? [`Left out of the environment (--env NAME passes one): ${environment.dropped.join(', ')}`] : []),
  ]
}

const runs = (n: number): string => `${n} ${n === 1 ? 'run' : 'runs'}`

export function grouped(lines: readonly RunLine[]): [string, RunLine[]][] {
  const groups = new Map<string, RunLine[]>()
  for (const line of lines) groups.get(line.what)?.push(line) ?? groups.set(line.what, [line])
  return [...groups]
}

// The parts of a confirmation that several machines made, joined and judged as one.

import { toConfirmation, type Confirmation, type RunLine } from './confirmation.ts'
import { confirmError } from './error.ts'
import type { Run } from './protocols/ask.ts'
import { judgeIsolation } from './protocols/isolation.ts'
import { nothingKnown } from './protocols/known.ts'
import { judgeRuns } from './protocols/multi-run.ts'
import { judgeTiming } from './protocols/timing.ts'

export function readConfirmations(file: string, text: string): Confirmation[] {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw confirmError(`${file}: is not JSON (${(error as Error).message})`)
  }
  const { confirmations, verdict, schemaVersion } = (data ?? {}) as { confirmations?: Confirmation[]; verdict?: string;
    schemaVersion?: number }
  if (schemaVersion !== 1 || (verdict === undefined && !Array.isArray(confirmations)))
    throw confirmError(`${file}: is not what \`flakesniff confirm --format json\` writes`)
  return confirmations ?? [data as Confirmation]
}

/** By test: parts of the same test become one, in the order of their shards. */
export function merge(parts: readonly Confirmation[]): Confirmation[] {
  const tests = new Map<string, Confirmation[]>()
  for (const part of parts) {
    const key = JSON.stringify([part.runner.id, part.target.id])
    tests.get(key)?.push(part) ?? tests.set(key, [part])
  }
  return [...tests.values()].map(joined)
}

function joined(parts: readonly Confirmation[]): Confirmation {
  const sorted = [...parts].sort((a, b) => (a.shard?.index ?? 0) - (b.shard?.index ?? 0))
  const first = sorted[0]!
  if (sorted.length === 1) return { ...first, warnings: [...first.warnings, ...missing(sorted)] }
  const known = nothingKnown()
  const alone = sorted.flatMap(p => p.multiRun.lines.map(toRun))
  const inSuite = sorted.flatMap(p => p.isolation?.inSuite.map(toRun) ?? [])
  known.runs.push(...alone, ...inSuite)
  known.multiRun = judgeRuns(alone)
  if (inSuite.length > 0) known.isolation = judgeIsolation(alone, inSuite, first.isolation?.scope ?? 'suite')
  known.timing = judgeTiming(alone, [], inSuite, [])
  const { target } = first
  return toConfirmation(known, {
    tool: first.tool,
    target: { id: target.id, file: target.file, name: target.name, ...(target.line !== null && { line: target.line }) },
    runner: first.runner,
    unavailable: [],
    environment: first.environment,
    warnings: [...new Set([...sorted.flatMap(p => p.warnings), ...missing(sorted)])],
    ending: sorted.find(p => p.ending !== 'done')?.ending ?? 'done',
    shard: null,
    retries: [...new Set(sorted.flatMap(p => p.masked.settings))],
    reveals: () => '',
    commandOf: run => (run.ask.protocol === 'multi-run'
      ? first.multiRun.command
      : sorted.find(p => p.reproduce !== null && p.condition === 'in suite')?.reproduce ?? ''),
  })
}

/** A shard that did not report is said: its runs are not passes. */
function missing(parts: readonly Confirmation[]): string[] {
  const of = Math.max(0, ...parts.map(p => p.shard?.of ?? 0))
  const absent = Array.from({ length: of }, (_, i) => i + 1).filter(i => !parts.some(p => p.shard?.index === i))
  return absent.length === 0 ? [] : [`no report of shard ${absent.join(', ')} of ${of}`]
}

const toRun = (line: RunLine): Run => ({ ...line, ask: { protocol: line.protocol, what: line.what, tests: null }, command: [] })

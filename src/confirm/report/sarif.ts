// A SARIF log as it was, with what the runs showed on each result that was confirmed or not.

import { toJson } from '../../report/visible.ts'
import type { Confirmation } from '../confirmation.ts'

/** A finding of the log, by its run and its place there, and what came of it. */
export interface Enrichment {
  readonly run: number
  readonly result: number
  readonly confirmation: Confirmation
}

interface Log {
  runs?: { results?: { properties?: Record<string, unknown>; [key: string]: unknown }[]; [key: string]: unknown }[]
}

export function enrichSarif(text: string, enrichments: readonly Enrichment[]): string {
  const log = JSON.parse(text) as Log
  for (const { run, result, confirmation } of enrichments) {
    const found = log.runs?.[run]?.results?.[result]
    if (found) found.properties = { ...found.properties, ...propertiesOf(confirmation) }
  }
  return toJson(log)
}

const propertiesOf = (c: Confirmation) => ({
  confirmed: c.confirmed,
  verdict: c.verdict,
  diagnosis: c.diagnosis,
  condition: c.condition,
  runs: c.runs,
  failures: c.failures,
  failureRate: c.runs === 0 ? null : c.failures / c.runs,
  failureRateInterval: [c.interval.low, c.interval.high],
  confirmedTest: c.target.id,
  ...(c.interferers.length > 0 && { interferingTest: c.interferers.map(t => t.id).join(' + ') }),
  ...(c.perturbation && { perturbation: c.perturbation.name }),
  ...(c.reproduce !== null && { reproduce: c.reproduce }),
})

/** Where there was no log to begin with: one of our own, a result for each test that was confirmed. */
export const formatConfirmSarif = (confirmations: readonly Confirmation[]): string =>
  toJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: {
        driver: { name: 'flakesniff', version: confirmations[0]?.tool.version ?? '',
          rules: [{ id: 'confirmed-by-runs', name: 'ConfirmedByRuns', shortDescription: { text: 'Runs of the test showed it.' } }] },
      },
      automationDetails: { id: 'flakesniff-confirm/' },
      results: confirmations.filter(c => c.confirmed).map(c => ({
        ruleId: 'confirmed-by-runs',
        ruleIndex: 0,
        level: 'warning',
        message: { text: `${c.verdict}: ${c.diagnosis}.`.replace(/[[\]]/g, b => `\\${b}`) },
        ...(c.target.file === null
          ? {}
          : {
            locations: [{
              physicalLocation: {
                artifactLocation: { uri: c.target.file.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
                region: { startLine: c.target.line ?? 1 },
              },
            }],
          }),
        partialFingerprints: { 'flakesniff-confirm/v1': `${c.runner.id}:${c.target.id}` },
        properties: propertiesOf(c),
      })),
    }],
  })

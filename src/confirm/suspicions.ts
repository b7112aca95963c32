// What to confirm, from a report of findings: each test once, with everything that is suspected of it.

import { confirmError } from './error.ts'

/** Where a result stands in a SARIF log. */
export interface ResultPlace {
  readonly run: number
  readonly result: number
}

export interface Suspicion {
  /** `FILE:LINE`, of the test that the finding endangers most directly. */
  readonly target: string
  readonly test: string | null
  readonly rules: readonly string[]
  readonly results: readonly ResultPlace[]
}

interface Found {
  readonly file: string
  readonly line: number
  readonly test: string | null
  readonly rule: string
  readonly place?: ResultPlace
}

/** From our JSON report or from SARIF, whoever wrote it. */
export function readSuspicions(file: string, text: string): Suspicion[] {
  const found = findingsIn(file, text)
  const tests = new Map<string, Found[]>()
  for (const one of found) {
    const key = JSON.stringify([one.file, one.test ?? one.line])
    tests.get(key)?.push(one) ?? tests.set(key, [one])
  }
  return [...tests.values()].map(all => ({
    target: `${all[0]!.file}:${all[0]!.line}`,
    test: all[0]!.test,
    rules: [...new Set(all.map(f => f.rule))],
    results: all.flatMap(f => f.place ?? []),
  }))
}

function findingsIn(file: string, text: string): Found[] {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw confirmError(`--from ${file}: is not JSON (${(error as Error).message})`)
  }
  const { runs, findings } = (data ?? {}) as { runs?: unknown; findings?: unknown }
  if (Array.isArray(runs)) return runs.flatMap((run, i) => fromRun(run as SarifRun, i))
  if (Array.isArray(findings)) return (findings as ReportFinding[]).filter(f => !f.suppressed).map(fromFinding)
  throw confirmError(`--from ${file}: holds neither SARIF nor a JSON report of flakesniff (\`flakesniff --output sarif:FILE\` writes one)`)
}

interface ReportFinding {
  readonly ruleId: string
  readonly file: string
  readonly startLine: number
  readonly test: string | null
  readonly suppressed?: unknown
  readonly endangers?: readonly { readonly file: string; readonly startLine: number; readonly test: string }[]
}

function fromFinding(f: ReportFinding): Found {
  const test = f.endangers?.[0]
  return test
    ? { file: test.file, line: test.startLine, test: test.test, rule: f.ruleId }
    : { file: f.file, line: f.startLine, test: f.test, rule: f.ruleId }
}

interface SarifLocation {
  readonly physicalLocation?: { readonly artifactLocation?: { readonly uri?: string }; readonly region?: { readonly startLine?: number } }
  readonly message?: { readonly text?: string }
}

interface SarifRun {
  readonly results?: readonly { readonly ruleId?: string; readonly locations?: readonly SarifLocation[];
    readonly relatedLocations?: readonly SarifLocation[]; readonly suppressions?: readonly unknown[];
    readonly properties?: { readonly test?: string; readonly endangers?: number } }[]
}

function fromRun(run: SarifRun, index: number): Found[] {
  return (run.results ?? []).flatMap((result, i) => {
    if ((result.suppressions?.length ?? 0) > 0) return []
    // The endangered tests stand last among the related places.
    const endangered = result.properties?.endangers ?? 0
    const related = result.relatedLocations ?? []
    const at = placeOf(endangered > 0 ? related[Math.max(0, related.length - Math.min(endangered, related.length))] : result.locations?.[0])
    return at === null
      ? []
      : [{ ...at, test: endangered > 0 ? null : result.properties?.test ?? null, rule: result.ruleId ?? '',
        place: { run: index, result: i } }]
  })
}

function placeOf(location: SarifLocation | undefined): { file: string; line: number } | null {
  const uri = location?.physicalLocation?.artifactLocation?.uri
  if (uri === undefined) return null
  return { file: uri.replace(/^file:\/\//, '').split('/').map(decodeURIComponent).join('/'),
    line: location?.physicalLocation?.region?.startLine ?? 1 }
}

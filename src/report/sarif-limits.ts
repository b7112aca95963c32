// What GitHub code scanning takes of a SARIF file. It refuses a file that is larger, and shows less than it takes.

import { gzipSync } from 'node:zlib'

export const LIMITS = {
  /** A run with more is refused. */
  results: 25_000,
  /** Of more, the worst are shown. */
  resultsShown: 5_000,
  /** Of the file as it is uploaded, compressed. */
  bytes: 10_000_000,
  /** Places of one result. */
  related: 1_000,
  /** Steps of a result's code flows, all together: more are taken, but not shown. */
  steps: 1_000,
} as const

export interface Detail {
  readonly results: number
  /** Places of endangered tests in one result. */
  readonly tests: number
}

/** From everything that is allowed down to little: tests of a cause go before findings do. */
export function* details(findings: number): Generator<Detail> {
  const results = Math.min(findings, LIMITS.results)
  for (const tests of [LIMITS.related, 100, 10]) yield { results, tests }
  for (let fewer = Math.floor(results / 2); fewer > 0; fewer = Math.floor(fewer / 2)) yield { results: fewer, tests: 10 }
}

/** Most files are smaller than the limit before they are compressed. */
export const fits = (text: string, limit: number = LIMITS.bytes): boolean =>
  Buffer.byteLength(text) <= limit || gzipSync(text).length <= limit

export function whatIsLeftOut(findings: number, { results, tests }: Detail, mostTests: number): string[] {
  const number = (n: number) => n.toLocaleString('en-US')
  return [
    ...(results < findings
      ? [
        `${number(findings - results)} of ${number(findings)} findings were left out of the SARIF file, the least of them: GitHub takes ${
          number(LIMITS.results)
        } results and 10 MB`,
      ]
      : []),
    ...(tests < mostTests ? [`the SARIF file names at most ${number(tests)} endangered tests of a finding, so that GitHub takes it`] : []),
    ...(results > LIMITS.resultsShown
      ? [`of ${number(results)} results in the SARIF file, GitHub shows the worst ${number(LIMITS.resultsShown)}`]
      : []),
  ]
}

// bats takes one filter for all files and keeps the order within a file. A chosen list is therefore run as a few calls of bats, each
// of which runs a stretch of it exactly and in order. Every test is a process of its own anyway, so nothing is lost but that
// `setup_suite` and `setup_file` run once in each call.

import type { Listed } from '../../runner.ts'

/** `known` gives all tests of a file, in the order in which bats runs them. */
export function segmentsOf(tests: readonly Listed[], known: (file: string) => readonly Listed[]): Listed[][] {
  const segments: Listed[][] = []
  for (const test of tests) {
    const last = segments.at(-1)
    if (last && runsExactly([...last, test], known)) last.push(test)
    else segments.push([test])
  }
  return segments
}

export const filesOf = (tests: readonly Listed[]): string[] => [...new Set(tests.map(t => t.file!))]

function runsExactly(tests: readonly Listed[], known: (file: string) => readonly Listed[]): boolean {
  const titles = new Set(tests.map(t => t.name))
  const would = filesOf(tests).flatMap(known).filter(t => titles.has(t.name))
  return would.length === tests.length && would.every((t, at) => t.id === tests[at]!.id)
}

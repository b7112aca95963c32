// Follows findings outside tests to the tests that they endanger. A finding in code that is not a test's counts only
// where a test reaches it.

import type { FoundFile } from '../discover/discover.ts'
import type { Packages } from '../project/packages.ts'
import type { SetupFile } from '../project/setups.ts'
import type { Endangered, Finding, FindingPlace } from '../rules/rule.ts'
import { traceAll, type Reached, type Step } from '../trace/trace.ts'
import type { FileResult } from './analyse.ts'
import type { Pool } from './pool.ts'
import { sightOf } from './sight.ts'
import { textsOf, type Texts } from './texts.ts'

/** What the project says of its parts. */
export interface Neighbours {
  readonly packages: Packages
  readonly setups: readonly SetupFile[]
}

/**
 * All findings of a run, those outside tests with the tests that reach them, those of source code that none reaches left
 * out. Tests are looked for in all files, also where only some of them were checked.
 */
export async function traced(unsorted: readonly FileResult[], files: ReadonlyMap<string, FoundFile>, ask: Pool['links'],
  project: Neighbours): Promise<Finding[]>
{
  // Workers finish in any order; the way that is shown must not depend on it.
  const results = [...unsorted].sort((a, b) => (a.path < b.path ? -1 : 1))
  // Of what only an audit shows there are thousands in a large repository, and who calls it is asked of most of its files: it is told where
  // it stands.
  const weak = new Set(results.flatMap(r => [...r.findings, ...r.pending]).filter(f => f.confidence === 'low').map(f => f.fingerprint))
  const causes = results.flatMap(r => r.causes).filter(c => !weak.has(c.fingerprint))
  const texts = textsOf(files)
  const reached = await traceAll(causes.map(c => c.place), sightOf(results, files, texts, ask, project))
  const endangered = new Map(causes.map((c, i) => [c.fingerprint, reached[i]!.map(r => toEndangered(r, texts))]))
  const tell = (finding: Finding): Finding => {
    const tests = endangered.get(finding.fingerprint)
    return tests ? { ...finding, endangers: tests } : finding
  }
  return [...results.flatMap(r => r.findings).map(tell),
    ...results.flatMap(r => r.pending).map(tell).filter(f => (f.endangers ?? []).length > 0)]
}

function toEndangered(reached: Reached, texts: Texts): Endangered {
  const place = (path: string, span: Reached['at'], message: string): FindingPlace => ({ file: path, message,
    ...texts.linesOf(path).regionOf(span) })
  return {
    ...place(reached.path, reached.at, `${reached.test} depends on it`),
    test: reached.test,
    calls: reached.steps.length,
    sure: reached.sure,
    path: reached.steps.map(s => place(s.path, spanOf(s, texts), `${s.by === '' ? 'the file' : s.by} ${s.does} ${s.calls}`)),
  }
}

/** A base class, a parameter or a loaded file is named somewhere behind the unit's own name. */
function spanOf(step: Step, texts: Texts): Step['at'] {
  if (step.does === 'calls') return step.at
  const text = texts.textOf(step.path)
  const word = new RegExp(`(?<![\\w$])${step.calls.replace(/[^\w]/g, '\\$&')}(?![\\w$])`, 'g')
  word.lastIndex = step.at.start
  const start = word.exec(text)?.index
  return start === undefined ? step.at : { start, end: start + step.calls.length }
}

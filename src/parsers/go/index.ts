import type { FileKind } from '../../facts/facts.ts'
import type { Frontend } from '../frontend.ts'
import { loadGrammar } from '../tree-sitter.ts'
import { CATALOG, DURATIONS } from './catalog.ts'
import { FRAMEWORKS } from './frameworks.ts'
import { parseGo } from './parser.ts'

export const frontend: Frontend = {
  id: 'go',
  title: 'Go',
  extensions: ['.go'],
  fences: ['go'],
  catalog: CATALOG,
  durations: DURATIONS,
  frameworks: FRAMEWORKS,
  words: {
    skip: ['Skip', 'Skipf', 'SkipNow', 'Pending', '\\b[PX](?:It|Specify|Describe|Context|When|Entry|DescribeTable)\\b',
      '\\b[sS]kip_?(?:If|Unless|On|When|For)[A-Z]'],
    swallow: ['\\b_ = ', 'recover', '[eE]rr\\w*\\s*!=\\s*nil\\s*\\{\\s*(?:\\w+\\.Log|\\w+\\.Print|fmt\\.Fprint)'],
    // An assignment to a plain name with = may go to a variable of the package.
    global: ['\\n\\t+[a-zA-Z][\\w.]* = ', 'DefaultClient', 'DefaultTransport', 'DefaultServeMux', 'DefaultGatherer', 'DefaultRegisterer'],
  },
  kindOf,
  countTests,
  load: () => loadGrammar('go'),
  parse: parseGo,
}

/** The go command itself only knows `_test.go`; what tests share lives in folders and files of these names by custom. */
function kindOf(path: string): FileKind {
  if (/(^|\/)(testdata|vendor|[._][^/]+)\//.test(path)) return 'source'
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.endsWith('_test.go') && !/^[._]/.test(name)) return 'test'
  if (/(^|\/)(tests?|testing|test[_-]?(?:utils?|helpers?|lib|infra|harness|framework|support|common|kit)|e2e|integration|[a-z]+test)\//
    .test(path) && !/(^|\/)(latest|contest|attest|protest)\//.test(path)) return 'support'
  return /^(test|testing|testutils?|testhelpers?|test_?\w*helpers?)\.go$/.test(name) ? 'support' : 'source'
}

/**
 * Counts as `go test -list` does, plus the methods of suites and Ginkgo's specs. A subtest is a unit of its own below its
 * test and is not counted: in parsed facts the tests seen are the test units with no test above them.
 */
function countTests(text: string): number {
  const code = text.replace(/`[^`]*`|\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'/g, blank)
  let count = (code.match(
    /^func (?:Test(?!\p{Ll})[\p{L}\p{N}_]*\(\s*(?:[\p{L}\p{N}_]+ )?\*(?:testing\.)?T|Fuzz(?!\p{Ll})[\p{L}\p{N}_]*\(\s*(?:[\p{L}\p{N}_]+ )?\*(?:testing\.)?F)\s*\)\s*\{/gmu,
  ) ?? []).length
  for (const [example] of code.matchAll(/^func Example(?!\p{Ll})[\p{L}\p{N}_]*\(\)[\s\S]*?^\}/gmu)) if (OUTPUT.test(example)) count++
  const suites = new Set([...code.matchAll(/^(?:type |\t)(\w+) struct \{[^}]*?\bsuite\.Suite\b/gm)].map(m => m[1]))
  for (const [, type, checked] of code.matchAll(/^func \((?:\w+ )?\*?(\w+)\) Test\w*\((c \*(?:check\.)?C)?\)/gm))
    if (checked || suites.has(type) || type!.endsWith('Suite')) count++
  if (/"github\.com\/onsi\/ginkgo(?:\/v2)?"/.test(text))
    count += (code.replace(/\/\/.*/g, '').match(/(?<![\w.])(?:ginkgo\.)?[FPX]?(?:It|Specify|Entry)\(/g) ?? []).length
  return count
}

const OUTPUT = /\/\/\s*(?:unordered\s+)?output:/i

/** Strings and block comments go; line comments stay, since an example's say whether it is run. */
const blank = (part: string): string => (part.startsWith('//') ? part : '')

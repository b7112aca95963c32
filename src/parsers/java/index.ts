import type { FileKind } from '../../facts/facts.ts'
import type { Frontend } from '../frontend.ts'
import { loadGrammar } from '../tree-sitter.ts'
import { CATALOG, DURATIONS } from './catalog.ts'
import { FRAMEWORKS, TEST_ANNOTATION, TEST_BASE } from './frameworks.ts'
import { parseJava } from './parser.ts'

export const frontend: Frontend = {
  id: 'java',
  title: 'Java',
  extensions: ['.java'],
  fences: ['java'],
  catalog: CATALOG,
  durations: DURATIONS,
  frameworks: FRAMEWORKS,
  words: {
    skip: ['@(?:Disabled|Enabled|Ignore)', 'enabled\\s*=\\s*false', 'SkipException', 'TestAbortedException'],
    swallow: ['\\bcatch\\s*\\([^)]*\\)\\s*\\{\\s*(?:/[/*][^\\n]*\\s*)*\\}',
      '\\bcatch\\s*\\([^)]*\\)\\s*\\{\\s*(?:/[/*][^\\n]*\\s*)*(?:\\w+\\.printStackTrace|System\\.(?:out|err)\\.|(?:[lL]og|LOG)\\w*\\.)'],
    // A static field that can change.
    global: ['\\bstatic\\s+(?!final\\b)(?:volatile\\s+)?[\\w.<>\\[\\]]{1,80}\\s+\\w+\\s*[=;]'],
  },
  kindOf,
  countTests,
  load: () => loadGrammar('java'),
  parse: parseJava,
}

/** What Surefire and Failsafe run by name; a runner that looks into classes, as Gradle does, finds tests in the rest of the tree too. */
const TEST_NAME = /(?:^Test[A-Z]\w*|Tests?|TestCase|[a-z0-9]IT|ITCase|^IT[A-Z]\w*)\.java$|^Test\.java$/
const HELPER_NAME =
  /^Test\w*(?:Utils?|Helpers?|Base|Support|Constants|Config\w*|Factory|Data|Fixtures?|Builder|Listener|Extension|Provider)\.java$/
const TEST_TREE = /(?:^|\/)(?:tests?|javatests|androidTest|testFixtures|src\/it|[a-z]\w*Test|[\w-]+-tests?)\//
const SUPPORT_TREE = /(?:^|\/)(?:[\w-]*-?(?:testlib|test-common|testing|test-utils?|testkit|test-support|test-fixtures)[\w-]*)\//
/** Measured by hand or by a harness, never run as a test. */
const BENCHMARK = /(?:^|\/)(?:benchmarks?|jmh)\/|Benchmarks?\.java$/

function kindOf(path: string): FileKind {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1), folder = path.slice(0, slash + 1)
  const inMain = /(?:^|\/)src\/main\//.test(folder)
  if (TEST_NAME.test(name) && !HELPER_NAME.test(name) && !inMain) return 'test'
  if (BENCHMARK.test(path)) return 'source'
  if (!inMain && TEST_TREE.test(folder)) return 'support'
  return SUPPORT_TREE.test(folder) ? 'support' : 'source'
}

const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|@(?:[\w.]+\.)?(\w+)|\b((?:(?:static|abstract)\s+(?:final\s+)?)*(?:class|interface|enum|record)\s)\s*\w+([^{;()]*)|\bpublic\s+(?:final\s+)?(?:<[^()]*?>\s*)?void\s+(test\w*)\s*\(\s*\)|([(){};])/g

/** Annotated methods, and `public void testX()` of a JUnit 3 class: one pass over the tokens that matter. */
function countTests(text: string): number {
  if (!/Test|@Property|@Theory|@Example/.test(text)) return 0
  const annotated = /import\s+(?:static\s+)?org\.(?:junit\.Test\b|junit\.\*|junit\.jupiter\b|testng\b)/.test(text)
  const jupiter = /import\s+(?:static\s+)?org\.junit\.jupiter\b/.test(text)
  let count = 0, parens = 0, braces = 0, pending = false, nested = false, junit3 = false
  // The classes around, each with the depth of its body and whether JUnit 5 looks into it.
  const around: { readonly body: number; readonly runs: boolean }[] = []
  for (const [, annotation, kind, heading, named, sign] of text.matchAll(TOKENS)) {
    if (sign === '(') parens++
    else if (sign === ')') parens = Math.max(0, parens - 1)
    else if (parens > 0) continue
    else if (annotation) {
      if (annotation === 'interface') pending = false
      else if (annotation === 'Nested') nested = true
      else if (TEST_ANNOTATION.test(annotation)) pending = true
    } else if (kind !== undefined) {
      const base = baseOf(heading ?? '')
      junit3 ||= base !== '' && (annotated ? /^(?:junit\.framework\.)?TestCase$/.test(base) : TEST_BASE.test(base))
      around.push({ body: braces + 1, runs: !jupiter || around.length === 0 || nested || /static|abstract|interface/.test(kind) })
      pending = nested = false
    } else if (named !== undefined) pending ||= junit3
    else if (sign === '{') {
      braces++
      if (pending && (around.at(-1)?.runs ?? true)) count++
      pending = false
    } else if (sign === '}') {
      if (around.at(-1)?.body === braces) around.pop()
      braces--
      pending = false
    } else if (sign === ';') pending = false
  }
  return count
}

/** `<E extends Foo<E>> extends Bar<E> implements Baz` → `Bar`. */
function baseOf(heading: string): string {
  const clause = heading.includes('<') ? heading.replace(/<[^<>]*>/g, '').replace(/<[^<>]*>/g, '').replace(/<[^<>]*>/g, '') : heading
  return /\bextends\s+([\w.]+)/.exec(clause)?.[1] ?? ''
}

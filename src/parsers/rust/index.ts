import type { FileKind } from '../../facts/facts.ts'
import type { Frontend } from '../frontend.ts'
import { loadGrammar } from '../tree-sitter.ts'
import { CATALOG, DURATIONS } from './catalog.ts'
import { FRAMEWORKS, TEST_ATTRIBUTES } from './frameworks.ts'
import { parseRust } from './parser.ts'
import { bare, pastBracket } from './unfold.ts'

export const frontend: Frontend = {
  id: 'rust',
  title: 'Rust',
  extensions: ['.rs'],
  fences: ['rust', 'rs'],
  catalog: CATALOG,
  durations: DURATIONS,
  frameworks: FRAMEWORKS,
  words: {
    skip: ['ignore'],
    swallow: ['let\\s+_\\s*[:=]', '\\.ok\\(\\)\\s*;', 'Err\\('],
    global: ['static\\s+mut', 'static\\s+ref', 'static\\s+[A-Z]'],
  },
  testsInSource: true,
  kindOf,
  countTests,
  holdsTestCode: text => text.includes('cfg(test)') && FOR_TESTS.test(text),
  load: () => loadGrammar('rust'),
  parse: parseRust,
}

/** `tests/` holds a crate for each file; what it holds deeper is shared by them, unless named as a test. */
function kindOf(path: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/(^|\/)benches\//.test(path)) return 'source'
  if (/(^|\/)(src\/test\/|tests\/(.*\/)?(common|support|utils?|helpers?|fixtures?|test_utils?)(\/|\.rs$))/.test(path)) return 'support'
  if (/(^|\/)(test[_-]?(utils?|helpers?|support|common|infra|harness|framework|cluster|server|env|kit|lib)|testing)(\/|\.rs$)/.test(path))
    return 'support'
  if (/^(tests?|.*_tests?)\.rs$/.test(name) || /(^|\/)tests\//.test(path)) return 'test'
  return 'source'
}

const ATTRIBUTE = new RegExp(`#\\[\\s*(?:cfg_attr\\s*\\([^\\]]*,\\s*)?(?:\\w+\\s*::\\s*)*(?:${[...TEST_ATTRIBUTES].join('|')})\\s*[\\](),]`,
  'g')

/** A constant that is another one in tests; they may stand in a file beside this one. */
const FOR_TESTS = /#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))?\s+)?const\s+\w/

/** Code that is written by a macro, not run where it stands. */
const QUOTED = /\b(?:macro_rules!\s*\w+|(?:parse_)?quote(?:_spanned)?!)\s*[({[]/g

/** A function counts once, however many attributes make it a test. */
function countTests(text: string): number {
  if (!text.includes('#[') && !text.includes('quickcheck!')) return 0
  let code = bare(text)
  for (const { 0: opening, index } of [...code.matchAll(QUOTED)].reverse()) {
    const open = index + opening.length - 1
    code = code.slice(0, open) + code.slice(pastBracket(code, open))
  }
  const next = /\bfn\s+\w+/g
  let count = 0, past = 0
  for (const { index } of code.matchAll(ATTRIBUTE)) {
    if (index < past) continue
    next.lastIndex = index
    if (!next.exec(code)) break
    past = next.lastIndex
    count++
  }
  for (const { 0: opening, index } of code.matchAll(/\bquickcheck!\s*\{/g)) {
    const open = index + opening.length - 1
    const inner = code.slice(open, pastBracket(code, open))
    if (!inner.includes('#[test]')) count += (inner.match(/\bfn\s+\w+/g) ?? []).length
  }
  return count
}

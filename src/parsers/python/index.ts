import type { FileKind } from '../../facts/facts.ts'
import type { Frontend } from '../frontend.ts'
import { loadGrammar } from '../tree-sitter.ts'
import { CATALOG, DURATIONS } from './catalog.ts'
import { FRAMEWORKS } from './frameworks.ts'
import { countTests } from './count.ts'
import { parsePython } from './parser.ts'

export const frontend: Frontend = {
  id: 'python',
  title: 'Python',
  extensions: ['.py'],
  shebangs: ['python', 'python3', 'python2'],
  fences: ['py', 'python'],
  catalog: CATALOG,
  durations: DURATIONS,
  frameworks: FRAMEWORKS,
  words: {
    skip: ['skip', 'skipif', 'skipIf', 'skipUnless', 'skipTest', 'SkipTest', 'xfail'],
    swallow: [
      '\\bexcept\\b[^\\n]*:\\s*(?:#[^\\n]*\\s*)*(?:pass\\b|\\.\\.\\.|print\\(|(?:self\\.)?_?(?:log|LOG)\\w*\\.|traceback\\.|sys\\.std|warnings\\.)',
      'suppress',
    ],
    global: ['environ', 'global'],
  },
  kindOf,
  countTests,
  load: () => loadGrammar('python'),
  parse: parsePython,
}

function kindOf(path: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/^(test_.*|.*_tests?|tests?)\.py$/.test(name)) return 'test'
  if (name === 'conftest.py') return 'support'
  return /(^|\/)(tests?|testing|test[_-]?(utils?|helpers?|lib|infra|harness|framework|support|common)|specs?|integration|e2e)\//.test(path)
    ? 'support'
    : 'source'
}

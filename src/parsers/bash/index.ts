import type { FileKind } from '../../facts/facts.ts'
import type { Frontend } from '../frontend.ts'
import { loadGrammar } from '../tree-sitter.ts'
import { CATALOG, DURATIONS } from './catalog.ts'
import { FRAMEWORKS } from './frameworks.ts'
import { parseBash } from './parser.ts'
import { countTests } from './rewrite.ts'

export const frontend: Frontend = {
  id: 'bash',
  title: 'Bash/BATS',
  extensions: ['.bats', '.bash', '.sh', '.ksh'],
  shebangs: ['bats', 'bash', 'sh', 'dash', 'ksh'],
  fences: ['bash', 'bats', 'sh'],
  catalog: CATALOG,
  durations: DURATIONS,
  frameworks: FRAMEWORKS,
  words: {
    skip: ['skip', 'startSkipping', '\\bskip_(?:if|unless)'],
    swallow: ['\\|\\|', ';\\s*true\\b', 'set\\s+\\+'],
    global: ['export', 'declare', 'typeset'],
  },
  kindOf,
  countTests,
  load: () => loadGrammar('bash'),
  parse: parseBash,
}

const TEST_SCRIPT =
  /^t\d{3,}-.*\.sh$|^TEST-\d+.*\.sh$|\.t\.sh$|[-_.]spec\.(sh|bash)$|_(pos|neg)\.ksh(\.sh)?$|^(?:unit)?tests?([-_.].*|[A-Z\d].*)?\.(sh|bash)$|[-_.](unit)?tests?\.(sh|bash)$/
const SUPPORT = /^setup_suite\.bash$|^tests?[-_]?(helpers?|common|utils?|lib|functions)([-_.].*)?\.(sh|bash)$/

/** What another test feeds to the program under test, be it a suite. */
const FED = /(^|\/)(tests?|specs?)\/(?:[^/]+\/)*(fixtures?|testdata|test[-_]data)\/|(^|\/)src\/test\/resources\//

/** No runner but bats has a suffix of its own: for scripts the name says it, as far as it can. */
function kindOf(path: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (FED.test(path)) return 'source'
  if (/\.(bats|t)$/.test(name)) return 'test'
  if (SUPPORT.test(name)) return 'support'
  if (TEST_SCRIPT.test(name)) return 'test'
  // The test suite of ZFS is the one that is written for ksh.
  if (/(^|\/)tests\/functional\/.*\/(?!setup|cleanup|default)[\w-]+\.ksh$/.test(path)) return 'test'
  return /(^|\/)(tests?|t|specs?|integration|e2e|testing|test[-_]?suites?)\//.test(path) ? 'support' : 'source'
}

// What can be told of a file without parsing it.

import type { FileKind } from '../../facts/facts.ts'

const SOURCE = /\.[cm]?[jt]sx?$/
/** Nobody runs what is only there for the compiler, nor the tests of types. */
const DECLARATIONS = /(?:\.d|\.test-d)\.[cm]?tsx?$/
/** `cart.test.ts`, `cart-test.js`, `cart_spec.ts`, `cart.cy.ts`, `test-cart.js`, `test.js`, `cart.e2e.ts`. */
const TEST_NAME = /(?:^|[._-])(?:tests?|specs?)\.[cm]?[jt]sx?$|[._-](?:cy|e2e)\.[cm]?[jt]sx?$|^tests?[-_.].*\.[cm]?[jt]sx?$/
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\//
const SUPPORT_FOLDER =
  /(?:^|\/)(?:fixtures?|__fixtures__|__mocks__|mocks?|stubs?|helpers?|utils?|support|setup|assets?|resources?|data|tools?|scripts?|certs?|benchmarks?|vendor)\//
const SUPPORT_NAME =
  /^(?:helpers?|utils?|common|index|(?:.*[-_.])?(?:helpers?|utils?|fixtures?|setup|teardown|mocks?|config)|setup.*)\.[cm]?[jt]sx?$/i
/** Files that only ever serve tests, wherever they lie. */
const SERVES_TESTS =
  /^(?:tests?[-_.](?:helpers?|utils?|fixtures?|setup)|(?:jest|vitest|mocha|global|playwright)[-_.]?(?:setup|teardown)|setup-?tests?)(?:[-_.].*)?\.[cm]?[jt]sx?$/i

/** By the runners' conventions: names first, then folders whose plain files Mocha, tap and node:test run. */
export function kindOf(path: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const folder = TEST_FOLDER.exec(path)
  if (!SOURCE.test(name)) return folder ? 'support' : 'source'
  if (DECLARATIONS.test(name)) return 'source'
  if (SERVES_TESTS.test(name)) return 'support'
  if (TEST_NAME.test(name) && !/[-_.]config\.[cm]?[jt]s$/.test(name)) return 'test'
  if (!folder) return /(?:^|\/)(?:cypress|test-?utils?|testing|__mocks__|__fixtures__)\//.test(path) ? 'support' : 'source'
  return SUPPORT_FOLDER.test(path.slice(folder.index)) || SUPPORT_NAME.test(name) ? 'support' : 'test'
}

const NAMES = 'it|test|specify|xit|xtest|xspecify|fit|ftest'
const MODIFIERS = '(?:\\s*\\.\\s*(?:only|skip|todo|concurrent|sequential|serial|fails|failing|fixme|failing|ignore|cb|shuffle))*'
const TITLE_OR_BODY = '(?=["\'`]|async\\b|function\\b|\\{\\s*name|[\\w$.]+\\s*,\\s*(?:async|function|\\()|\\w+\\s*=>)'
const CALLED =
  `(?:${NAMES}|Deno\\.test|t\\.test|tap\\.test)${MODIFIERS}\\s*(?:\\(\\s*${TITLE_OR_BODY}|\\.\\s*(?:each|for)\\b|\\.(?:skipIf|runIf|if|todoIf|prop)\\()`
const EITHER = 'x?it(?:\\.\\w+)?'
/**
 * Comments and strings are consumed so that a test inside one is not counted. A runner counts with its title, with a
 * function where a title is optional, or with a table.
 */
const TOKENS = new RegExp([
  '\\/\\/[^\\n]*',
  '\\/\\*[\\s\\S]*?\\*\\/',
  `(?<![\\w$.])(${[CALLED, '(?<!\\()(?:it|fit|xit)_\\w+\\(', `\\?\\s*${EITHER}\\s*:\\s*${EITHER}\\s*\\)\\s*\\(`].join('|')})`,
  "'(?:[^'\\\\\\n]|\\\\.)*'",
  '"(?:[^"\\\\\\n]|\\\\.)*"',
  '`(?:[^`\\\\]|\\\\[\\s\\S])*`',
].join('|'), 'g')

export function countTests(text: string): number {
  let count = 0
  for (const match of text.matchAll(TOKENS)) if (match[1] !== undefined) count++
  return count
}

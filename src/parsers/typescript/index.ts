import type { Frontend } from '../frontend.ts'
import { CATALOG } from './catalog.ts'
import { countTests, kindOf } from './files.ts'
import { FRAMEWORKS } from './frameworks.ts'
import { loadParser, parseTypeScript } from './parser.ts'

export { extract } from './parser.ts'

export const frontend: Frontend = {
  id: 'typescript',
  title: 'JavaScript/TypeScript',
  extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
  shebangs: ['node', 'deno', 'bun'],
  fences: ['ts', 'js', 'tsx', 'jsx', 'typescript', 'javascript'],
  catalog: CATALOG,
  durations: { 'timeout=': 1 },
  frameworks: FRAMEWORKS,
  words: {
    skip: ['skip', 'skipIf', 'runIf', 'todo', 'todoIf', 'fixme', 'ignore', 'xit', 'xtest', 'xspecify', 'xdescribe', 'xcontext', 'pending',
      '\\bit\\(\\s*[\'"`][^\'"`\\n]*[\'"`]\\s*\\)'],
    swallow: ['catch', 'noop', ',\\s*\\(\\)\\s*=>\\s*\\{\\s*\\}'],
    global: [
      'process\\.env',
      '\\b(?:global|globalThis|window|console|Date|Math|navigator|process)\\.\\w+\\s*=[^=]',
      'defineProperty',
      'prototype',
      'require\\.cache',
      'DEFAULT_TIMEOUT_INTERVAL',
    ],
  },
  kindOf,
  countTests,
  load: loadParser,
  parse: parseTypeScript,
}

// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

export const words: RuleMeta['words'] = {
  python: [
    '\\bThread\\(\\s*target\\s*=',
    '\\bThreadPoolExecutor\\(',
  ],
  java: [
    '\\bnew Thread\\(\\s*(?:\\(\\) ?->|\\w+::)',
    '\\.(?:submit|execute|runAsync)\\(\\s*\\(\\) ?->',
    '\\bparallelStream\\(\\)[^;]{0,200}\\.forEach\\(',
    '\\.parallel\\(\\)[^;]{0,200}\\.forEach\\(',
  ],
  go: [
    '\\bgo func\\([^)]*\\) \\{[^}]{0,300}(?: <- |= append\\()',
    '\\bgo \\w+\\([^)\\n]*\\)\\s*\\n\\s*go \\w+\\(',
    '\\bfor [^\\n]*\\{\\s*go \\w+\\(\\w',
    '\\.Go\\(func\\([^)]*\\)[\\w ]*\\{[^}]{0,300}(?: <- |= append\\()',
  ],
  rust: [
    '\\bspawn\\((?:async )?(?:move )?(?:\\|\\w*\\| )?[^;]{0,200}\\.(?:push|send)\\(',
  ],
  typescript: [
    '\\bPromise\\.all(?:Settled)?\\(\\s*[^;]{1,80}\\.map\\(\\s*async\\b',
    '\\b(?:concurrency|maxConcurrency|parallelism)\\s*:',
  ],
}

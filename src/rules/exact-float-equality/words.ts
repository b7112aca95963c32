// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

export const words: RuleMeta['words'] = {
  python: [
    '_(?:at|time|mono|ts)\\w* - [\\w.]+_(?:at|time|mono|ts)',
    '\\bassert_array_equal\\(',
    '==\\s*\\[[^\\]\\n]*\\d\\.\\d',
    '==\\s*\\d*\\.\\d*[1-9]\\d*\\b',
    '\\.(?:mean|std|var)\\(\\)[^\\n]* for ',
    '\\d\\.\\d{8,}',
    'assertEquals?\\([^\\n]*,\\s*-?\\d*\\.\\d*[1-9]\\)',
  ],
  typescript: [
    '\\btoBe\\(\\d*\\.\\d+\\)',
    '\\d\\.\\d{8,}',
  ],
  java: [
    '\\d\\.\\d{9,}',
    '\\b(?:sum|[mM]ean|[aA]verage|[vV]ariance|[sS]tdDev|norm)\\w*\\([^;\\n]*,\\s*0(?:\\.0*)?[dDfF]?\\)',
  ],
  go: [
    '\\d\\.\\d{9,}',
    '\\d\\.\\d+ ?/ ?\\d',
  ],
  rust: [
    'assert_eq!\\([^;]{0,120}\\d\\.\\d+\\)',
    '\\bpar_iter\\(\\)',
    '\\d\\.\\d{9,}',
  ],
}

// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

/** A slack that is no more than the last digit of a double. */
const HAIR = '\\b1(?:\\.0)?[eE]-(?:1[5-9]|[2-9]\\d)\\b'

export const words: RuleMeta['words'] = {
  python: [
    HAIR,
    '_(?:at|time|mono|ts)\\w* - [\\w.]+_(?:at|time|mono|ts)',
    '\\bassert_array_equal\\(',
    '==\\s*\\[[^\\]\\n]*\\d\\.\\d',
    '==\\s*\\d*\\.\\d*[1-9]\\d*\\b',
    '\\.(?:mean|std|var)\\(\\)[^\\n]* for ',
    '\\d\\.\\d{8,}',
    'assertEquals?\\([^\\n]*,\\s*-?\\d*\\.\\d*[1-9]\\)',
  ],
  typescript: [
    HAIR,
    '\\b(?:toBe|toEqual|toStrictEqual|equal|eql)\\(\\d*\\.\\d+\\)',
    '\\b(?:strictEqual|equal)\\([^\\n]*\\d\\.\\d+\\)',
    '\\d\\.\\d{8,}',
  ],
  java: [
    HAIR,
    '\\d\\.\\d{9,}',
    '\\b(?:sum|[mM]ean|[aA]verage|[vV]ariance|[sS]tdDev|norm)\\w*\\([^;\\n]*,\\s*0(?:\\.0*)?[dDfF]?\\)',
    'assertEquals\\([^;\\n]*\\d\\.\\d[^;\\n]*,\\s*0(?:\\.0*)?[dDfF]?\\)',
    'isEqualTo\\(\\d*\\.\\d*[1-9][dDfF]?\\)',
  ],
  go: [HAIR, '\\d\\.\\d{9,}', 'float32\\(\\d+\\.\\d{6,}\\)', '\\d\\.\\d+ ?/ ?\\d', '!= ?\\d+\\.\\d*[1-9]\\b',
    'Equal\\([^\\n]*\\b\\d+\\.\\d*[1-9]\\b'],
  rust: [
    HAIR,
    'assert_eq!\\([^;]{0,120}\\d\\.\\d+\\)',
    '\\bpar_iter\\(\\)',
    '\\d\\.\\d{9,}',
  ],
}

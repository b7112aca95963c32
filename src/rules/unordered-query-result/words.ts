// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

const SELECTS = '["\'`]\\s*(?:SELECT|select)\\s[^"\'`]{0,300}\\b(?:FROM|from)\\b'

export const words: RuleMeta['words'] = {
  python: [
    SELECTS,
    '\\bfetch(?:all|many)\\(',
    '\\.objects\\.(?:all|filter|exclude|values_list)\\(',
    '\\bsession\\.query\\(',
    '\\.(?:execute|scalars)\\((?:select\\(|\\w+\\))',
  ],
  typescript: [
    SELECTS,
    '\\.select\\([^;]{0,200}\\)\\s*\\.from\\(',
    '\\.find(?:Many|All)\\(',
    '\\.get(?:Raw)?Many\\(',
    '\\)\\s*\\.(?:toArray|lean|exec)\\(',
    '\\b(?:knex|trx|db)\\(["\'`]',
    '(?:[rR]epo|[rR]epository(?:\\(\\w+\\))?)\\.find\\(',
  ],
  java: [
    '\\.executeQuery\\(',
    '\\.queryForList\\(',
    '\\.getResultList\\(',
    '\\.findAll(?:By\\w+)?\\(',
    '"\\s*(?:SELECT|select)\\s[^"\\n]{0,300}\\b(?:FROM|from)\\b',
  ],
  go: [
    '\\.Find\\(&',
    '\\.Query(?:x?Context|x)?\\([^)]',
    '[`"]\\s*(?:SELECT|select)\\s[^`"]{0,300}\\b(?:FROM|from)\\b',
  ],
  rust: [
    SELECTS,
    '\\bfetch_all\\(',
    '\\bquery_map\\(',
  ],
  bash: [
    '\\b(?:psql|mysql|mariadb|sqlite3)\\b',
  ],
}

// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

/** A helper that finds a port, and a port drawn at random, as they are written. */
const FINDER =
  '(?:[fF]ree|[aA]vailable|[uU]nused|[rR]and(?:om)?|[sS]afe|[uU]nique|[eE]phemeral|[oO]pen|[pP]ick|[fF]ind|[aA]lloc\\w*|[cC]hoose|[nN]ext)_?(?:[tT][cC][pP]_?|[uU][dD][pP]_?|[lL]ocal_?|[lL]ocalhost_?|[hH]ost_?|[hH]ttp_?)?[pP]orts?\\b'
const ASSIGNER = 'unused_(?:tcp|udp)|Ports?(?:Assignment|Allocator|Picker|Finder)\\.'
const DRAWN = '[pP]ort\\w*\\s*:?=[^=\\n]*[rR]and'
/** The same in a helper, an address or a script. */
const DRAWN_ABOVE = '\\d{4,5}\\s*\\+[^;\\n]*[rR]and'

export const words: RuleMeta['words'] = {
  python: [
    FINDER,
    DRAWN,
    DRAWN_ABOVE,
    '(?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0):[^\\n]*\\brand',
    '\\bget_ports?\\(\\)',
    '\\.getsockname\\(',
  ],
  typescript: [
    FINDER,
    DRAWN,
    '\\d_?\\d{3}\\s*\\+[^;\\n]*Math\\.random',
  ],
  java: [
    FINDER,
    ASSIGNER,
    DRAWN,
    DRAWN_ABOVE,
    'getLocalPort\\(',
  ],
  go: [
    FINDER,
    DRAWN,
    DRAWN_ABOVE,
    'httptest\\.New',
    'Listen\\w*\\("[a-z0-9]+", "[^"\\n]*:0"',
    'net\\.Listen(?:TCP|UDP)\\(',
  ],
  rust: [
    FINDER,
    ASSIGNER,
    DRAWN,
    DRAWN_ABOVE,
    'local_addr\\(',
  ],
  bash: [
    FINDER,
    DRAWN,
    'PORT\\w*=[^\\n]*RANDOM',
    'port\\w*=[^\\n]*RANDOM',
    'getsockname\\(',
  ],
}

// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

const LOCAL_ADDRESS = '(?:127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0):\\d{4,5}\\b'
/** A port by its name, beside a number: kept, set, added to a list, or one above another. */
const NAMED = [
  '(?:[pP]ort|PORT)\\w*["\']?\\s*(?::\\s*\\w+\\s*)?:?[=:]\\s*["\']?\\d{4,5}\\b',
  '[pP](?:ort|ORT)\\w*(?:\\.(?:add|append|push))?\\(\\s*["\']?\\d{4,5}\\b',
  '[pP](?:ort|ORT)\\w*["\']?[^,;\\n]{0,24},\\s*["\']?\\d{4,5}["\']?\\)',
  '[pP](?:ort|ORT)(?:\\(\\)|["\']\\])?\\s*\\+\\s*\\d',
  '[pP](?:ort|ORT)\\w*\\s*:?=\\s*u?int\\d*\\(\\s*\\d{4,5}\\)',
]
/** A port of the machine, wherever it stands. */
const LOCAL = [
  '(?:127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0|::1\\]):\\d{4}',
  '["\'](?:127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0|)["\'],\\s*\\d{4,5}\\b',
  '[pP](?:ort|ORT)(?:[nN]um|\\d)?["\']?\\]?\\s*:?=\\s*["\']?\\d{4}',
  '[pP]ort["\']\\s*:\\s*\\d{4}',
  '/(?:tcp|udp)/\\d{4}',
  '(?:-p|--publish)["\',= ]+(?:[\\d.]+:)?\\d{4,5}:\\d',
  '(?:[lL]isten|[pP]ort|[bB]ind)=(?:[\\w.]*:)?\\d{4}',
]
/** A port that is counted, one where nobody says otherwise, and one of every address. */
const COUNTS = [
  '[pP](?:ort|ORT)s?_?\\w*(?:\\+\\+|\\s*\\+=\\s*\\d|\\.(?:addAndGet|getAndAdd|incrementAndGet|getAndIncrement|fetch_add|Add)\\()',
  '[gG]et\\w*\\(\\s*["\'][\\w.-]*[pP]ort["\'],',
  '[aA]ddr\\w*["\']?\\s*:?[=:]\\s*["\'`]:\\d{4}',
]
/** A number that what listens is given, a route or an address that it is, and settings of it. */
const TAKEN = [
  '(?:[sS]erver|[bB]roker|[lL]isten\\w*|Listener|\\.bind)(?:<>)?\\(\\s*(?:["\'][\\w.]*["\'],\\s*)?\\d{4,5}\\b',
  '(?:[bB]ind|[lL]isten)_?(?:[pP]ort|[aA]ddr)\\w*["\']?\\s*[:=]',
  '["\']--?[\\w-]*(?:listen|addr|bind)[\\w-]*["\'],\\s*["\'][^"\']*:\\d{4,5}',
]

export const words: RuleMeta['words'] = {
  python: [
    ...LOCAL,
    LOCAL_ADDRESS,
    ...NAMED,
    ...TAKEN,
    ...COUNTS,
    '[pP](?:ort|ORT)s?["\']?\\s*[:=]\\s*\\[?\\d{4}',
    '[pP](?:ort|ORT)s?\\w*\\s*=\\s*(?:itertools\\.)?(?:count|cycle)\\(\\s*(?:range\\()?\\d{4}',
    '\\w\\[key\\]\\s*\\+\\s*\\d',
    '--port\\b',
    '\\d/(?:tcp|udp)["\']\\s*:',
    'with_bind_ports\\(',
  ],
  typescript: [
    ...LOCAL,
    ...NAMED,
    ...TAKEN,
    ...COUNTS,
    LOCAL_ADDRESS,
    '[pP](?:ort|ORT)s?["\']?\\s*[:=]\\s*\\d{4}',
    '--port\\b',
  ],
  java: [
    ...LOCAL,
    ...NAMED,
    ...TAKEN,
    ...COUNTS,
    'new \\w*Address\\("(?:127\\.0\\.0\\.1|localhost)", \\d{4}',
    '[pP]ortBindings?\\(',
    'FixedExposedPort\\(',
    'InetSocketAddress\\([^)\\n]*\\b\\d{4,5}\\)',
    '"(?:jetty|netty|undertow|mina|cxf|restlet)[\\w-]*:\\w*:?//',
    '(?:\\.port|\\.with\\w*Port|\\.set\\w*Port)\\(\\d{4}',
    '"(?:127\\.0\\.0\\.1|localhost):\\d{4}',
    '[pP](?:ort|ORT)\\s*=\\s*\\d{4}',
    '//(?:127\\.0\\.0\\.1|localhost):\\d{4}',
    'DEFINED_PORT',
    'Port\\w*(?:\\[\\])?\\s*=\\s*\\{\\s*\\d{4}',
  ],
  go: [
    ...LOCAL,
    ...NAMED,
    ...TAKEN,
    ...COUNTS,
    '(?:Cluster|Server|Nodes?)\\w*\\([^\\n]*,\\s*\\d{4,5}\\)',
    '"--?[\\w-]*port",\\s*"\\d{4}',
    '\\.(?:Run|Start|Listen)\\w*\\(":\\d{4,5}"',
    '[pP]orts?\\b[^;\\n=]{0,12}[:=]\\s*(?:\\[\\]int\\{)?\\d{4}|[a-z]Port\\([^\\n]*\\b\\d{4,5}\\)',
    'atomic\\.Add\\w+\\(&\\w*[pP]ort',
    '\\b\\d{2}000\\s*\\+\\s*\\w',
  ],
  rust: [
    ...LOCAL,
    LOCAL_ADDRESS,
    ...NAMED,
    ...TAKEN,
    ...COUNTS,
    '\\(\\(\\[127, 0, 0, 1\\], \\d{4}',
    '\\bport:\\s*\\d{4}',
    'PORT\\w*:[^;\\n]{0,50}\\b\\d{1,2}_?\\d{3}\\b',
  ],
  bash: [
    ...LOCAL,
    '--port\\b',
    '(?:-p|--publish)[ =](?:[\\d.]+:)?\\d{4,5}:\\d',
    '(?:port|PORT)=\\d{4}',
  ],
}

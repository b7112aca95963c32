// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

export const words: RuleMeta['words'] = {
  go: [
    '(?:[tT]imeout|[a-z]Wait|TTL|ttl|Lease|Expir|Deadline)\\w*\\s*[:=]+[^\\n;]*time\\.Millisecond',
    '\\b(?:[nN]ew|[mM]ake|[cC]reate|[sS]tart|[wW]ait|[eE]xpect|[rR]ecv|[rR]eceive|[nN]ext|[aA]wait)\\w*\\([^\\n]*time\\.Millisecond',
    '\\.(?:Flush|Drain)\\w*\\([^\\n]*time\\.Millisecond',
    '(?:Eventually\\w*|[pP]oll\\w*|[wW]ait(?:For|Until)\\w*)\\(',
    '\\}\\)?,\\s*[\\w*. ]*time\\.(?:Milli|Micro)?[sS]econd',
  ],
  typescript: [
    '\\.timeout\\(\\d{1,3}\\)',
    '[tT]ime_?[oO]ut\\w*(?:Ms|MS|Millis\\w*)\\s*=\\s*\\d{1,3}\\b',
    '(?:[tT]imeout|[tT]tl|[lL]ease|expiresIn|maxWait)(?:M[sS]|Millis)?\\s*:\\s*\\d{1,3}\\b',
    '[tT]imeout[\\w\'"]*,\\s*\\d{1,3}\\b',
    '\\},\\s*\\d{2,3}\\)',
    '[wW]ait(?:For|Until)\\([^\\n]*,\\s*\\d{2,3}\\)',
    '(?:with|promise)Timeout\\(',
    '\\w\\.setTimeout\\(\\w+,\\s*\\d{1,4}\\)',
  ],
  python: [
    'mark\\.timeout\\(',
    '(?:timeout|deadline|ttl|lease|expir|stop_after_delay|max_wait)\\w*["\']?\\s*[:=]\\s*(?:\\.?\\d|(?:datetime\\.)?timedelta\\()',
    'set_?[tT]imeout\\(\\s*\\.?\\d',
    '\\.poll\\(\\s*\\d{2,3}\\s*\\)',
    '\\.(?:join|wait)\\(\\s*\\.?\\d',
    '(?:\\.(?:result|poll|get|acquire|select|expect|recv)|wait_\\w+|Timer)\\([^\\n]*\\b0?\\.\\d',
  ],
  java: [
    '\\.timeout\\(\\d{1,3}\\)',
    '(?:[tT]imeout|TIMEOUT)\\w*(?:[mM]illis|MILLIS|M[sS])\\w*\\s*=\\s*\\d{1,3}\\b',
    '@Timeout\\(\\d\\b',
    '(?:[sS]et|with)\\w*(?:Timeout|Deadline)\\w*\\(\\s*\\d{1,3}\\b',
    '(?:[wW]ait|[pP]oll|[tT]imeout|[tT]tl)\\w*\\([^\\n]*ofMillis\\(\\d{1,3}\\)',
    '[wW]aitFor\\([^\\n]*\\b\\d{3,4},',
    '(?:[tT]imeout|TIMEOUT)[\\w."]*,\\s*"?\\d{1,3}\\b',
    '\\.join\\(\\d',
    '\\b\\d{1,3}L?, (?:TimeUnit\\.)?MILLISECONDS',
    '(?:block|await\\w*|take\\w*|receive\\w*|expect\\w*|[wW]ithin|\\bnew [\\w<>]+)\\([^\\n]*ofMillis\\(\\d{1,3}\\)',
    'time[oO]ut\\s*=\\s*\\d{1,3}L?\\b',
    '\\.(?:flush|drain|quiesce|close|stop|shutdown)\\w*\\(Duration\\.ofMillis\\(\\d{1,3}\\)',
  ],
  rust: [
    '(?:TIME_?OUT|DEADLINE)\\w*\\s*:[^;,]*from_millis',
    '(?:timeout|ttl|lease|expir)\\w*\\s*[:=][^;,]*from_millis',
    'timeout\\([^\\n]*from_millis',
    '#\\[(?:ntest::)?timeout\\(\\d{1,3}\\)',
    '(?:eventually|poll|wait_for|wait_until|retry|expect\\w*|recv\\w*|flush\\w*|drain\\w*|shutdown\\w*|close|::new|::spawn|::start|::with_\\w+)!?\\([^\\n]*from_millis',
  ],
}

// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

/** A clock by its name alone, a text that says how long something took, and what is called like a measured time beside a bound. */
const GETTER = 'get_?(?:[cC]urrent_?)?[tT]ime_?(?:[mun]s|[mM]illis)\\b'
const NO_TIME = '\\bin 0(?:\\.0+)? ?(?:s|ms|seconds)\\b'
const SPAN = '[eE]nd(?:ed)?_?(?:[tT]ime|[mM]s)\\w* - \\w*(?:[sS]tart|[bB]egin|[bB]efore)'
const NAMED = '(?:[eE]lapsed\\w*|[dD]uration\\w*|took|[lL]atency|deltas?|[wW]aited)["\'()\\]]* ?[<>]=? ?[\\w(]'
const AGED = '\\b(?:age|gap|lag|drift|skew|dur|rtt|cost)\\(?\\)? ?[<>]'
const CHECKED =
  '(?:[aA]ssert|[cC]heck|[eE]xpect|[vV]erify|[rR]equire)\\w*_?(?:[eE]lapsed|[dD]uration|[tT]ook|[tT]ime_?[wW]ithin|[fF]aster|[mM]ax_?[tT]ime|[rR]un_?[tT]ime|(?:[cC]omplete|[fF]inishe?|[rR]eturn|[eE]nd)s?_?[wW]ithin)\\w*!?\\('
const TAKEN = '[mM]easure_?(?:\\w+_?)?(?:[tT]ime|[dD]uration|[lL]atency)\\w*\\(|time_?[iI]t\\('
const CLOSE_TO =
  '(?:[eE]lapsed|[dD]uration|took|latency)(?:_?[a-z]{1,7})?\\b[^\\n]*approx|(?:InDelta|AlmostEqual|RoughlyEqual|CloseTo)\\([^\\n]*(?:[eE]lapsed|[dD]uration|[tT]ime)|closeTo\\([^\\n]*[tT]ime'
const CLAIMED =
  '(?:[eE]lapsed\\w*|[dD]uration|[lL]atency)(?:\\(\\))?\\)\\.(?:to|is)\\w*\\W|(?:Less|Greater|isAtLeast|isAtMost|isAbove|isBelow)\\w*\\([^\\n]*(?:[eE]lapsed|[dD]uration|[lL]atency)\\b'
const TIME_OF =
  '(?:[rR]esponse|[sS]tart_?[uU]p|[sS]hut_?[dD]own|[lL]oading)_?[tT]imes?\\b[^\\n]{0,40}(?: [<>]=? |InRange|Less|Below|AtMost|isBetween|within)'
const WITH_UNIT = '[tT]ime_?(?:[mM]s|[mM]illis|[nN]anos|secs|seconds)\\b[^\\n]{0,30}[<>(,] ?\\d'
const TWICE = '\\b\\w*[nN]ow\\(\\) ?- ?\\w'
const LEFT = '\\b[pP]?(?:ttl|TTL)\\b[^\\n]* [<>]|[gG]reater\\w*\\([^\\n]*\\b[pP]?(?:ttl|TTL)\\b'
const PREVIOUS = '- \\w*(?:[pP]rev|[lL]ast|[sS]tart)\\w*(?:[tT]ime|At)'
const STAMPS = '[tT]ime(?:[sS]tamp)?(?:\\(\\))? ?- ?[\\w.()]*[tT]ime(?:[sS]tamp)?\\b'

export const words: RuleMeta['words'] = {
  python: ['\\bbenchmark\\.stats\\b', WITH_UNIT, TIME_OF, TWICE, LEFT, CHECKED, TAKEN, GETTER, NO_TIME, NAMED, SPAN, CLOSE_TO, CLAIMED,
    PREVIOUS, STAMPS],
  typescript: [WITH_UNIT, TIME_OF, TWICE, LEFT, CHECKED, TAKEN, NO_TIME, NAMED, SPAN, CLOSE_TO, CLAIMED, PREVIOUS, STAMPS],
  java: [
    WITH_UNIT,
    TIME_OF,
    LEFT,
    CHECKED,
    TAKEN,
    SPAN,
    NAMED,
    CLAIMED,
    PREVIOUS,
    STAMPS,
    '\\.arrives\\(\\)',
    'assert(?:Equals|That)\\([^\\n]*(?:[eE]lapsed|[dD]uration|[lL]atency)\\w*\\(?\\)?, ?(?:[\\d.]+[LlDdFf]?\\)|closeTo|lessThan|greaterThan)',
    'assertThat\\(\\w*(?:[tT]ook|[eE]lapsed\\w*|[dD]uration)(?:\\.\\w+\\(\\))?\\)',
  ],
  go: [
    WITH_UNIT,
    TIME_OF,
    LEFT,
    CHECKED,
    TAKEN,
    NO_TIME,
    SPAN,
    AGED,
    NAMED,
    CLOSE_TO,
    CLAIMED,
    '= \\w+\\.Elapsed\\(\\)',
    'WithinDuration\\(',
    'InDelta\\([^\\n]*Unix',
    '"~",[^\\n]*time\\.',
    '\\.Before\\(\\w+\\.Add\\(',
  ],
  rust: [WITH_UNIT, TIME_OF, TWICE, LEFT, CHECKED, TAKEN, GETTER, NO_TIME, NAMED, SPAN, AGED, '_eq!\\([^\\n]*\\.as_(?:secs|millis)'],
  bash: [NO_TIME],
}

import { demandsIn, type Expected } from '../../flow/order.ts'
import { defineRule, type Confidence } from '../rule.ts'

export default defineRule(
  {
    id: 'unordered-assertion', title: 'A test expects one order of things that come in no promised order', category: 'order', severity: 'warning',
    triggers: [], confirm: ['hash-seed', 'repeat'], cap: 'medium', since: '0.2.0',
    // Hash maps stand in every other file: what is looked for is the place where one is listed, picked from or written out.
    words: {
      python: ['\\b(?:list|tuple|str|repr|iter)\\((?:set|frozenset)\\(', '=\\s*(?:frozen)?set\\(', '=\\s*\\{\\s*["\'][^"\':]*["\']\\s*,', '\\bin (?:set\\(|\\{["\'])'],
      java: [
        '\\b(?:keySet|entrySet)\\(\\)\\s*\\.(?:iterator\\(\\)\\.next|toArray)\\(', 'assert\\w*\\([^;\\n]*(?:new ArrayList<|\\.iterator\\(\\)\\.next\\()', 'List(?:<[^>()]*>)?\\(\\w+\\.(?:keySet|values|entrySet)\\(',
        'getDeclared(?:Methods|Fields|Annotations|Constructors|Classes)', '\\.get(?:Methods|Fields|Annotations)\\(\\)', '\\b(?:writeValueAsString|toJSONString|toJson)\\(',
        'assert\\w*\\(\\s*"[\\[{]', 'assertEquals\\(\\s*"[^"\\n]*\\w[=:][^"\\n]*[&,;]\\s*\\w+[=:]', 'isEqualTo\\(\\s*"[^"\\n]*\\w[=:][^"\\n]*[&,;]\\s*\\w+[=:]', 'new ArrayList<[^>()]*>\\(\\w*[sS]et\\)', '\\bjoin\\("[^"]*",\\s*\\w*(?:[sS]et|keySet\\(\\))', 'containsExactly\\(', '\\bnew HashSet<[^>()]*>\\(\\w', 'for \\([^;()]{1,80} : \\w+\\.(?:keySet|values|entrySet)\\(\\)\\)', '\\.(?:smembers|hkeys)\\(', '\\b(?:Set|Map)\\.of\\([^)]*\\)\\s*\\.(?:iterator|toArray|toString|stream)\\b',
      ],
      typescript: ['\\.s[mM]embers\\(', '\\.(?:sinter|sunion|sdiff|hkeys|hvals)\\('],
      bash: ['\\b(?:declare|local|typeset)\\s+-\\w*A', '\\{\\{\\s*\\.Labels'],
      go: ['\\bproto(?:json|text)\\.\\w', '\\.(?:SMembers|HKeys|HVals|SInter|SUnion|SDiff)\\(', '= append\\(\\w+, fmt\\.Sprintf\\("%[sqv] ?[=:]', '= append\\(\\w+, (?:k|key|name) ?\\+', '\\bmaps\\.(?:Keys|Values)\\(', '\\.MapKeys\\(', '= append\\(\\w+, (?:k|key|name|id|v|val|value)\\)'],
      rust: ['\\bHash(?:Map|Set)\\b'],
    },
  },
  function* ({ facts }) {
    for (const { unit, assertion, found } of demandsIn(facts, 'unordered')) {
      yield {
        at: assertion.span, unit: unit.id, confidence: confidence(found), message: `${SAYS[found.form]} ${named(found)}, which promises no ${found.origin.effects.some(e => e.note === 'unstable') ? 'stable form' : 'order'}`,
        related: [{ span: found.origin.span, message: 'comes from here' }],
      }
    }
  },
)

const SAYS = {
  sequence: 'expects one order of what is listed from',
  element: 'expects one particular item from',
  text: 'compares text that is written from',
} as const

/** `java.util.HashSet.new` is a HashSet, `range map` a map. */
const named = ({ origin }: Expected): string => {
  if (origin.name === 'declare -A') return 'an associative array'
  const parts = origin.name.replace(/^range /, '').replace(/^\?\./, '').split(/\.|::/).filter(p => !/^(new|from|from_iter|with_capacity)$/.test(p))
  return parts.slice(-2).filter((p, i, all) => i === all.length - 1 || /^[A-Z]/.test(p)).join('.')
}

function confidence({ origin, form, many, spelled, handed }: Expected): Confidence {
  // The order of a hash of strings and of reflection holds for one build of one virtual machine: maintainers shrug at it.
  const settles = /^(java\.util\.(HashMap|HashSet|concurrent|(Map|Set)\.(keySet|values|entrySet|iterator|stream|toArray))|com\.|\?|java\.lang)/.test(origin.name) || origin.resolution === 'guess'
  if (handed || origin.effects.some(e => e.note === 'text')) return 'medium'
  // Most classes have one constructor; a set that we do not know the making of may be a sorted one.
  if (!spelled || /Constructors$/.test(origin.name) || (origin.effects.some(e => e.note === 'view') && form === 'element')) return 'low'
  return settles || (!many && form === 'element') ? 'medium' : 'high'
}

// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

export const words: RuleMeta['words'] = {
  python: [
    '\\bmatplotlib\\.pyplot\\b',
    '\\bgetLogger\\(\\)',
    '\\bpatch\\(\\s*["\'](?:time|threading|asyncio|os|socket|subprocess|random|queue)\\.',
    '\\n\\s+[a-z_]\\w*\\.[A-Z][A-Z_]+\\.(?:append|update|extend|add|insert)\\(',
    '\\n\\s+(?:self|cls)\\.\\w+\\[[^\\]\\n]+\\] = ',
    '\\n\\s+[A-Z][A-Z_]+(?:\\[[^\\]\\n]+\\] = |\\.(?:append|update|pop|extend)\\()',
    '\\n\\s+[a-z_]\\w*\\.[A-Z][A-Z_]+\\[[^\\]\\n]+\\] = ',
    '\\b(?:logging\\.disable|socket\\.setdefaulttimeout|sys\\.setrecursionlimit|gc\\.disable|os\\.umask)\\(',
    '\\n\\s+global\\s',
    '\\n\\s+(?:[a-z_]\\w*\\.)+[A-Z][A-Z_]+ = ',
    '\\n\\s+[A-Z]\\w+\\.\\w+ = ',
    '\\n\\s+[a-z_]\\w*\\.[a-z_]\\w*(?:\\[[^\\]\\n]+\\])? = ',
    '\\n\\s+(?!self\\.)[a-z_]\\w*\\.[a-z_]\\w*\\.[a-z_]\\w* = ',
    '\\n\\s+(?!self\\.)(?:[a-z_]\\w*\\.){2}[a-z_]\\w*\\[[^\\]\\n]+\\] = ',
    '\\n\\s+del (?!self\\.)(?:[a-z_]\\w*\\.){1,2}[a-z_]\\w*\\[',
    '\\n {2,4}\\w+ = (?:\\[\\]|\\{\\}|set\\(\\)|dict\\(\\)|list\\(\\))\\n',
  ],
  go: [
    '\\nvar (?:\\(\\n|\\w+ (?:string|u?int\\d*|\\*?[A-Z]\\w*|= map\\[))',
    '\\n\\t[a-z]\\w* = (?:\\d|"|time\\.|func\\b|true\\b|false\\b)',
    '\\bDescribe\\("',
    '\\bos\\.Args = ',
    'flag\\.CommandLine = ',
    'Default(?:Gatherer|Registerer|ServeMux|Transport|Client)\\b',
  ],
  java: [
    '(?:Instance|Context|Loader|Registry)\\([^"()]*\\)\\.(?:set|add|put|register|replace|install|bind)',
    '(?:Context|Loader|Registry)\\((?<=(?:\\b[A-Z]\\w+\\.|= )get\\w*\\()',
    '(?:clear(?:[A-Z]\\w*)?|stop)\\(\\)(?<=\\b[A-Z][a-z]\\w+\\.\\w+\\(\\))',
    '\\(\\d+, [A-Z]\\w+\\.\\w*(?:[cC]ount|[tT]otal|[cC]ounter|[cC]alls)\\)',
    '\\bsetField\\(\\w+\\.class',
    '\\.set\\(null, ',
    'setInternalState\\(\\w+\\.class',
    'writeStaticField',
    '(?:MDC|NDC|ThreadContext|ContextHolder)\\.(?:put|push)',
    '\\b[A-Z]\\w+\\.(?:set|enable|disable|register|install)[A-Z]\\w*\\([^)]',
    '\\n\\s+[A-Z]\\w+\\.[a-z]\\w* = ',
    '\\bstatic final (?:Map|List|Set|Queue|Deque)<[^;=]{0,80}> \\w+ = new ',
    '\\bstatic\\s+(?!final\\b)(?:volatile\\s+)?(?:int|long|boolean|String|UUID|\\w*(?:List|Map|Set)(?:<[^;()]{0,60}>)?)\\s+\\w+\\s*[=;]',
  ],
  typescript: [
    '\\n\\s+(?:config|settings|options|conf)\\.\\w+ = ',
    '\\n(?: {2}|\\t)?(?:let|const|var) \\w+(?:: [^=\\n]{1,40})? = (?:\\[\\]|\\{\\}|0|new (?:Map|Set)\\(\\))',
    '\\n(?: {2}|\\t)?let \\w+(?:, \\w+)*(?:: [^=;\\n(]+)?(?: = (?:null|undefined|""|\'\'))?;?\\n',
    '[\\n{;]\\s*(?:global|globalThis|window|console|Date|Math|navigator)\\.\\w+(?:\\.\\w+)? = ',
    'defineProperty\\(process\\b',
  ],
  rust: [
    'static\\s+mut\\b',
    '\\bstatic\\s+\\w+:\\s*(?:\\w+::){0,3}(?:Atomic|Mutex|RwLock|Lazy|Once)',
    '\\bstatic\\s+ref\\b',
  ],
}

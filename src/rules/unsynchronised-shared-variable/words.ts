// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

export const words: RuleMeta['words'] = {
  java: [
    '\\n\\s+(?:private |protected |public |static )+boolean \\w+(?: = (?:true|false))?;',
    '\\bwhile \\(!?(?:this\\.)?[a-z]\\w*[) ]',
    '\\.countDown\\(\\)',
    'new (?:Array|Linked)List<',
    'new (?:Linked)?Hash(?:Map|Set)<',
    'new Tree(?:Map|Set)<',
    'new ArrayDeque<',
    '\\bnew Thread\\(',
    '\\.(?:submit|execute|runAsync)\\(',
    'parallelStream\\(\\)|\\.parallel\\(\\)',
  ],
  go: [
    '\\nfunc \\(\\w+ \\*?\\w*(?:[mM]ock|[fF]ake|[sS]tub|[nN]oop|[dD]ummy|[sS]erver)\\w*\\)[^\\n]*\\n(?:[^\\n}]*\\n){0,4}?\\t+[\\w.]+\\+\\+',
    '\\bHandle(?:r?Func)?\\(',
    '\\b(?:[nN]ew|[sS]tart)\\w*Server\\(',
    '\\bRegister\\w*Handler\\(',
    '\\n\\t+[a-z]\\w* = [^\\n]*\\btime\\.',
    '\\bgo\\s+\\w+\\b',
    'AfterFunc\\(',
    '\\.Subscribe\\(',
    '\\.Eventually',
    '\\bsync\\.(?:RW)?Mutex\\b',
    '[\\t;{] ?\\w+\\.Done\\(\\)',
    '\\tclose\\(\\w+\\)',
  ],
}

// What a file must hold for the rule to look at it: a pattern a line.

import type { RuleMeta } from '../rule.ts'

export const WORDS: RuleMeta['words'] = {
  python: [
    '\\bassert\\s*\\((?:[^()\\n]|\\([^()\\n]*\\))*,\\s*[rf]?["\']',
    '\\.assert_(?:called|not_called|has_calls|any_call|awaited)\\w*[ \\t]*\\n',
    '\\.(?:called_once|called_with|called_once_with|has_calls|any_call)\\(',
    '\\n[ \\t]+[\\w.]+(?:\\([^()\\n]*\\))?[ \\t]*==[^=\\n]*\\n',
    'assertTrue\\([^\\n]*,\\s*(?:\\d|\\[|\\{)', 'assertTrue\\(["\']',
    '(?:raises|assertRaises)\\([^\\n]*:\\n[^\\n]*\\n[ \\t]+(?:self\\.)?assert',
    'assert\\s+len\\([^\\n]*>=\\s*0\\b', 'assertGreaterEqual\\(len\\([^\\n]*,\\s*0\\s*\\)', 'assert[^\\n]*\\sor\\s[^\\n]*(?:!=|\\snot\\s)',
    'assert\\s+page\\.(?:locator|get_by_\\w+)\\(',
    '\\n[ \\t]+(?:expect|assert_that)\\([^()\\n]*(?:\\([^()\\n]*\\)[^()\\n]*)*\\)[ \\t]*\\n',
    'if\\s[^\\n]*!=[^\\n]*(?:want|expect)[^\\n]*:\\s*\\n\\s*print\\(',
  ],
  typescript: [
    '\\bexpect\\([^()\\n]*(?:\\([^()\\n]*\\)[^()\\n]*)*\\)\\s*(?:;|//|\\n\\s*[^.\\s])',
    '\\)\\.(?:not\\.|to\\.|be\\.)*(?:to[A-Z]\\w*|equals?|eql|include|throws?|match)\\s*(?:;|//|\\n\\s*[^\\s(.])',
    'toBeGreaterThanOrEqual\\(0\\)', 'toBeGreaterThan\\(-1\\)', '\\.at\\.least\\(0\\)', '\\.length\\s*>=\\s*0\\b',
    'assert(?:\\.ok|\\.isTrue|\\.isOk)?\\(["\'`]', 'assert(?:\\.ok|\\.isTrue|\\.isOk)?\\([^\\n]*,\\s*\\d+\\)',
    '(?:locator|getBy\\w+)\\([^\\n]*\\)[^\\n]*\\.(?:toBeTruthy|toBeDefined|not\\.toBe(?:Null|Undefined))\\(', 'const\\s[^\\n]*\\.(?:locator|getBy\\w+)\\(',
    'expect\\(\\s*cy\\.', '(?:querySelectorAll|getElementsBy\\w+|queryAllBy\\w+|wrapper\\.find)\\([^\\n]*\\.(?:toBeTruthy|toBeDefined|to\\.exist|not\\.toBe(?:Null|Undefined))\\b',
    '\\n\\s*expect\\([^\\n]*\\n\\s*\\}\\)\\.toThrow', 'expect\\([^\\n]*\\|\\|[^\\n]*!=',
    'if\\s*\\([^\\n]*!==?[^\\n]*(?:[Ee]xpected|want)[^\\n]*\\)\\s*\\{?\\s*console\\.',
  ],
  java: [
    '\\bassertThat\\((?:[^(),;]|\\([^();]*\\))*\\)\\s*;', '\\bverify\\([\\w.]+\\)\\s*;', '\\bverify\\([\\w.]+, \\w+\\([^()]*\\)\\)\\s*;',
    'new (?:\\w+\\.)*\\w*SoftAssert', 'StepVerifier',
    '\\.(?:describedAs|withFailMessage|overridingErrorMessage|extracting|flatExtracting|filteredOn|usingRecursiveComparison|ignoringFields|atMost|pollInterval)\\((?:[^();]|\\([^();]*\\))*\\)\\s*;',
    '\\.as\\((?:[^();]|\\([^();]*\\))*\\)\\s*;', '\\)\\.that\\((?:[^();]|\\([^();]*\\))*\\)\\s*;', 'assertThatCode\\(', 'assertThatExceptionOfType\\([^()]*\\)\\s*;',
    '\\.(?:size|length|count)\\(?\\)?\\s*>=\\s*0\\b', 'assertThrows\\w*\\([^\\n]*\\{[^}]*\\bassert', 'assert(?:NotNull|That)\\([^\\n]*\\.(?:locator|getBy\\w+|findElements)\\(',
  ],
  go: [
    '\\bExpect\\([^()\\n]*(?:\\([^()\\n]*\\)[^()\\n]*)*\\)[ \\t]*(?://|\\n)', '\\b(?:Eventually|Consistently)\\(', 'len\\([^\\n]*(?:< 0|>= 0|, 0\\))',
    '!=[^\\n]*\\{\\s*(?:t\\.Logf?|fmt\\.Print\\w*|log\\.Print\\w*)\\(', '\\bif !\\w+\\.\\w*Equal\\w*\\([^\\n]*\\{\\s*(?:t\\.Logf?|fmt\\.Print\\w*|log\\.Print\\w*)\\(',
  ],
  rust: ['let _ = matches!', '\\.is_(?:ok|err|some|none)\\(\\) \\|\\|', 'len\\(\\) >= 0'],
  bash: ['\\n[ \\t]*\\[\\[?[ \\t][^\\n]*\\]\\]?[ \\t]*(?:#[^\\n]*)?\\n', '\\n[ \\t]*test[ \\t]+[-"$!]', '\\n[ \\t]+!\\s', '\\brun\\b', '\\][ \\t]*&&[ \\t]*\\[', '\\|[ \\t]*tee\\b'],
}

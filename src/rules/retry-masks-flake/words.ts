import type { RuleMeta } from '../rule.ts'

/** A loop that begins with a `try`, or that counts its attempts; a helper that is called after them. */
const LOOP = '\\b(?:for|while|do)\\b[^\\n]*\\n?\\s*try\\b'
const TRIES = '\\b(?:for|while)\\b[^\\n]*(?:[aA]ttempt|[rR]etr(?:y|ies)|[tT]ries)'
const HANDED = '(?:[rR]etry|[rR]erun|[fF]laky)\\w*\\([^\\n)]*(?:\\(\\)|\\w) ?(?:=>|->)'

export const words: RuleMeta['words'] = {
  python: ['\\bflaky\\b', '@[\\w.]*(?:[rR]etr(?:y|ies)|rerun)', '@backoff\\.on_', LOOP],
  go: ['FlakeAttempts', TRIES],
  java: ['@Retr', 'RepeatedIfExceptions', 'RepeatFailedTest', 'retryAnalyzer', 'successPercentage', '\\bRetry\\w*Rule\\b', 'FlakyTest',
    LOOP, HANDED],
  typescript: ['retryTimes', 'this\\.retries\\(', '\\bretr(?:y|ies)\\s*:\\s*[1-9\\w]',
    '\\bretr(?:y|ies)\\s*:\\s*\\{[^}]*(?:Mode|count)\\s*:\\s*[1-9\\w]', LOOP, HANDED],
  rust: ['#\\[[\\w:]*(?:retry|flaky)', 'catch_unwind', TRIES],
  bash: ['BATS_TEST_RETRIES', '\\b(?:for|until|while)\\b[^\\n]*\\n?[^\\n]*\\btest', '\\b(?:until|while !) [a-z"$.]', '\\bbreak\\b'],
}

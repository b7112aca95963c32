// What is up to whoever runs the tests: a name for git, and whether permissions hold. A laptop has both, a container as root
// neither.

import type { Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'

type TextOf = (span: { readonly start: number; readonly end: number }) => string

/** The words of a command, in one list or several. */
export const wordsOf = ({ args }: Call, unit: Unit, folding: Folding): string[] =>
  args.flatMap(a => (a.is === 'group' ? a.of : [a])).map(a => fold(a, unit, folding)).filter(w => typeof w === 'string')

const NAMED =
  /user\.?['", ]*(name|email)|GIT_(AUTHOR|COMMITTER|CONFIG)|gitconfig|author=|committer|\bGIT_ENV\b|load ['"./]|^\s*(source|\.) /im

/** A commit in a repository that the test makes, and nobody says by whom. */
export const commitsUnnamed = (call: Call, unit: Unit, folding: Folding, textOf: TextOf, all: () => string): boolean => {
  const said = wordsOf(call, unit, folding)
  return said.includes('commit') && !said.some(w => /^(--dry-run|help)$/.test(w)) && /\bgit\b/i.test(textOf(call.span))
    && /\bgit\b[^\n;]{0,40}\binit\b|["']init["']/.test(all()) && !NAMED.test(all())
}

/** Modes under which their owner may not read or not write. */
const forbids = (mode: number): boolean => (mode & 0o400) === 0 || (mode & 0o200) === 0
const SETS_MODE = /(^|[.:])(chmod|chmodSync|Chmod|fchmod|from_mode|PermissionsExt::from_mode)$/
const SHUTS = /[.](setReadable|setWritable)$/
const SYMBOLIC = /^[augo]*-[rw]+$|^0?[0145]{3}$|^0$/
/** Somebody asks who runs it, or the test steps aside. */
const ASKS_WHO = /get_?e?uid|(is|as|non|not|no|be|by|is_?running_?as)_?root|id -u|\bE?UID\b|fakeroot|whoami|drop_?priv/i
const STEPS_ASIDE = /skip|[aA]ssum|[dD]isabled(On|If)|[eE]nabled(On|If)|xfail/
const FAILS =
  /rais(es|ed)|[tT]hrow|reject|\b(?!No)\w+Error\b|EACCES|EPERM|[pP]ermission ?[dD]enied|ErrPermission|IsPermission|PermissionError|AccessDenied|PermissionDenied|-ne 0|-eq 1|assert_failure|is_err|unwrap_err|expect_err|require\.Error|assert\.Error|err == nil/

function modeOf(call: Call, unit: Unit, folding: Folding): number | undefined {
  const last = call.args.at(-1), worth = last && fold(last, unit, folding)
  if (typeof worth === 'number') return worth
  return typeof worth === 'string' && /^0?[0-7]{3}$/.test(worth) ? parseInt(worth, 8) : undefined
}

/** Takes a right away and expects that it is missed: root never misses one. */
export function shutsOut(file: FileFacts, call: Call, unit: Unit, folding: Folding, textOf: TextOf, all: () => string): boolean {
  const isFalse = (v: Value | undefined) => v?.is === 'literal' && v.value === false
  const mode = SETS_MODE.test(call.name) && file.language !== 'bash' ? modeOf(call, unit, folding) : undefined
  const shuts = file.language === 'bash'
    ? call.name === 'chmod' && wordsOf(call, unit, folding).some(w => SYMBOLIC.test(w) && !/^0?[67]/.test(w))
    : mode !== undefined
    ? forbids(mode)
    : SHUTS.test(call.name) && isFalse(call.args[0])
  return shuts && unit.role.is === 'test' && FAILS.test(textOf({ start: call.span.end, end: unit.span.end })) && !ASKS_WHO.test(all())
    && !STEPS_ASIDE.test(textOf({ start: Math.max(0, unit.span.start - 200), end: unit.span.end }))
}

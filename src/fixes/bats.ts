// What bats wants written differently: denied commands, statuses that nobody looks at, descriptor 3.

import type { Call, Inert, Region, Unit } from '../facts/facts.ts'
import type { Edit, Fix } from '../rules/rule.ts'
import { fix, indentAt, insert, remove, replace, wholeText, type Sheet } from './edits.ts'

/** `run !` and its kin came with this version; from 1.7 on a file can say so. */
const NEEDS = '1.5.0'
const STATUS = /\$\{?#?(status|output|lines|stderr|stderr_lines)\b/

/**
 * `! cmd` counts again: a test is denied inside of its brackets, a plain command by `run !`, and anything else by a `false` that
 * follows where it succeeds. All three fail where the command succeeds, and only there.
 */
export function countDenial(sheet: Sheet, unit: Unit, { span }: Inert): Fix[] {
  const text = sheet.textOf(span)
  const denied = /^!\s+/.exec(text)
  if (!denied || /(^|[^\\])#/.test(text.replace(/\$#|\$\{[^}]*\}|"[^"]*"|'[^']*'/g, ''))) return []
  const command = text.slice(denied[0].length)
  const at = span.start + denied[0].length
  const brackets = /^(\[\[?)\s(?!!)[^\n]*\s\]\]?$/.exec(command)
  if (brackets && !/&&|\|\||\s-[ao]\s|\s\]\]?\s/.test(command))
    return fix('Deny it inside of the brackets', true, [remove({ start: span.start, end: at }), insert(at + brackets[1]!.length, ' !')])
  const later = fix('Fail where it succeeds', true, [insert(span.end, ' || false')])
  if (!isPlain(command) || readsStatus(sheet, unit, span.end)) return /\n|&&|\|\|/.test(command) ? [] : later
  return fix('Deny it with run', true, [...requirement(sheet), replace({ start: span.start, end: at }, 'run ! ')])
}

/**
 * A program, by its path or its fame. What else is called may be a function that sets variables, and `run` would keep them from the test.
 */
const PROGRAM =
  /^("?\$|\.{0,2}\/|(grep|egrep|fgrep|diff|cmp|ls|cat|test|git|docker|podman|kubectl|curl|wget|command|which|pgrep|ps|jq|yq|sed|awk|find|stat|make|node|npm|npx|python3?|go|cargo|java|mvn|bash|sh|env|timeout|id|mount|mountpoint|readlink|tar|systemctl|nc|ping)(?=\s|$))/

/** One program and its words: no pipe, no list, no redirection. */
const isPlain = (command: string): boolean => !/[|&;<>()`\n]/.test(command) && PROGRAM.test(command)

/** What an earlier `run` kept is looked at before the next one. */
function readsStatus({ textOf }: Sheet, unit: Unit, from: number): boolean {
  const rest = textOf({ start: from, end: unit.span.end })
  const next = rest.search(/^\s*run\s/m)
  return STATUS.test(next === -1 ? rest : rest.slice(0, next))
    || /^\s*assert_(output|line|success|failure)|^\s*refute_(output|line)/m.test(next === -1 ? rest : rest.slice(0, next))
}

/** The file says which version it needs; without that, bats warns of `run !`. */
function requirement(sheet: Sheet): Edit[] {
  const text = wholeText(sheet)
  const said = /^([ \t]*bats_require_minimum_version[ \t]+["']?)([\d.]+)/m.exec(text)
  if (!said) return [insert(/^\uFEFF?(?:#[^\n]*\n|[ \t]*\r?\n)*/.exec(text)![0].length, `bats_require_minimum_version ${NEEDS}\n\n`)]
  const start = said.index + said[1]!.length
  return isOlder(said[2]!, NEEDS) ? [replace({ start, end: start + said[2]!.length }, NEEDS)] : []
}

function isOlder(a: string, b: string): boolean {
  const [left, right] = [a, b].map(v => v.split('.').map(Number))
  for (let i = 0; i < 3; i++) if ((left![i] ?? 0) !== (right![i] ?? 0)) return (left![i] ?? 0) < (right![i] ?? 0)
  return false
}

/** `run` keeps the status: the next line looks at it. */
export function lookAtStatus(sheet: Sheet, call: Call): Fix[] {
  const text = wholeText(sheet)
  if (!/^[ \t]*(#[^\n]*)?\r?\n/.test(text.slice(call.span.end))) return []
  const looks = /^\s*assert_success\b/m.test(text) ? 'assert_success' : '[ "$status" -eq 0 ]'
  const end = call.span.end + /^[^\r\n]*/.exec(text.slice(call.span.end))![0].length
  return fix('Look at the status', false, [insert(end, `\n${indentAt(sheet, call.span.start)}${looks}`)])
}

/** `echo "…" >&3` → `echo "# …" >&3`: a line for the reader. Blanks, line ends and colours before the text stay before it. */
export function commentLine(sheet: Sheet, call: Call): Fix[] {
  const text = sheet.textOf(call.span)
  const opening = /^(?:echo|printf)(?:\s+-[neE]+|\s+--)*\s+\$?["'](?:\\n)*/.exec(text)
  return opening && !/^(?:\\[rte0x]|\s)/.test(text.slice(opening[0].length))
    ? fix('Begin the line with «# »', true, [insert(call.span.start + opening[0].length, '# ')])
    : []
}

/** A background command closes the descriptor by which bats would wait for it. */
export function closeThree({ textOf }: Sheet, region: Region): Fix[] {
  const text = textOf(region.span)
  const command = text.replace(/\s*&$/, '')
  const whole = /^\((?:[^()]|\$\([^()]*\))*\)$|^\{[^{}]*\}$/.test(command)
  if (command === text || /(^|\D)3>|>&3/.test(command) || (!whole && /[|&;()\n]/.test(command.replace(/\d?>&\d?|&>/g, '')))) return []
  return fix('Close descriptor 3 for it', true, [insert(region.span.start + command.length, ' 3>&-')])
}

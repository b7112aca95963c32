// Commands that a script runs again in a loop until they succeed. Who asks and asks waits; who does the same thing again hides that it
// failed.

import type { Call, FileFacts, Region, Span, Unit, Value } from '../../facts/facts.ts'
import { around, has, runsIn, isInSpan } from '../../facts/query.ts'

export interface Repeated {
  readonly call: Call
  readonly loop: Region
  /** Among its words is one that changes something. */
  readonly acts: boolean
}

type TextOf = (span: Span) => string

/**
 * Each call in a loop that is left when it succeeds: asked by the header, `… && break`, `if …; then exit 0`, a status of 0 and then
 * `break`.
 */
export function* untilItSucceeds(unit: Unit): Generator<{ readonly call: Call; readonly loop: Region }> {
  for (const call of unit.calls) {
    const loop = [...around(unit, call.in)].find(r => r.kind === 'loop')
    if (loop && (isAskedFor(unit, loop, call) || leaves(unit, loop, call))) yield { call, loop }
  }
}

/** `until cmd`, `while ! cmd`, `until cmd || tries -ge 3`. */
function isAskedFor(unit: Unit, { condition }: Region, call: Call): boolean {
  const not = condition?.is === 'op' && condition.op === 'not' ? condition.of[0]! : undefined
  return not !== undefined && (not.is === 'op' && not.op === 'or' ? not.of : [not]).some(v => is(unit, v, call))
}

const is = (unit: Unit, value: Value | undefined, call: Call): boolean => value?.is === 'call' && unit.calls[value.call] === call
const STATUS = /^(\?|status|rc|ret|ret_?(val|code)|code|exit_?(code|status)|result|res)$/i
const isZero = (value: Value | undefined): boolean => value?.is === 'literal' && String(value.value) === '0'
const saysWell = (value: Value | undefined): boolean =>
  value?.is === 'op' && value.op === '==' && value.of[0]?.is === 'name' && STATUS.test(value.of[0].path) && isZero(value.of[1])

function leaves(unit: Unit, loop: Region, call: Call): boolean {
  return unit.calls.some(c => {
    if (c.span.start < call.span.end || !(c.name === 'break' || (/^(exit|return)$/.test(c.name) && isZero(c.args[0])))) return false
    const [under] = around(unit, c.in)
    if (under?.kind !== 'if' || !isInSpan(under.span, loop.span)) return false
    if (is(unit, under.condition, call)) return true
    // Of the commands before a look at the status, it is that of the last.
    const runs = unit.calls.filter(o =>
      o.span.start >= loop.span.start && o.span.end <= under.span.start && !NOTHING.test(o.name) && !has(o, 'log', 'sleep')
    )
    return saysWell(under.condition) && runs.at(-1) !== undefined
      && (runs.at(-1) === call || (runs.at(-1)!.name === 'run' && isInSpan(call.span, runs.at(-1)!.span)))
  })
}

const NOTHING = /^(:|true|\[\[?|test|break|continue|exit|return|let|\(\()$/

/** The world's own tools, which are asked or may fail for the world's reasons. */
const TOOLS = new RegExp(
  String
    .raw`^(\[\[?|test|e?grep|fgrep|pgrep|cat|ls|stat|curl|wget|nc|ncat|socat|telnet|ping6?|dig|host|nslookup|lsof|ss|netstat|ps|p?kill|killall|wait|sleep|true|false|:|read
  |command|type|which|hash|docker|docker-compose|podman|buildah|nerdctl|crictl|ctr|kubectl|oc|helm|minikube|kind|git|gh|apt|apt-get|yum|dnf|apk|brew|npm|npx|yarn|pip3?|go|cargo|make|systemctl
  |service
  |pg_isready|redis-cli|mysql|mysqladmin|psql|ssh|scp|rsync|timeout|u?mount|rm|rmdir|mkdir|mv|cp|ln|touch|mkfifo|ip|iptables|ifconfig|losetup|udevadm|journalctl|jq|find|diff|cmp|head|tail|wc|echo
  |printf|exec|eval|sudo|aws|gcloud|az|python3?|node|openssl|gpg|run|flock|break|continue|exit|return|\w*(wait|ready|check|poll|verify|exists?|contains|until|retry|_up|alive|status|assert|healthy)\w*
  |(is|has|get|can)_\w+)$`.replace(/\s+/g, ''),
  'i',
)
const ASKS =
  /^(get|list|ls|show|status|inspect|describe|ps|logs?|info|version|ready|health\w*|exists|check|wait|ping|query|search|find|is-\w+|test|cat|read|view|top|stats|print|dump)$/i
const ACTS =
  /^(push|create|add|put|post|send|publish|write|insert|update|save|submit|register|upload|deploy|apply|migrate|sync|import|backup|restore|commit)$/i

/** In a test, the command that it is about. */
export function* repeatedCommands({ language }: Pick<FileFacts, 'language'>, unit: Unit, textOf: TextOf): Generator<Repeated> {
  if (language !== 'bash' || unit.role.is !== 'test') return
  for (const { call, loop } of untilItSucceeds(unit)) {
    const words = textOf(call.span).split(/\s+/).slice(1).filter(w => !w.startsWith('-'))
    const name = call.name.split(/[\s/]/).at(-1)!
    if (runsIn(unit, call.in) !== 'inline' || TOOLS.test(call.name.split(' ')[0]!) || TOOLS.test(name) || call.effects.length > 0
      || words.slice(0, 2).some(w => ASKS.test(w))) continue
    const acts = words.slice(0, 2).some(w => ACTS.test(w)) || ACTS.test(name)
    const pauses = unit.calls.some(c => has(c, 'sleep') && isInSpan(c.span, loop.span))
    if (acts || !pauses) yield { call, loop, acts }
  }
}

// Hosts outside of the machine, as they stand in text, and what keeps a test from reaching them.

import type { Call, FileFacts, Unit } from '../../facts/facts.ts'
import { ancestors, cured, has } from '../../facts/query.ts'

const URL_HOST = /^(?:https?|wss?|ftp|git|ssh):\/\/(?:[^\s@/]*@)?([a-z0-9.-]+)(?::\d+)?(?:[/?#]|$)/i
const BARE_HOST =
  /^([a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|edu|gov|co|ai|app|cloud|bar|info|sh|me|tv|us|uk|de|fr|eu|ch|jp|xyz))(?::\d+)?$/i
const NUMERIC = /^\d+\.\d+\.\d+\.\d+$/
/** Private, loopback and documentation networks, and names that never resolve. */
const INSIDE =
  /^(?:127|10|0|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|192\.0\.2|198\.51\.100|203\.0\.113|2(?:2[4-9]|[345]\d))\.|^255\.|\.(?:test|invalid|localhost|local|internal|lan|example|svc|cluster|localdomain|corp|home|mock|fake|dummy)$/i
const DOCUMENTATION = /(^|\.)example\.(com|org|net|edu)$/i

export interface Host {
  readonly name: string
  readonly documentation: boolean
}

/** The host that a text leads to, where it is outside. */
export function outsideHost(text: unknown, bare = false): Host | undefined {
  if (typeof text !== 'string' || text.length > 2000) return undefined
  const name = (URL_HOST.exec(text) ?? (bare ? BARE_HOST.exec(text) : null))?.[1]
  if (!name || !name.includes('.') || INSIDE.test(name) || (!NUMERIC.test(name) && !/\.[a-z]{2,}$/i.test(name))) return undefined
  return { name, documentation: DOCUMENTATION.test(name) }
}

/** Services that are there to be tried out: nobody writes their names but to ask them. */
const TRIED_OUT =
  /(?:^|[/@\s."'])((?:[\w-]+\.)*(?:httpbin\.org|httpbingo\.org|badssl\.com|postman-echo\.com|jsonplaceholder\.typicode\.com|reqres\.in|neverssl\.com|httpstat\.us|icanhazip\.com|ifconfig\.me|one\.one\.one\.one|dns\.google))(?![\w.-]*\w)/
export const triedOut = (
  text: unknown,
): string | undefined => typeof text === 'string' && text.length < 2000 ? TRIED_OUT.exec(text)?.[1] : undefined

/** Addresses that belong to nobody: some networks let a connection hang, others refuse it at once. */
export const nobodys = (text: unknown): string | undefined =>
  typeof text === 'string'
    ? /^(?:https?:\/\/)?((?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+|10\.255\.255\.\d+)(?::\d+)?(?:\/|$)/.exec(text)?.[1]
    : undefined

/** `dig @127.0.0.1 shop.com`: a name server of the test's own answers. */
const ASKED_HERE = /\s@(?:127\.|localhost\b|\$|::1)/
/** A command in a text or on a line that goes to a host: `curl -s https://…`, `nslookup www.…`. */
const COMMAND =
  /(?:^|[\s;&|(])(?:curl|wget|nslookup|dig|ping|git (?:clone|fetch|ls-remote)|svn (?:co|checkout)|http get)\s+(?:-\S+\s+(?:\d+\s+)?)*["']?((?:https?:\/\/)?[\w.-]+)/
export const commandHost = (text: unknown): Host | undefined =>
  typeof text === 'string' && text.length < 2000 && !ASKED_HERE.test(text)
    ? outsideHost(COMMAND.exec(text)?.[1], true)
    : undefined

const FAKES = /mock|responses|httpretty|vcr|respx|betamax|cassette|patch|nock|polly|fake|stub/i
/** A stand-in by its name, where it comes from the code under test. */
const STAND_IN = /(^|[._:/])Mock\w*(Agent|Pool|Client|Transport|Server|Socket)(\.new)?$|setGlobalDispatcher$/
const TALKS = /fetch|request|http|urlopen|socket|axios|got|dns|lookup|getaddrinfo|adapter|client/i

/** The network is replaced for this unit: by a library, a fixture, a patch or a stand-in of its own. */
export function isOffline(file: FileFacts, unit: Unit, whole: boolean): boolean {
  const near = [unit, ...ancestors(file, unit)]
  if (cured(file, unit, 'fake-net') || unit.params.some(p => FAKES.test(p)) || near.some(u => u.markers.some(m => FAKES.test(m.name))))
    return true
  const replaces = (c: Call) =>
    has(c, 'fake-net') || STAND_IN.test(c.name)
    || (has(c, 'stub', 'mock', 'restore') && [...c.args, ...Object.values(c.named)].some(a =>
      (a.is === 'literal' && typeof a.value === 'string' && TALKS.test(a.value)) || (a.is === 'name' && TALKS.test(a.path))
    ))
  const seen = whole
    ? file.units
    : file.units.filter(u => u === unit || near.includes(u) || (u.role.is === 'hook' && u.role.when === 'before'))
  return seen.some(u =>
    u.calls.some(replaces)
    || u.writes.some(w =>
      !w.declares && /(^|\.)(fetch|XMLHttpRequest|WebSocket|request|DefaultTransport|DefaultClient|defaults\.adapter)$/.test(w.target)
    )
  )
}

/** Tests that say they need the world outside. */
export const isMeantToReach = (file: FileFacts, unit: Unit): boolean =>
  /(^|[/_.-])(integration|e2e|acceptance|external|live|online|it|smoke|manual)([/_.-]|tests?\b)|IT\.java$/i.test(file.path)
  // Who sets a machine up, or asks whether there is a network at all, goes out on purpose.
  || /(^|\/)\.(github|buildkite|circleci|gitlab|ci)\/|(^|\/)(install|set-?up|bootstrap|provision|prepare|make-venv)[\w.-]*\.(sh|bash)$/
    .test(file.path)
  || (unit.role.is === 'helper'
    && /^(install|setup|set_up|download|provision)|(check|is|has)_?(internet|network|online|connected)/i.test(unit.name))
  || [unit, ...ancestors(file, unit)].some(u => u.markers.some(m => /integration|e2e|live/i.test(`${m.name} ${m.key ?? ''}`)))
  // `t.Skip("skipping live network test without --live-net-tests")`: it runs where somebody asks for it.
  || [unit, ...ancestors(file, unit)].some(u =>
    u.skips.some(s => s.condition !== null && /\b(live|on-?line|off-?line|internet|network)/i.test(`${s.reason ?? ''} ${s.condition}`))
  )

/** A marker says that the test needs the network. */
export const saysItReaches = (file: FileFacts, unit: Unit): boolean =>
  [unit, ...ancestors(file, unit)].some(u =>
    u.markers.some(m => /network|internet|online|external|remote/i.test(`${m.name} ${m.key ?? ''}`))
  )

/** A command that is run to see it fail. */
export const isToFail = (call: Call): boolean => '?' in call.named

/** It must fail before it talks, or only its type is looked at. */
export const isChecked = (unit: Unit, call: Call): boolean =>
  isToFail(call) || (/::/.test(call.name) && chainedOn(unit, call).some(c => /(^|[.:])(build|expect_err|unwrap_err)$/.test(c.name)))
  || [...unit.assertions.filter(a => a.compare === 'throws'), ...unit.calls.filter(c =>
    /expect(Type|Error|Assignable)|assertType|[tT]hrows$/.test(c.name)
  )].some(a => a.span.start < call.span.start && a.span.end >= call.span.end)

/** What is called on what it gives, one after another: `client.post(url).json(order).build()`. */
function chainedOn(unit: Unit, call: Call): Call[] {
  const next = unit.calls.find(c => c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call)
  return next ? [next, ...chainedOn(unit, next)] : []
}

/** Its transport is a stand-in. */
export const isShut = (call: Call): boolean =>
  Object.keys(call.named).some(k => /^(transport|dispatcher|agent|adapter|client|session)$/.test(k))
/** A package manager or image tool that goes to its registry. */
export const installs = (call: Call): boolean =>
  / (install|update|add|ci|get|pull|search)$/.test(call.name) && !/git /.test(call.name)
  && call.args.every(a =>
    a.is === 'literal'
    && !/^(-r|-e|--no-index|--offline|--help|-h|\..*|\/.*|localhost.*|\w+-archive:.*|dir:.*|oci:.*)$/.test(String(a.value))
  )

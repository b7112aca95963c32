import type { Unit } from '../../facts/facts.ts'
import { argumentOf, effectOf, isTestCode } from '../../facts/query.ts'
import { basedHost, wordsFor } from '../../flow/hosts/addresses.ts'
import { installs, isChecked, isMeantToReach, isOffline, isShut, outsideHost, saysItReaches } from '../../flow/hosts/hosts.ts'
import { inMacros, reaches } from '../../flow/hosts/reaching.ts'
import { addressOf, askedHost } from '../../flow/hosts/requests.ts'
import { isStoodIn } from '../../flow/hosts/stand-ins.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { least } from '../wording.ts'
import { words } from './words.ts'
import { BUILDS, CONNECTS, isSent, message, recipes, SOCKET, sources, sureOf, swallows, TALKS, whereWritten, withLost } from './signs.ts'

export default defineRule(
  {
    id: 'network-access',
    title: 'A test reaches for a host outside of the machine',
    category: 'environment',
    severity: 'warning',
    triggers: [],
    // Only a file that holds an outer address can be meant; which calls talk is looked up after parsing.
    words,
    confirm: ['net-off'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const { span, to, unit } of inMacros(view))
      if (isTestCode(facts, facts.units[unit]!) && !isMeantToReach(facts, facts.units[unit]!))
        yield { at: span, unit, confidence: 'medium', message: message(to) }
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      const told = new Set<number>()
      const all = withLost([...swallows(unit, view)], [talks, recipes, sources, asks, asksByWord].flatMap(kind => [...kind(unit, view)]))
      for (const report of all.filter(r => !told.has(r.at.start) && told.add(r.at.start)))
        // A test that is marked goes out on purpose, and fails all the same.
        yield { ...report, confidence: isMeantToReach(facts, unit)
          ? 'low'
          : saysItReaches(facts, unit) || !isOfTest(unit)
          ? least(report.confidence, 'medium')
          : report.confidence }
    }
  },
)

/** What a test or its hook goes to decides its outcome; a script beside the tests may go out to prepare them, once and for all. */
const isOfTest = ({ role }: Unit): boolean => role.is === 'test' || role.is === 'hook'

function* talks(unit: Unit, view: FileView): Generator<Report> {
  for (const call of unit.calls) {
    const effect = effectOf(call, 'network')
    const based = basedHost(call, unit, view)
    const guess = !effect && (TALKS.test(call.name) || CONNECTS.test(call.name) || isSent(call))
    if ((!effect && !guess && !based) || BUILDS.test(call.name) || call.target !== undefined || isShut(call) || isChecked(unit, call))
      continue
    if (effect && installs(call)) {
      if (!isStoodIn(call, unit, view))
        yield { at: call.span, unit: unit.id, confidence: 'medium',
          message: `${call.name} asks a registry: when it is slow, away or has changed, the test fails` }
      continue
    }
    const given = [effect && argumentOf(call, effect), call.named.url, call.named.uri, call.named.host, call.named.hostname,
      call.named.href, ...(guess ? [call.args[0]] : [])]
    // Whoever only has the name of a client may send on a line of the test's own.
    const steps = guess && !isSent(call) && call.resolution === 'guess' ? 1 : 12
    const host = given.flatMap(v => outsideHost(v && addressOf(v, unit, view, call.span.start, steps), effect !== undefined) ?? [])[0]
      ?? based
      ?? wordsFor(call, view.facts.language).flatMap(v => outsideHost(addressOf(v, unit, view, call.span.start)) ?? [])[0]
    // A client for an address out of the documentation is made to be looked at; a socket connects at once.
    if (!host || (host.documentation && guess && !SOCKET.test(call.name))
      || (effect && /^\d/.test(host.name) && /InetAddress|getaddrinfo|gethostbyname/.test(call.name))) continue
    if (isOffline(view.facts, unit, guess) || isStoodIn(call, unit, view)) continue
    const at = whereWritten(host.name, call.span, unit, view)
    yield { at, unit: unit.id, confidence: sureOf(call, guess, host.documentation), message: message(host.name) }
  }
}

/** What the code under test is given to go to. Nobody sees here that it does, but for a command, which is there to be run. */
function* asks(unit: Unit, view: FileView): Generator<Report> {
  if (unit.role.is === 'module' || unit.role.is === 'suite' || isOffline(view.facts, unit, false)) return
  const hosts = new Set<string>()
  for (const call of unit.calls) {
    const host = askedHost(call, unit, view)
    if (host && !hosts.has(host))
      hosts.add(host),
        yield { at: whereWritten(host, { start: call.nameSpan.start, end: call.span.end }, unit, view), unit: unit.id,
          confidence: view.facts.language === 'bash' ? 'high' : 'medium', message: message(host) }
  }
}

/** What stands among the words for a program or in its settings. */
function* asksByWord(unit: Unit, view: FileView): Generator<Report> {
  if (isOffline(view.facts, unit, false)) return
  const told = new Set<string>()
  for (const { span, to, registry, given } of reaches(unit, view))
    if (!told.has(to))
      told.add(to),
        yield { at: span, unit: unit.id, confidence: registry || given ? 'medium' : 'high',
          message: registry ? `«${to}» asks a registry: when it is slow, away or has changed, the test fails` : message(to) }
}

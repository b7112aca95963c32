import { argumentOf, effectOf, isTestCode } from '../../facts/query.ts'
import { anyFreePort } from '../../fixes/ports.ts'
import { countedPort, localPorts } from '../../flow/local-ports.ts'
import { namedPorts, type NamedPort } from '../../flow/port-names.ts'
import { takenPorts } from '../../flow/port-takers.ts'
import { chosenPorts, portIn, writtenAt, type ChosenPort } from '../../flow/ports.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

const LOCAL_ADDRESS = '(?:127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0):\\d{4,5}\\b'

/** A port by its name, beside a number: kept, set, added to a list, or one above another. */
const NAMED = ['(?:[pP]ort|PORT)\\w*["\']?\\s*(?::\\s*\\w+\\s*)?:?[=:]\\s*["\']?\\d{4,5}\\b', '[pP](?:ort|ORT)\\w*(?:\\.(?:add|append|push))?\\(\\s*["\']?\\d{4,5}\\b', '[pP](?:ort|ORT)\\w*["\']?[^,;\\n]{0,24},\\s*["\']?\\d{4,5}["\']?\\)', '[pP](?:ort|ORT)(?:\\(\\))?\\s*\\+\\s*\\d']

/** A port of the machine, wherever it stands. */
const LOCAL = ['(?:127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0|::1\\]):\\d{4}', '["\'](?:127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0|)["\'],\\s*\\d{4,5}\\b', '[pP](?:ort|ORT)(?:[nN]um|\\d)?["\']?\\]?\\s*:?=\\s*["\']?\\d{4}', '[pP]ort["\']\\s*:\\s*\\d{4}', '/(?:tcp|udp)/\\d{4}', '(?:-p|--publish)["\',= ]+(?:[\\d.]+:)?\\d{4,5}:\\d', '(?:[lL]isten|[pP]ort|[bB]ind)=(?:[\\w.]*:)?\\d{4}']

/** A port that is counted, one where nobody says otherwise, and one of every address. */
const COUNTS = ['[pP](?:ort|ORT)s?_?\\w*(?:\\+\\+|\\s*\\+=\\s*\\d)', '[gG]et\\w*\\(\\s*["\'][\\w.-]*[pP]ort["\'],', '[aA]ddr\\w*["\']?\\s*:?[=:]\\s*["\'`]:\\d{4}']

/** A number that what listens is given, a route or an address that it is, and settings of it. */
const TAKEN = ['(?:[sS]erver|[bB]roker|[lL]isten\\w*|Listener|\\.bind)(?:<>)?\\(\\s*(?:["\'][\\w.]*["\'],\\s*)?\\d{4,5}\\b', '(?:[bB]ind|[lL]isten)_?(?:[pP]ort|[aA]ddr)\\w*["\']?\\s*[:=]', '["\']--?[\\w-]*(?:listen|addr|bind)[\\w-]*["\'],\\s*["\'][^"\']*:\\d{4,5}']

export default defineRule(
  {
    id: 'fixed-port', title: 'A test listens on a port that it chose beforehand', category: 'environment', severity: 'warning',
    triggers: ['bind-port'],
    // A name for a port beside a number; addresses in text only where few tests have them for another reason.
    words: {
      python: [...LOCAL, '[pP](?:ort|ORT)s?["\']?\\s*[:=]\\s*\\[?\\d{4}', '--port\\b', LOCAL_ADDRESS, ...NAMED, ...TAKEN, ...COUNTS], typescript: [...LOCAL, ...NAMED, ...TAKEN, ...COUNTS, LOCAL_ADDRESS, '[pP](?:ort|ORT)s?["\']?\\s*[:=]\\s*\\d{4}', '--port\\b'],
      java: [...LOCAL, ...NAMED, ...TAKEN, ...COUNTS, 'new \\w*Address\\("(?:127\\.0\\.0\\.1|localhost)", \\d{4}', '[pP]ortBindings?\\(', 'FixedExposedPort\\(', 'InetSocketAddress\\([^)\\n]*\\b\\d{4,5}\\)', '"(?:jetty|netty|undertow|mina|cxf|restlet)[\\w-]*:\\w*:?//', '(?:\\.port|\\.with\\w*Port|\\.set\\w*Port)\\(\\d{4}', '"(?:127\\.0\\.0\\.1|localhost):\\d{4}', '[pP](?:ort|ORT)\\s*=\\s*\\d{4}', '//(?:127\\.0\\.0\\.1|localhost):\\d{4}', 'DEFINED_PORT', 'Port\\w*(?:\\[\\])?\\s*=\\s*\\{\\s*\\d{4}'],
      go: [...LOCAL, ...NAMED, ...TAKEN, ...COUNTS, '(?:Cluster|Server|Nodes?)\\w*\\([^\\n]*,\\s*\\d{4,5}\\)', '"--?[\\w-]*port",\\s*"\\d{4}', '\\.(?:Run|Start|Listen)\\w*\\(":\\d{4,5}"', '[pP]orts?\\b[^;\\n=]{0,12}[:=]\\s*(?:\\[\\]int\\{)?\\d{4}|[a-z]Port\\([^\\n]*\\b\\d{4,5}\\)', 'atomic\\.Add\\w+\\(&\\w*[pP]ort', '\\b\\d{2}000\\s*\\+\\s*\\w'],
      rust: [...LOCAL, LOCAL_ADDRESS, ...NAMED, ...TAKEN, ...COUNTS, '\\(\\(\\[127, 0, 0, 1\\], \\d{4}', '\\bport:\\s*\\d{4}', 'PORT\\w*:[^;\\n]{0,50}\\b\\d{1,2}_?\\d{3}\\b'], bash: [...LOCAL, '--port\\b', '(?:-p|--publish)[ =](?:[\\d.]+:)?\\d{4,5}:\\d', '(?:port|PORT)=\\d{4}'],
    },
    confirm: ['port-occupy', 'parallelise'], since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    const bound = new Set<number>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const call of unit.calls) {
        const bind = effectOf(call, 'bind-port')
        const port = bind && portIn(argumentOf(call, bind), unit, view)
        if (!port) continue
        bound.add(port)
        const kept = writtenAt(port, call.span, unit, view)
        yield { at: kept?.span ?? call.span, unit: kept?.unit ?? unit.id, confidence: unit.name === 'main' ? 'medium' : confidenceOf(call), message: `listens on port ${port}: whoever holds it already makes the test fail${handedOut(port)}`, fixes: anyFreePort(view, unit, call, port) }
      }
    }
    const told = new Set(bound), named = new Set<number>()
    let counted = false
    for (const chosen of chosenPorts(view)) {
      counted ||= chosen.how === 'counter'
      told.add(chosen.port)
      const by = facts.units[chosen.unit]!, kept = writtenAt(chosen.port, chosen.span, by, view)
      if (!bound.has(chosen.port)) yield { at: kept?.span ?? chosen.span, unit: kept?.unit ?? chosen.unit, confidence: (SURE.has(chosen.how) && by.name !== 'main') || chosen.sure ? 'high' : 'medium', message: sentence(chosen) }
    }
    // A port that is only named is told once a test.
    for (const unit of facts.units.filter(u => isTestCode(facts, u))) {
      const here = new Set<number>()
      for (const { port, span, by } of takenPorts(unit, view)) {
        if (told.has(port) || here.has(port)) continue
        here.add(port)
        const kept = writtenAt(port, span, unit, view)
        yield { at: kept?.span ?? span, unit: kept?.unit ?? unit.id, confidence: 'medium', message: `${by} is given port ${port}: whoever holds it already makes the test fail${handedOut(port)}` }
      }
      for (const guessed of namedPorts(unit, view)) {
        if (guessed.how !== 'beside' && (told.has(guessed.port) || here.has(guessed.port))) continue
        // One address is dialled all over a file.
        ;(guessed.how === 'dialled' ? told : here).add(guessed.port)
        yield { at: guessed.span, unit: guessed.unit, confidence: guessed.how === 'named' && guessed.by === 'port' ? 'high' : 'medium', message: guess(guessed) }
      }
      for (const port of here) named.add(port)
    }
    for (const { port, span, unit } of localPorts(view)) if (!told.has(port) && !named.has(port)) yield { at: span, unit, confidence: 'medium', message: `port ${port} of the machine is written down here: whoever holds it already makes the test fail${handedOut(port)}` }
    const counter = counted ? undefined : countedPort(view)
    if (counter) yield { at: counter.span, unit: counter.unit, confidence: 'medium', message: `${counter.name} is counted up: another run on the same machine counts from there too` }
  },
)

/** Nobody counts ports, lists them, sets them on what is served or writes them into a configuration for anything but to listen. */
const SURE: ReadonlySet<ChosenPort['how']> = new Set(['assigned', 'counter', 'list', 'text'])

/** Outgoing connections get their ports from this range. */
const handedOut = (port: number): string => (port >= 32_768 ? ', and the system hands it out to outgoing connections' : '')

function sentence({ port, by, how }: ChosenPort): string {
  if (how === 'counter') return `${by} counts up from ${port}: another run on the same machine counts from there too`
  if (how === 'list') return `${by} holds the ports to choose from: whoever holds one of them already makes the test fail`
  return `${how === 'address' ? 'an address' : by} fixes port ${port} for something that the test starts: whoever holds it already makes it fail${handedOut(port)}`
}

function guess({ port, by, how }: NamedPort): string {
  if (how === 'beside') return `takes the port ${port} above ${by}: nobody has looked whether that one is free`
  if (how === 'asked') return `${by} asks for port ${port}: whoever else on the machine listens there answers`
  if (how === 'dialled') return `goes to port ${port} of the machine: whether somebody listens there is up to the machine`
  return `${by} fixes port ${port} beforehand: whoever holds it already makes the test fail${handedOut(port)}`
}

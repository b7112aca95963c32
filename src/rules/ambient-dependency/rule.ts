import type { Call, Unit } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { effectOf, has, isTestCode } from '../../facts/query.ts'
import { comparedWith, decidedByAgent, expectedVariables, isPlayed } from '../../flow/machine/machine.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { least, confidenceOf } from '../wording.ts'
import { WORDS } from './words.ts'
import { byWhoever, firstBranch, HOST_FILE, OWN_ADDRESS, READERS, unsetVariable } from './signs.ts'

export default defineRule(
  {
    id: 'ambient-dependency',
    title: "A test's outcome depends on the machine it runs on",
    category: 'environment',
    severity: 'note',
    triggers: ['ambient'],
    words: WORDS,
    confirm: ['env-scrub'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    let asked = false
    const told = new Set<string>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      // One report for a file: its calls have one cure.
      const own = asked
        ? undefined
        : unit.calls.find(c =>
          OWN_ADDRESS.test(c.name) && !unit.assertions.some(a => a.span.start <= c.span.start && c.span.end <= a.span.end)
        )
      if (own)
        asked = true,
          yield { at: own.span, unit: unit.id, confidence: 'medium',
            message:
              "asks what the machine's own name leads to: on some machines that is nothing, on others an address that nobody can bind" }
      for (const call of unit.calls)
        for (const kind of [asserted, hostFile, interpreter, firstBranch, unsetVariable]) yield* kind(call, unit, view)
      yield* byVariable(unit, view)
      yield* byWhoever(unit, view, told)
    }
  },
)

/** What the host says about itself is compared with something that does not come from it. */
function* asserted(call: Call, unit: Unit, view: FileView): Generator<Report> {
  const effect = effectOf(call, 'ambient')
  const checks = effect && comparedWith(call, unit)
  if (!checks || isPlayed(call.name, unit, view)) return
  yield { at: checks.span, unit: unit.id, confidence: least(confidenceOf(call), 'medium'),
    message: `compares ${effect.what ?? 'what the host says'} with a fixed value: another machine has another` }
}

/** Variables of whoever runs the test, in what is expected or in which of two things is expected. */
function* byVariable(unit: Unit, view: FileView): Generator<Report> {
  for (const { check, name } of expectedVariables(unit, view))
    yield { at: check.span, unit: unit.id, confidence: 'low', message: `expects what ${name} holds: not every machine sets it` }
  const check = unit.assertions.find(a => decidedByAgent(a, unit, view))
  if (check)
    yield { at: check.span, unit: unit.id, confidence: 'low',
      message: 'expects one thing on a build agent and another elsewhere: neither machine sees both' }
}

/** The host's own list of users, groups or names, out of which the test picks something. */
function* hostFile(call: Call, unit: Unit, view: FileView): Generator<Report> {
  if (view.facts.language !== 'bash' || !READERS.test(call.name) || call.result === 'discarded') return
  const file = call.args.map(a => fold(a, unit, view.folding)).find(t => typeof t === 'string' && HOST_FILE.test(t))
  // What a command inside of a container reads is the container's.
  const inside = unit.calls.some(c =>
    c !== call && c.args.length > call.args.length && c.span.start < call.span.start && c.span.end >= call.span.end
    && /docker|podman|ssh|exec|run_\w+|kubectl/.test(c.name)
  )
  if (file && !inside)
    yield { at: call.span, unit: unit.id, confidence: 'medium',
      message: `picks from the host's ${String(file)}: every machine has other entries there` }
}

/** An interactive interpreter reads the start-up files of whoever runs the test. */
function* interpreter(call: Call, unit: Unit, view: FileView): Generator<Report> {
  const words = call.args.flatMap(a => (a.is === 'group' ? a.of : [a]))
  const runs = words[0]?.is === 'name' && /^(sys\.executable|process\.execPath)$/.test(words[0].path)
  if (!runs || has(call, 'log') || 'env' in call.named || !words.some(w => fold(w, unit, view.folding) === '-i')
    || words.some(w => fold(w, unit, view.folding) === '-I' || fold(w, unit, view.folding) === '-E')) return
  yield { at: call.span, unit: unit.id, confidence: 'medium',
    message: 'starts an interactive interpreter with the environment of whoever runs the test: its start-up file runs too' }
}

import type { Unit } from '../../facts/facts.ts'
import { ancestors, has, isTestCode, marked, within } from '../../facts/query.ts'
import { overBefore } from '../../flow/state/deferred.ts'
import { crowdOf } from '../../flow/state/sharing.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { captured, CLOSES_OVER, serves, shared } from './signs.ts'

export default defineRule(
  {
    id: 'parallel-conflict',
    title: 'A test that runs beside others does what only a test that runs alone may do',
    category: 'state',
    severity: 'error',
    triggers: [],
    words: {
      go: ['\\.Run\\([^\\n]{0,200}func\\(\\w+ \\*testing\\.T\\) \\{\\n\\s*\\w+\\.Parallel\\(\\)',
        'http\\.(?:DefaultClient|Get|Post|Head|Client\\{\\})', '\\.Parallel\\(\\)[^]{0,2500}?\\n\\t\\t+_, err = ',
        '\\.Parallel\\(\\)[^}]{0,300}?\\n\\t+\\w+\\.[A-Z]\\w*(?:\\.\\w+)* = ',
        '\\.Parallel\\(\\)[^}]{0,300}?(?:\\bt\\.(?:Setenv|Chdir)\\(|\\n\\t+(?:\\w+, )*\\w+ = )'],
      typescript: ['\\.concurrent\\b', '\\bconcurrent\\s*:\\s*true'],
    },
    confirm: ['parallelise'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    if (!CLOSES_OVER.includes(facts.language)) return
    const told = new Set<string>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const { call, used, parent } of overBefore(facts, unit))
        if (!told.has(`defer ${call.span.start}`) && told.add(`defer ${call.span.start}`))
          yield { at: call.span, unit: parent.id, confidence: 'high',
            message: `${used} is over when this function returns, and its parallel subtests only go on then`,
            related: [{ span: unit.nameSpan, message: 'still uses it' }] }
      if (unit.role.is !== 'test' || !marked(facts, unit, 'parallel') || marked(facts, unit, 'serial')) continue
      yield* forbidden(unit, view, told)
      yield* sharedTransport(unit, view, told)
      yield* shared(unit, view)
      yield* captured(unit, view)
    }
  },
)

function* forbidden(unit: Unit, { facts }: FileView, told: Set<string>): Iterable<Report> {
  const parallel = [unit, ...ancestors(facts, unit)].flatMap(u => u.markers).find(m => m.is === 'parallel')!
  const related = [{ span: parallel.span, message: 'runs beside others by this' }]
  for (const call of unit.calls) {
    if (/^testing\.(T|TB)\.(Setenv|Chdir)$/.test(call.name))
      yield { at: call.span, unit: unit.id, confidence: 'medium', related,
        message: `${call.name.split('.').at(-1)} in a test that runs beside others: the testing package panics` }
    if (/\.(useFakeTimers|setSystemTime)$/.test(call.name) && has(call, 'fake-clock'))
      yield { at: call.span, unit: unit.id, confidence: 'medium', related,
        message: 'replaces the clock for all tests that run beside this one' }
  }
  for (const write of unit.writes) {
    const owner = facts.imports.find(i => write.target.startsWith(`${i.name}.`))
    // What is put back is wrong for the others all the same, as long as it lasts.
    if (facts.language === 'go' && owner && !told.has(write.target) && !write.declares && !within(unit, write.in, 'finally', 'closure')
      && /^[A-Z]\w*(\.\w+)*$/.test(write.target.slice(owner.name.length + 1)))
      told.add(write.target),
        yield { at: write.span, unit: unit.id, confidence: 'medium', related,
          message: `sets ${write.target.slice(owner.name.lastIndexOf('/') + 1)} for all tests that run beside this one` }
  }
  if (unit.params.includes('expect') || !facts.imports.some(i => i.local === 'expect')) return
  for (const assertion of unit.assertions)
    if (assertion.compare === 'snapshot')
      yield { at: assertion.span, unit: unit.id, confidence: 'medium', related,
        message: 'takes a snapshot with the expect of the file: beside other tests it does not know whose snapshot it is' }
}

/** `httptest.Server.Close` closes the idle connections of the default transport, whoever uses them. */
function* sharedTransport(unit: Unit, { facts }: FileView, told: Set<string>): Iterable<Report> {
  if (facts.language !== 'go' || told.has('transport')
    || !facts.units.some(u => marked(facts, u, 'parallel') && crowdOf(facts, u) === crowdOf(facts, unit) && serves(u, facts))) return
  const call = unit.calls.find(c =>
    /^net\/http\.(Get|Post|PostForm|Head|DefaultClient\.\w+)$/.test(c.name)
    || (c.name === 'net/http.Client{}' && c.args.length === 0 && Object.keys(c.named).length === 0)
    || c.args.some(a => a.is === 'name' && a.path === 'net/http.DefaultClient')
  )
  if (!call) return
  told.add('transport')
  yield { at: call.span, unit: unit.id, confidence: 'medium',
    message: 'shares the default transport with the tests beside it: the end of any of their test servers closes its connections' }
}

import type { FileFacts, Unit } from '../../facts/facts.ts'
import { continuedPages } from '../../flow/state/chains.ts'
import { leftFiles } from '../../flow/state/left-files.ts'
import { mentions, outerWrites } from '../../flow/state/sharing.ts'
import { defineRule, type Report } from '../rule.ts'

export default defineRule(
  {
    id: 'order-dependent-tests',
    title: 'A test needs another one to have run before it',
    category: 'state',
    severity: 'warning',
    triggers: [],
    words: {
      java: ['\\bTestMethodOrder\\b', '\\bFixMethodOrder\\b', '\\bdependsOn(?:Methods|Groups)\\b', '@Test\\([^)]{0,200}\\bpriority\\b'],
      python: ['mark\\.(?:order|run|dependency|incremental)\\b', '\\bdef test_?\\d+_'],
      typescript: ['\\b(?:test|it)\\(["\'`]\\d+[.:) ]', '\\bmode: ["\']serial', '\\.describe\\.serial\\b'],
      bash: ['>>? ?"?\\$\\{?\\w+[}/"]'],
    },
    confirm: ['shuffle-order', 'isolate'],
    crowds: 5,
    since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (!facts.units.some(u => u.role.is === 'test' && (u.id === unit.id || u.parent === unit.id))) continue
      const marker = unit.markers.find(m =>
        m.is === 'ordered' && ((unit.role.is === 'test' ? ASKED_BY_TESTS : ASKED_BY_SUITES).test(m.name) || DEPENDS.test(m.key ?? ''))
      )
      // An order by name alone only makes runs alike.
      if (marker)
        yield { at: marker.span, unit: unit.id, confidence: /MethodName|DisplayName/.test(marker.key ?? '') ? 'low' : 'medium',
          message: says(unit, marker.key) }
    }
    yield* numbered(facts)
    for (const { unit, at, giver, name } of continuedPages(facts))
      yield { at, unit: unit.id, confidence: 'medium',
        message: `goes on with ${name} where ${giver.title} has left it: alone it fails, and a failure before it is its own`,
        related: [{ span: giver.nameSpan, message: 'begins there' }] }
    for (const { unit, at, giver, given, name } of leftFiles(facts))
      yield { at, unit: unit.id, confidence: 'medium',
        message: `reads ${name}, which only «${giver.title}» writes: alone or in another order it fails`,
        related: [{ span: given, message: 'written here' }] }
  },
)

const ASKED_BY_TESTS = /(dependsOn\w+|pytest\.mark\.(order\w*|run|dependency))$/
/** TestNG says it in the annotation of the test itself, or in that of its class. */
const DEPENDS = /^dependsOn(Methods|Groups)\b/
const ASKED_BY_SUITES = /(TestMethodOrder|FixMethodOrder|Stepwise)$/

const named = (
  key: string | undefined,
): string | undefined => key && /^["'\w]/.test(key) ? key.replace(/^dependsOn\w+\s*=\s*/, '').slice(0, 60) : undefined

const says = (unit: Unit, key: string | undefined): string =>
  unit.role.is === 'test' || DEPENDS.test(key ?? '')
    ? `runs only after ${named(key) ?? 'other tests'}: alone or in another order it fails`
    : 'fixes the order of its tests: they need each other, and none can be run alone'

const NUMBER = /^(?:test_?)?0*(\d+)(?:_|[.:)]? )/i

const priority = (unit: Unit): number | undefined => {
  const key = unit.markers.map(m => /^priority\s*=\s*(-?\d+)/.exec(m.key ?? '')?.[1]).find(k => k !== undefined)
  return key === undefined ? undefined : Number(key)
}

/** Tests with numbers in their names, or with priorities, that hand something on. */
function* numbered(facts: FileFacts): Iterable<Report> {
  const byName = facts.units.filter(u => u.role.is === 'test' && NUMBER.test(u.name))
  const byRank = facts.units.filter(u => u.role.is === 'test' && priority(u) !== undefined).sort((a, b) => priority(a)! - priority(b)!)
  const tests = byRank.length > 1 ? byRank : byName
  for (const [i, unit] of tests.entries()) {
    const before = tests.slice(0, i).filter(t => t.parent === unit.parent)
    const giver = before.find(t => outerWrites(t).some(w => mentions(unit, w.target) && !unit.writes.some(o => o.target === w.target)))
    const what = giver && outerWrites(giver).find(w => mentions(unit, w.target))
    if (giver && what)
      yield { at: unit.nameSpan, unit: unit.id, confidence: 'medium',
        message: `uses ${what.target} as ${giver.title} has left it: alone or in another order it fails`,
        related: [{ span: what.span, message: 'set here' }] }
  }
}

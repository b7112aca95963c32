import type { Assertion } from '../../facts/facts.ts'
import { isProperty, isTestCode, polls } from '../../facts/query.ts'
import { collected, isStoodIn, measuredBy, onlyKinds } from '../../flow/machine/usage.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, way } from '../wording.ts'

export default defineRule(
  {
    id: 'resource-threshold-assertion',
    title: 'An assertion bounds what the process takes up',
    category: 'numeric',
    severity: 'warning',
    triggers: ['usage'],
    confirm: ['cpu-stress', 'repeat'],
    crowds: 5,
    since: '0.2.0',
  },
  function* ({ facts, flows, textOf }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const assertion of unit.assertions) {
        const asked = collected(assertion, unit)
        if (asked)
          yield { at: assertion.span, unit: unit.id, confidence: 'medium',
            message: 'expects the collector to have cleared a reference: being asked, it comes when it likes',
            related: [{ span: asked.span, message: 'asked here' }] }
        if (!/^(==|!=|<|<=|>|>=|near)$/.test(assertion.compare) || polls(unit, assertion.in) || onlyKinds(assertion, unit)) continue
        const usage = assertion.operands.flatMap(o => flows.ingredients(unit, o, assertion.span.start).origins).find(o =>
          o.kind === 'usage' && !o.opaque
        )
        // More than nothing is always there.
        if (assertion.operands.some(o => o.is === 'literal' && (o.value === 0 || o.value === null))) continue
        const told = usage
          ? undefined
          : assertion.operands.map(o => measuredBy(o, unit, facts, assertion.span.start)).find(c => c !== undefined)
        if (told)
          yield { at: assertion.span, unit: unit.id, confidence: /^>/.test(assertion.compare) ? 'low' : 'medium',
            message: says(textOf(told.span)), related: [{ span: told.span, message: 'it is measured' }] }
        if (!usage) continue
        const source = facts.units[usage.unit]!.calls[usage.call]!
        if (polls(facts.units[usage.unit]!, source.in) || isStoodIn(source, facts)) continue
        // That something was taken up holds sooner than that no more was.
        const growth = assertion.compare === '>' || assertion.compare === '>='
        yield {
          at: assertion.span,
          unit: unit.id,
          confidence: growth ? 'low' : hasRoom(assertion) ? 'medium' : confidenceOf(source),
          message: says(textOf(usage.span)),
          trace: way(usage, 'it is measured', { span: assertion.span, message: 'and bounded' }),
        }
      }
    }
  },
)

/** `leaked <= 3`, `after < before + 10`: whoever leaves room has reckoned with others. */
const hasRoom = ({ compare, operands }: Assertion): boolean =>
  /^([<>]=?|near)$/.test(compare) && !operands.every(o => o.is === 'name' || o.is === 'call')

const says = (source: string): string =>
  `bounds memory, threads or handles (${source.slice(0, 60)}): collectors, pools and other tests change them at any time`

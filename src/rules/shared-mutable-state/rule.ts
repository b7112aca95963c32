import type { Unit, Write } from '../../facts/facts.ts'
import { isTestCode, marked } from '../../facts/query.ts'
import { countedForAll, drawsOnCurrent } from '../../flow/state/figures.ts'
import { handedOn } from '../../flow/state/handed.ts'
import { hooksUnseen, inheritsUnseen } from '../../flow/state/leaks.ts'
import { pairsIn, spoiledTables } from '../../flow/state/shared.ts'
import { clearedOnlyBefore, outsideChanges } from '../../flow/state/statics.ts'
import { racedStatics } from '../../flow/state/raced-statics.ts'
import { defineRule, type Confidence } from '../rule.ts'
import { least, lower } from '../wording.ts'
import { words } from './words.ts'
import { countOf, GLOBAL } from './signs.ts'

export default defineRule(
  {
    id: 'shared-mutable-state',
    title: 'A test depends on state that other tests change',
    category: 'state',
    severity: 'warning',
    triggers: [],
    words,
    confirm: ['shuffle-order', 'isolate'],
    crowds: 6,
    since: '0.2.0',
  },
  function* ({ facts, textOf }) {
    const weaken = (unit: Unit, sure: Confidence): Confidence =>
      hooksUnseen(facts) ? 'low' : inheritsUnseen(facts, unit) ? lower(sure) : sure
    const told = new Set<Write>()
    for (const { shared, writer, reader, fixture } of pairsIn(facts)) {
      told.add(shared.write)
      if (fixture || !isTestCode(facts, writer.test) || marked(facts, writer.test, 'ordered')) continue
      yield {
        // What a container of tests holds, no hook of another file can reach.
        at: writer.span,
        unit: writer.test.id,
        confidence: shared.owner.role.is === 'suite' && facts.language === 'go' ? 'medium' : weaken(writer.test, 'medium'),
        message: `changes ${shared.name}, which ${reader.test.name} looks at as well: what that test finds depends on the order`,
        related: [{ span: reader.span, message: 'the other test looks at it here' }],
      }
    }
    for (const { shared, writer, reader } of spoiledTables(facts)) {
      if (told.has(shared.write) || !isTestCode(facts, writer.test) || marked(facts, writer.test, 'ordered')) continue
      yield { at: writer.span, unit: writer.test.id, confidence: hooksUnseen(facts) ? 'low' : 'medium',
        message: `changes what ${shared.name} holds, which ${reader.name} uses as well: what that test finds depends on the order`,
        related: [{ span: reader.nameSpan, message: 'the other test' }] }
    }
    for (const { shared, writer, reader } of handedOn(facts, textOf)) {
      if (told.has(shared.write) || !isTestCode(facts, writer.test) || marked(facts, writer.test, 'ordered')) continue
      yield {
        at: writer.span,
        unit: writer.test.id,
        confidence: weaken(writer.test, 'medium'),
        message: `sets ${shared.name}, which ${reader.test.name} needs and never sets: that test cannot pass by itself`,
        related: [{ span: reader.span, message: 'the other test needs it here' }],
      }
    }
    for (const change of outsideChanges(facts, textOf)) {
      if (!isTestCode(facts, change.unit)) continue
      // That a getter gives everyone the same thing is a guess by its name; that later tests look at a package's variable, too.
      const sure = change.alike
        ? 'low'
        : change.fate === 'stays' && !change.guess && change.unit.role.is === 'test' && !GLOBAL.test(change.what)
        ? 'high'
        : change.guess && change.fate !== 'stays'
        ? 'low'
        : 'medium'
      const end = change.fate === 'stays'
        ? 'and nothing puts it back: later tests find it changed'
        : 'and puts it back in the body: a failure before that leaves it changed'
      yield { at: change.span, unit: change.unit.id, confidence: least(weaken(change.unit, sure), 'medium'),
        message: `changes ${change.what}, ${end}` }
    }
    for (const { unit, span, what } of clearedOnlyBefore(facts))
      yield { at: span, unit: unit.id, confidence: weaken(unit, 'medium'),
        message: `empties ${what} before each test and not after: what the last test leaves there, others find` }
    const drawn = facts.language === 'python' ? drawsOnCurrent(facts) : undefined
    if (drawn)
      yield { at: drawn.call.span, unit: drawn.unit.id, confidence: 'medium',
        message: 'draws on the figure that happens to be the current one: an earlier test may have left its own there' }
    for (const { unit, call, what } of facts.language === 'python' ? countedForAll(facts) : [])
      yield { at: call.span, unit: unit.id, confidence: 'medium',
        message: `counts the calls of ${what}, which everything that runs in this process calls` }
    for (const { name, test, other, assertion } of racedStatics(facts))
      if (isTestCode(facts, test))
        yield { at: assertion.span, unit: test.id, confidence: 'medium',
          message: `expects an exact state of ${name}, which ${other.name} changes too: both run at the same time`,
          related: [{ span: other.nameSpan, message: 'the other test' }] }
    for (const unit of facts.units) {
      if (unit.role.is !== 'test' || !isTestCode(facts, unit)) continue
      for (const assertion of unit.assertions) {
        const counter = countOf(facts, unit, assertion)
        if (counter)
          yield { at: assertion.span, unit: unit.id, confidence: weaken(unit, counter.sure),
            message: `expects an exact state of ${counter.name}, which everything in this process adds to` }
      }
    }
  },
)

import type { Span } from '../../facts/facts.ts'
import { argumentOf, effectOf, isTestCode } from '../../facts/query.ts'
import { anyFreePort } from '../../fixes/ports.ts'
import { isAnswer } from '../../flow/answers.ts'
import { isEntered, isOnlyAdded, isParameter, isProgram, isTriedInTurn, isTriedOn, isVirtual, measures,
  somethingRuns } from '../../flow/ports/listening.ts'
import { countedPort, localPorts } from '../../flow/ports/local-ports.ts'
import { givesStandIn, isBindReplaced, isOnlySet } from '../../flow/ports/mocked-binds.ts'
import { namedPorts } from '../../flow/ports/port-names.ts'
import { takenPorts } from '../../flow/ports/port-takers.ts'
import { chosenPorts, portIn, writtenAt } from '../../flow/ports/ports.ts'
import { defineRule } from '../rule.ts'
import { words } from './words.ts'
import { BY_NAME, guess, handedOut, sentence, SURE } from './signs.ts'

export default defineRule(
  {
    id: 'fixed-port',
    title: 'A test listens on a port that it chose beforehand',
    category: 'environment',
    severity: 'warning',
    triggers: ['bind-port'],
    // A name for a port beside a number; addresses in text only where few tests have them for another reason.
    words,
    confirm: ['port-occupy', 'parallelise'],
    since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    const bound = new Set<number>()
    // What is bound in sight is bound, whatever else is replaced; who listens out of sight may be replaced.
    const nobody = (unit: number, at: Span): boolean =>
      isBindReplaced(facts.units[unit]!, view) || givesStandIn(at, facts.units[unit]!, view) || measures(facts.units[unit]!, view)
      || isVirtual(facts.units[unit]!, view) || isOnlyAdded(at, facts.units[unit]!) || isAnswer(at, facts.units[unit]!)
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || measures(unit, view)) continue
      for (const call of unit.calls) {
        const bind = effectOf(call, 'bind-port')
        const port = bind && !isParameter(call, unit) && portIn(argumentOf(call, bind), unit, view)
        if (!port) continue
        bound.add(port)
        if (isTriedOn(call, unit, view)) continue
        const kept = writtenAt(port, call.span, unit, view)
        yield { at: kept?.span ?? call.span, unit: kept?.unit ?? unit.id,
          confidence: isProgram(unit, view) || isOnlySet(call, view) ? 'low' : 'high',
          message: `listens on port ${port}: whoever holds it already makes the test fail${handedOut(port)}`,
          fixes: anyFreePort(view, unit, call, port) }
      }
    }
    const told = new Set(bound), named = new Set<number>()
    let counted = false
    for (const chosen of chosenPorts(view)) {
      if (nobody(chosen.unit, chosen.span)) continue
      counted ||= chosen.how === 'counter'
      told.add(chosen.port)
      if (isTriedInTurn(chosen.by, view)) continue
      const by = facts.units[chosen.unit]!, kept = writtenAt(chosen.port, chosen.span, by, view)
      if (!bound.has(chosen.port))
        yield { at: kept?.span ?? chosen.span, unit: kept?.unit ?? chosen.unit, confidence: isProgram(by, view)
          ? 'low'
          : chosen.sure ?? (SURE.has(chosen.how) && (by.role.is !== 'test' || somethingRuns(by, view)))
          ? 'high'
          : 'medium', message: sentence(chosen) }
    }
    // A port that is only named is told once a test.
    for (const unit of facts.units.filter(u => isTestCode(facts, u))) {
      const here = new Set<number>()
      for (const { port, span, by, sure } of takenPorts(unit, view)) {
        if (told.has(port) || here.has(port) || nobody(unit.id, span)) continue
        here.add(port)
        const kept = writtenAt(port, span, unit, view)
        yield { at: kept?.span ?? span, unit: kept?.unit ?? unit.id, confidence: isProgram(unit, view) ? 'low' : sure,
          message: `${by} is given port ${port}: whoever holds it already makes the test fail${handedOut(port)}` }
      }
      for (const guessed of namedPorts(unit, view)) {
        if ((guessed.how !== 'beside' && (told.has(guessed.port) || here.has(guessed.port))) || nobody(guessed.unit, guessed.span)
          || isTriedInTurn(guessed.by, view)) continue // One address is dialled all over a file.
        ;(guessed.how === 'dialled' ? told : here).add(guessed.port)
        yield { at: guessed.span, unit: guessed.unit,
          confidence: isProgram(unit, view) || (BY_NAME.has(guessed.how) && !somethingRuns(unit, view) && !isEntered(unit, guessed.span))
            ? 'low'
            : guessed.how === 'named' && guessed.by === 'port'
            ? 'high'
            : 'medium', message: guess(guessed) }
      }
      for (const port of here) named.add(port)
    }
    for (const { port, span, unit, visited } of localPorts(view))
      if (!told.has(port) && !named.has(port) && !nobody(unit, span))
        yield { at: span, unit,
          confidence: !visited && somethingRuns(facts.units[unit]!, view) && !isProgram(facts.units[unit]!, view) ? 'medium' : 'low',
          message: `port ${port} of the machine is written down here: whoever holds it already makes the test fail${handedOut(port)}` }
    const counter = counted ? undefined : countedPort(view)
    if (counter)
      yield { at: counter.span, unit: counter.unit, confidence: 'medium',
        message: `${counter.name} is counted up: another run on the same machine counts from there too` }
  },
)

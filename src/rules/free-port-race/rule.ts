import { has, isTestCode } from '../../facts/query.ts'
import { closedServers, drawnPort, findsPort, isAskedAgain, isOnlyCounted, isToBeDead, portsLetGo,
  triesAgain } from '../../flow/ports/free-ports.ts'
import { defineRule } from '../rule.ts'
import { words } from './words.ts'
import { FINDS, fixtureOf, isPlayed, isStandIn, isStatic, scripts } from './signs.ts'

export default defineRule(
  {
    id: 'free-port-race',
    title: 'A test looks for a free port and lets it go before it is used',
    category: 'environment',
    severity: 'warning',
    triggers: ['free-port'],
    words,
    confirm: ['parallelise', 'port-occupy'],
    crowds: 4,
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    let asked = false
    if (facts.language === 'bash') yield* scripts(view)
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      const again = isAskedAgain(unit, view)
      // A helper that looks again itself still lets go what it gives.
      for (const { asked: read, dead } of again
        ? []
        : [...portsLetGo(unit, view)].filter(p => /port|addr/i.test(unit.name) || !triesAgain(p.bind, unit, view)))
        // Only somebody who listens there at that moment does harm.
        yield dead
          ? { at: dead.span, unit: unit.id, confidence: 'low',
            message: 'counts on nobody at a port that it has let go: somebody else may have it by the time it is asked' }
          : { at: read.span, unit: unit.id, confidence: 'high',
            message: 'binds to a free port, keeps its number and closes it: somebody else may have it by the time it is bound again' }
      for (const closed of closedServers(unit))
        yield { at: closed.span, unit: unit.id, confidence: 'medium',
          message: 'closes the server to have an address that nobody answers: somebody else may have it by the time it is asked' }
      const drawn = again ? undefined : drawnPort(unit, view)
      if (drawn)
        yield { at: drawn.span, unit: unit.id, confidence: 'high',
          message: `${drawn.name} is drawn at random: now and then it is taken already` }
      const given = asked ? undefined : fixtureOf(unit, view)
      if (given) {
        asked = true
        yield { at: unit.nameSpan, unit: unit.id, confidence: 'high',
          message: `${given} was free when the fixture looked: somebody else may have it by the time it is bound` }
      }
      // The address of a stand-in: nobody binds it.
      if (isStandIn(unit)) continue
      let here = false
      for (const call of unit.calls) {
        const known = has(call, 'free-port')
        // One report for a unit; the first of a file is the surest, for they mostly have one cure.
        if (here || (!known && !(FINDS.test(call.name) && call.target === undefined && (call.resolution !== 'type' || isStatic(call))))
          || triesAgain(call, unit, view) || isOnlyCounted(call, unit) || isPlayed(call, unit)) continue
        // A command whose maker is out of sight may well keep what it gives reserved.
        const confidence = (!known && call.resolution === 'global') || isToBeDead(call, unit)
          ? 'low'
          : facts.language === 'bash' || asked
          ? 'medium'
          : 'high'
        if (confidence === 'low' && asked) continue
        here = asked = true
        yield { at: call.span, unit: unit.id, confidence,
          message: 'asks for a port that is free now: somebody else may have it by the time it is bound' }
      }
    }
    // By a wider name, and only where nothing else was seen.
    for (const unit of asked ? [] : facts.units.filter(u => isTestCode(facts, u) && !isStandIn(u))) {
      const call = unit.calls.find(c =>
        c.target === undefined && facts.language !== 'bash'
        && !(facts.language === 'java' && /^(getPort|([\w.]*\.)?[A-Z]\w*\.[A-Z]\w*)$/.test(c.name)) && findsPort(c)
        && (c.resolution !== 'type' || isStatic(c)) && !triesAgain(c, unit, view) && !isOnlyCounted(c, unit) && !isPlayed(c, unit)
      )
      if (call)
        yield { at: call.span, unit: unit.id, confidence: isToBeDead(call, unit) ? 'low' : 'medium',
          message: 'asks for a port that is free now: somebody else may have it by the time it is bound' }
    }
  },
)

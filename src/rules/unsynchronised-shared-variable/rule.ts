import { isTestCode } from '../../facts/query.ts'
import { askedInLoops, keptByListeners } from '../../flow/threads/listeners.ts'
import { fieldRaces, racesIn, type Race } from '../../flow/threads/races.ts'
import { earlySignals, writtenLate } from '../../flow/threads/signals.ts'
import { threadRaces } from '../../flow/threads/thread-races.ts'
import { defineRule, type Confidence } from '../rule.ts'
import { words } from './words.ts'

const EARLY = 'says that it is done before it is: who waits for this may look too early', AFTER = 'comes after the signal'

const COUNTED = (name: string): string => `${name} is counted with no lock in a method that several goroutines may call`

const SAYS: Readonly<Record<Race['how'], readonly [Confidence, (name: string) => string, string]>> = {
  many: ['high', name => `several threads change ${name} with no lock: some of their changes get lost`, 'started more than once here'],
  polled: ['high', name => `polls ${name}, which another thread changes with no lock`, 'changed here'],
  beside: ['medium', name => `${name} is changed here with no lock, and the test reads it without waiting`, 'read here'],
  twice: ['medium', name => `${name} is set here and in another goroutine, with no lock: either may read what the other has set`,
    'set here too'],
  'half-locked': ['medium', name => `${name} is changed without the lock that other methods of this type take`, 'used here'],
  counted: ['medium', COUNTED, 'called from elsewhere'],
  // Whether anybody calls it from another goroutine, the file does not say.
  'counted alone': ['low', COUNTED, 'counted here'],
  served: ['medium', name => `${name} is changed with no lock in a handler: the server calls it in a thread of its own`, 'used here'],
  kept: ['medium',
    name =>
      `${name} is a plain collection that callbacks fill: whoever calls them may do so from another thread than the one that reads it`,
    'filled here'],
  'set-back': ['medium', name => `${name} belongs to the whole package: what still runs in the background may read it while it is set back`,
    'set here'],
  reassigned: ['medium', name => `${name} gets a new channel while a goroutine may still use the old one by the same name`, 'used here'],
}

export default defineRule(
  {
    id: 'unsynchronised-shared-variable',
    title: 'A variable is changed in one thread and used in another with nothing that orders the two',
    category: 'state',
    severity: 'error',
    triggers: [],
    words,
    confirm: ['repeat', 'cpu-stress'],
    cap: 'medium',
    crowds: 6,
    since: '0.2.0',
  },
  function* (view) {
    const { facts, textOf } = view
    // Languages in which the compiler or a single thread forbids it have no plain variables to share.
    if (facts.language !== 'go' && facts.language !== 'java') return
    const own = facts.units.filter(u => isTestCode(facts, u))
    const races = facts.language === 'java'
      ? [...own.flatMap(u => [...threadRaces(u, view)]), ...(facts.kind === 'source' ? [] : keptByListeners(view))]
      : [...own.flatMap(u => [...racesIn(u, textOf)]), ...(facts.kind === 'source' ? [] : fieldRaces(facts))]
    const told = new Set<string>()
    for (const { write, writer, other, how } of races) {
      // A field is one thing to mend, however many methods touch it.
      const key = how.startsWith('counted') || how === 'half-locked'
        ? write.target
        : how === 'set-back'
        ? `${writer.id} ${how}`
        : `${writer.id} ${write.target}`
      if (told.has(key)) continue
      told.add(key)
      const [confidence, message, what] = SAYS[how]
      const [at, related] = how === 'polled' || how === 'set-back' ? [other, write.span] : [write.span, other]
      yield { at, unit: writer.id, confidence, message: message(write.target), related: [{ span: related, message: what }] }
    }
    for (const { unit, signal, then } of [...own.flatMap(u => [...writtenLate(u)]),
      ...(facts.language === 'java' ? earlySignals(facts) : [])])
      if (isTestCode(facts, unit))
        yield { at: signal.span, unit: unit.id, confidence: 'medium', message: EARLY, related: [{ span: then.span, message: AFTER }] }
    if (facts.language === 'go') return
    for (const { unit, span, name, loop } of askedInLoops(view))
      if (isTestCode(facts, unit))
        yield { at: span, unit: unit.id, confidence: 'medium',
          message: `${name} ends the loop of another thread and is not volatile: that thread may never see it change`,
          related: [{ span: loop, message: 'the loop' }] }
  },
)

import { isTestCode } from '../../facts/query.ts'
import { fieldRaces, racesIn, type Race } from '../../flow/races.ts'
import { threadRaces } from '../../flow/thread-races.ts'
import { defineRule, type Confidence } from '../rule.ts'

const SAYS: Readonly<Record<Race['how'], readonly [Confidence, (name: string) => string, string]>> = {
  many: ['high', name => `several threads change ${name} with no lock: some of their changes get lost`, 'started more than once here'],
  polled: ['high', name => `polls ${name}, which another thread changes with no lock`, 'changed here'],
  beside: ['medium', name => `${name} is changed here with no lock, and the test reads it without waiting`, 'read here'],
  'half-locked': ['medium', name => `${name} is changed without the lock that other methods of this type take`, 'used here'],
  counted: ['medium', name => `${name} is counted with no lock in a method that several goroutines may call`, 'goroutines are started here'],
  reassigned: ['medium', name => `${name} gets a new channel while a goroutine may still use the old one by the same name`, 'used here'],
}

export default defineRule(
  {
    id: 'unsynchronised-shared-variable', title: 'A variable is changed in one thread and used in another with nothing that orders the two', category: 'state', severity: 'error',
    triggers: [], words: { java: ['\\bnew Thread\\(', '\\.(?:submit|execute|runAsync)\\(', 'parallelStream\\(\\)|\\.parallel\\(\\)'], go: ['\\bgo\\s+\\w+\\b', 'AfterFunc\\(', '\\.Subscribe\\(', '\\.Eventually', '\\bsync\\.(?:RW)?Mutex\\b'] }, confirm: ['repeat', 'cpu-stress'], cap: 'medium', since: '0.2.0',
  },
  function* (view) {
    const { facts, textOf } = view
    // Languages in which the compiler or a single thread forbids it have no plain variables to share.
    if (facts.language !== 'go' && facts.language !== 'java') return
    const own = facts.units.filter(u => isTestCode(facts, u))
    const races = facts.language === 'java' ? own.flatMap(u => [...threadRaces(u, view)]) : [...own.flatMap(u => [...racesIn(u, textOf)]), ...(facts.kind === 'source' ? [] : fieldRaces(facts))]
    const told = new Set<string>()
    for (const { write, writer, other, how } of races) {
      // A field is one thing to mend, however many methods touch it.
      const key = how === 'counted' || how === 'half-locked' ? write.target : `${writer.id} ${write.target}`
      if (told.has(key)) continue
      told.add(key)
      const [confidence, message, what] = SAYS[how]
      const [at, related] = how === 'polled' ? [other, write.span] : [write.span, other]
      yield { at, unit: writer.id, confidence, message: message(write.target), related: [{ span: related, message: what }] }
    }
  },
)

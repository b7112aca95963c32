// Java: what a class that others call back keeps in a plain collection, and what a thread asks in its loop.

import type { Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { valuesIn, within } from '../../facts/query.ts'
import { startOf } from './background.ts'
import type { Race } from './races.ts'

interface View {
  readonly facts: FileFacts
  readonly textOf: (span: Span) => string
}

/** Types whose methods somebody else calls, from whatever thread it has at hand. */
const CALLED =
  /(Listener|Handler|Sender|MapStore|MapLoader|CacheStore|CacheWriter|Callback|Observer|Subscriber|Watcher|Appender|Notifier|Exporter|Reporter|Sink|Receiver|Interceptor|EventProcessor|ResourceAdapter|Endpoint)$/
const MADE = /^java\.util\.(ArrayList|LinkedList|HashMap|HashSet|LinkedHashMap|LinkedHashSet|TreeMap|TreeSet|ArrayDeque)\.new$/
const CHANGED = /[.](add|put|remove|addAll|putAll|merge|computeIfAbsent|push|offer|addLast|addFirst)$/

/** `class Seen implements Listener { List<Event> events = new ArrayList<>(); void on(Event e) { events.add(e) } }`. */
export function* keptByListeners({ facts, textOf }: View): Generator<Race> {
  for (const owner of facts.units) {
    if (owner.role.is !== 'suite' || !owner.params.some(p => CALLED.test(p))) continue
    const methods = facts.units.filter(u => u.parent === owner.id && u.role.is === 'helper')
    for (const write of owner.writes) {
      const made = write.value.is === 'call' ? owner.calls[write.value.call]! : undefined
      if (!made || !MADE.test(made.name) || within(owner, write.in, 'closure')) continue
      const filled = methods.flatMap(u => u.calls.filter(c => CHANGED.test(c.name) && isOf(c, write.target)).map(call => ({ u, call })))[0]
      if (filled && !/\bsynchronized\b|\.lock\(\)/.test(textOf(owner.span)))
        yield { write, writer: owner, other: filled.call.span, how: 'kept' }
    }
  }
}

export const isOf = ({ receiver }: Call, name: string): boolean =>
  receiver?.is === 'name' && receiver.path.replace(/^this\./, '') === name.replace(/^this\./, '')

/** `private boolean stopped; public void run() { while (!stopped) … }`: without volatile the thread may never see it change. */
export function* askedInLoops(
  { facts, textOf }: View,
): Generator<{ readonly unit: Unit; readonly span: Span; readonly name: string; readonly loop: Span }> {
  const told = new Set<string>()
  for (const unit of facts.units)
    for (const [at, region] of unit.regions.entries()) {
      if (region.kind !== 'loop' || !region.condition || !(unit.name === 'run' || startOf(unit, at) !== undefined)) continue
      const name = [...valuesIn(region.condition, unit)].flatMap(
        v => (v.is === 'name' && /^(this\.)?[a-z]\w*$/.test(v.path) ? [v.path.replace(/^this\./, '')] : []),
      ).find(n => !told.has(n) && isSetElsewhere(facts, unit, n))
      const file = facts.units[0]!.span
      const declared = name === undefined
        ? null
        : new RegExp(`\\n[ \\t]*((?:(?:private|protected|public|static)\\s+)*boolean\\s+${name}\\s*[;=])`).exec(textOf(file))
      if (!name || !declared || /\bsynchronized\b|\.lock\(\)/.test(textOf(region.span))) continue
      told.add(name)
      const start = file.start + declared.index + declared[0].length - declared[1]!.length
      yield { unit, span: { start, end: start + declared[1]!.length }, name, loop: region.span }
    }
}

const isSetElsewhere = ({ units }: FileFacts, unit: Unit, name: string): boolean =>
  !unit.writes.some(w => w.declares && w.target === name)
  && units.some(u => u !== unit && u.role.is !== 'suite' && u.writes.some(w => !w.declares && w.target.replace(/^this\./, '') === name))

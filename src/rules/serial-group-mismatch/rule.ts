import type { Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { ancestors, cured, has, isTestCode, runsIn } from '../../facts/query.ts'
import { parallelFor } from '../../project/project.ts'
import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'serial-group-mismatch',
    title: 'Tests that change the same thing are kept apart by different keys',
    category: 'state',
    severity: 'error',
    triggers: [],
    parallel: true,
    words: { rust: ['\\bserial\\s*(?:\\(|\\])'], java: ['@ResourceLocks?\\('] },
    confirm: ['parallelise'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* ({ facts, project }) {
    if (!parallelFor(project, facts.language, facts.path).on) return
    const first = new Map<string, Guarded>()
    for (const unit of facts.units) {
      if (unit.role.is !== 'test' || !isTestCode(facts, unit)) continue
      const guard = guardOf(facts, unit)
      if (!guard) continue
      for (const resource of resourcesOf(unit)) {
        const other = first.get(resource)
        if (!other) first.set(resource, guard)
        else if (!other.keys.some(k => guard.keys.includes(k)) && ![...other.keys, ...guard.keys].some(isConstant)) {
          yield {
            at: guard.span,
            unit: unit.id,
            confidence: 'high',
            message: `is kept apart by ${spell(guard)}, but ${other.unit.title}, which changes ${resource} too, by ${
              spell(other)
            }: they still run at the same time`,
            related: [{ span: other.span, message: 'the other key' }],
          }
          break
        }
      }
    }
  },
)

interface Guarded {
  readonly unit: Unit
  readonly span: Span
  readonly keys: readonly string[]
}

const LOCK = 'a lock'
const spell = ({ keys }: Guarded): string =>
  keys[0] === LOCK ? LOCK : keys.every(k => k === '') ? 'the default key' : keys.map(k => `"${k}"`).join(' and ')

/** The names that JUnit gives to the keys it knows. */
const KNOWN: Readonly<Record<string, string>> = {
  SYSTEM_PROPERTIES: 'java.lang.System.properties',
  SYSTEM_OUT: 'java.lang.System.out',
  SYSTEM_ERR: 'java.lang.System.err',
  LOCALE: 'java.util.Locale.default',
  TIME_ZONE: 'java.util.TimeZone.default',
}
const keyOf = (key: string): string => KNOWN[key.replace(/^.*\./, '')] ?? key
/** A name for a text that stands elsewhere: it may be any. */
const isConstant = (key: string): boolean => /^(\w+\.)*[A-Z][A-Z\d_]+$/.test(key)

/** What keeps a test apart: the keys of its own markers, else those around it; a lock where it has none. */
function guardOf(facts: FileFacts, unit: Unit): Guarded | undefined {
  for (let at: Unit | undefined = unit; at; at = at.parent === null ? undefined : facts.units[at.parent]) {
    const markers = at.markers.filter(m => m.is === 'serial')
    // Isolated from everything: no key to mismatch.
    if (markers.some(m => /Isolated|NotThreadSafe|Execution$/.test(m.name))) return undefined
    // JUnit runs all of a class that holds a lock in one thread.
    const ofClass = ancestors(facts, unit).some(a => a.markers.some(m => m.is === 'serial'))
    if (facts.language === 'java' && (ofClass || markers.some(m => m.key === undefined))) return undefined
    if (markers.length > 0)
      return { unit, span: markers[0]!.span, keys: markers.flatMap(m =>
        (m.key ?? '').split(',').map(k => keyOf(k.trim().replace(/^["']|["']$/g, '')))
      ) }
  }
  return cured(facts, unit, 'serialise') ? { unit, span: unit.nameSpan, keys: [LOCK] } : undefined
}

/** The process-wide things that a test changes; a variable of the environment by its name. */
function resourcesOf(unit: Unit): string[] {
  const calls = unit.calls.filter(c => runsIn(unit, c.in) === 'inline' && !has(c, 'restore'))
  const variable = (
    c: Call,
  ) => (c.args[0]?.is === 'literal' && typeof c.args[0].value === 'string'
    ? [c.args[0].value]
    : c.args[0]?.is === 'name'
    ? [c.args[0].path]
    : [])
  return [...calls.filter(c => has(c, 'env-write')).flatMap(variable),
    ...(calls.some(c => has(c, 'cwd-write')) ? ['the working directory'] : [])]
}

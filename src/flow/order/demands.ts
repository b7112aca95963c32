// Things without a promised order, followed to where a test expects one: the rules of order share one walk.

import type { Assertion, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { isTestCode } from '../../facts/query.ts'
import { type Expected, type OrderKind } from './disorder.ts'
import { expectationsOf } from './expected.ts'
import { valuesOf } from './values.ts'

const MAKES_HASHED = /^java\.util\.(Hash(Map|Set)\.new|(Map|Set)\.of(Entries)?)$|(^|[.])(Maps|Sets)\.newHash(Map|Set)$/

/** An assertion, and what it expects. */
export interface Demand {
  readonly unit: Unit
  readonly assertion: Assertion
  readonly found: Expected
  /** Where it is to be put in order: at its source, a query or a helper that lists; else where it is compared. */
  readonly at: Span
  readonly in: number
  readonly atSource: boolean
}

const walked = new WeakMap<FileFacts, readonly Demand[]>()

/** Every assertion of a file's test code that expects an order of something that has none; the rules of order share one walk. */
export function demandsIn(file: FileFacts, kind: OrderKind): Demand[] {
  const known = walked.get(file) ?? walk(file)
  walked.set(file, known)
  return known.filter(e => e.found.kind === kind)
}

function walk(file: FileFacts): Demand[] {
  const expected = expectationsOf(file, valuesOf(file))
  const demands = file.units.filter(u => u.assertions.length > 0 && isTestCode(file, u)).flatMap(unit =>
    unit.assertions.flatMap((assertion): Demand[] => {
      const found = expected(unit, assertion)
      if (!found) return []
      const own = found.unit === unit.id
      const atSource = isTestCode(file, file.units[found.unit]!)
        && (found.kind === 'rows'
          ? own || found.helper === true
          : found.kind === 'fs-order'
          ? !own && found.helper === true
          // A map that the test itself makes to have its text compared: another map is the cure.
          : own && found.form === 'text' && MAKES_HASHED.test(found.origin.name)
            && (!/\.new$/.test(found.origin.name) || found.origin.args.every(a => a.is === 'literal')))
      return [{ unit, assertion, found, atSource, at: atSource ? found.origin.span : assertion.span, in: atSource ? found.unit : unit.id }]
    })
  )
  // What one query or helper gives is one matter, however many assertions count on it.
  return demands.filter((d, i) => !d.atSource || demands.findIndex(o => o.atSource && o.found.origin === d.found.origin) === i)
}

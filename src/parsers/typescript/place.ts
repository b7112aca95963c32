// Where the extractor stands: the unit it fills in, the region it is in, the scope it sees.

import type { Role, Span, Value } from '../../facts/facts.ts'
import { addRegion, draft, type Draft } from '../build.ts'
import { child, type Binding, type Env, type File } from './names.ts'
import { givesPromise, namesOf, spanOf, type Node } from './syntax.ts'

/** Loops, switches and try bodies around the current statement, innermost first. */
export interface Frame {
  readonly is: 'loop' | 'switch' | 'try'
  /** loop: it ends by itself. */
  readonly counted?: boolean
  left: boolean
  readonly outer: Frame | null
}

export interface Place {
  readonly file: File
  readonly unit: Draft
  readonly region: number
  readonly env: Env
  /** What the function around returns. */
  readonly returns: Value[]
  readonly frame: Frame | null
  /** The text of the `if` around, for skips that hang on it. */
  readonly condition: string | null
  /** The class or object whose methods are being read. */
  readonly owner: string | null
}

export const inside = (place: Place, changes: Partial<Place>): Place => ({ ...place, ...changes })

export function beginUnit(place: Place, of: { role: Role; name: string; title?: string; span: Span; nameSpan?: Span }): Place {
  const unit = draft(place.file.units, { ...of, parent: place.unit.id })
  return { file: place.file, unit, region: 0, env: child(place.env), returns: unit.returns, frame: null, condition: null,
    owner: place.owner }
}

/** A region for an anonymous function; `returns` collects what it gives back. */
export function beginClosure(place: Place, fn: Node): Place {
  const region = addRegion(place.unit, { kind: 'closure', in: place.region, span: spanOf(fn), ...(givesPromise(fn) && { async: true }) })
  return { ...place, region, env: child(place.env), returns: [], frame: null }
}

export function declare(names: readonly string[], env: Env, binding: Binding): void {
  for (const name of names) env.names.set(name, { ...binding })
}

export const paramsOf = (fn: Node): string[] => (fn['params'] as Node[] ?? []).flatMap(p => namesOf(p)).filter(name => name !== 'this')

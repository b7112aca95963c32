// What the trace keeps of a file: who calls what, by which name, where. Plain data, so that workers can give it.

import type { FileFacts, Language, Resolution, Role, Span, Unit } from '../facts/facts.ts'

export interface CallLink {
  readonly name: string
  readonly resolution: Resolution
  readonly at: Span
  /** The unit of the same file that it reaches, where known. */
  readonly target?: number
}

export interface UnitLink {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly role: Role
  readonly parent: number | null
  readonly params: readonly string[]
  /** A fixture that works without being named. */
  readonly autouse: boolean
  readonly isFixture: boolean
  readonly at: Span
  readonly calls: readonly CallLink[]
}

export interface FileLinks {
  readonly path: string
  readonly language: Language
  readonly imports: readonly string[]
  readonly units: readonly UnitLink[]
}

export const linksOf = (facts: FileFacts): FileLinks => ({
  path: facts.path,
  language: facts.language,
  imports: [...new Set(facts.imports.map(i => i.name))],
  units: facts.units.map(unitLink),
})

function unitLink(unit: Unit): UnitLink {
  const fixture = unit.markers.find(m => m.name === 'pytest.fixture')
  return {
    id: unit.id,
    name: unit.name,
    title: unit.title,
    role: unit.role,
    parent: unit.parent,
    params: unit.params,
    at: unit.nameSpan,
    isFixture: fixture !== undefined,
    autouse: /autouse\s*=\s*True/.test(fixture?.key ?? ''),
    calls: unit.calls.map(c => ({ name: c.name, resolution: c.resolution, at: c.nameSpan,
      ...(c.target !== undefined && { target: c.target }) })
    ),
  }
}

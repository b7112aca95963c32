// Changes of the process that a framework makes and undoes: the environment and the working directory, set through the test
// rather than around it.

import type { Language, Span, Unit } from '../facts/facts.ts'
import { ancestors } from '../facts/query.ts'
import type { Change } from '../flow/state/leaks.ts'
import type { Edit, Fix } from '../rules/rule.ts'
import { bracketsAfter, fix, insert, isStatement, removeLines, replace, type Sheet } from './edits.ts'
import { unusedImport } from './imports.ts'

type Kind = 'environment' | 'directory'

interface Restorer {
  /** What the test calls the thing that undoes, and the edits that give it to the test; none where it cannot have it. */
  readonly handle: (sheet: Sheet, unit: Unit) => { readonly name: string; readonly edits: readonly Edit[] } | undefined
  /** The module that was called before. */
  readonly module: string
  readonly set: Readonly<
    Record<Kind,
      { readonly title: string; readonly safe: boolean; readonly edit: (sheet: Sheet, change: Change, handle: string) => Edit | undefined }>
  >
  /** The statement by which a test takes a variable away again, its name as the first group. */
  readonly unset: RegExp
}

/** A changed call: `os.Setenv(k, v)`, whose result nobody looks at. */
function recall(from: string, to: string) {
  return ({ textOf }: Sheet, { call }: Change, handle: string): Edit | undefined => {
    const text = call && call.result === 'discarded' ? textOf(call.span) : ''
    return call && text.startsWith(`${from}(`)
      ? replace({ start: call.span.start, end: call.span.start + from.length }, `${handle}.${to}`)
      : undefined
  }
}

const PYTEST: Restorer = {
  module: 'os',
  handle: pytestFixture,
  unset: /^[ \t]*del os\.environ\[([^\]\n]+)\][ \t]*$/gm,
  set: {
    environment: { title: 'Set it through monkeypatch, which puts it back', safe: true, edit: setItem },
    directory: { title: 'Change it through monkeypatch, which puts it back', safe: true, edit: recall('os.chdir', 'chdir') },
  },
}

const TESTING: Restorer = {
  module: 'os',
  handle: testingT,
  unset: /^[ \t]*(?:defer )?os\.Unsetenv\(([^()\n]+)\)[ \t]*$/gm,
  set: {
    environment: { title: 'Set it through the test, which puts it back', safe: true, edit: recall('os.Setenv', 'Setenv') },
    // Only Go 1.24 and later has it.
    directory: { title: 'Change it through the test, which puts it back (Go 1.24)', safe: false, edit: recall('os.Chdir', 'Chdir') },
  },
}

const RESTORERS: Readonly<Partial<Record<Language, Restorer>>> = { python: PYTEST, go: TESTING }

/** All changes of a unit go through what undoes them, or none does. */
export function restoreThroughTest(sheet: Sheet, unit: Unit, kind: Kind, changes: readonly Change[]): Fix[] {
  const restorer = RESTORERS[sheet.facts.language]
  const handle = restorer?.handle(sheet, unit)
  if (!restorer || !handle || changes.some(c => c.through !== undefined || c.unit !== unit || !isStatement(sheet, c.span))) return []
  const { title, safe, edit } = restorer.set[kind]
  const made = changes.map(c => edit(sheet, c, handle.name))
  const undone = kind === 'environment' ? takenAway(sheet, unit, restorer.unset, changes) : []
  const gone = [...changes.map(c => c.span), ...undone.map(e => e.span)]
  return fix(title, safe, [...handle.edits, ...made, ...undone, ...unusedImport(sheet, restorer.module, gone)])
}

/** Statements that take the same variable away when the test is over, or as the last thing it does: the framework does it now. */
function takenAway(sheet: Sheet, unit: Unit, unset: RegExp, changes: readonly Change[]): Edit[] {
  const set = changes.map(c => sheet.textOf(c.span))
  const found = [...sheet.textOf(unit.span).matchAll(unset)].flatMap(m => {
    const start = unit.span.start + m.index + /^[ \t]*/.exec(m[0])![0].length
    const same = set.some(s => s.includes(`(${m[1]!.trim()},`) || s.includes(`[${m[1]!.trim()}]`))
    return same
      ? [{ span: { start, end: unit.span.start + m.index + m[0].trimEnd().length }, deferred: m[0].trimStart().startsWith('defer') }]
      : []
  })
  const isOne = ({ start, end }: Span) => found.some(f => start >= f.span.start && end <= f.span.end)
  const last = Math.max(0, ...[...unit.calls, ...unit.assertions].filter(x => !isOne(x.span)).map(x => x.span.end))
  return found.filter(f => f.deferred || f.span.start >= last).flatMap(f => removeLines(sheet, f.span) ?? [])
}

/** `os.environ["K"] = v` → `monkeypatch.setenv("K", v)`. */
function setItem({ textOf }: Sheet, { write }: Change, handle: string): Edit | undefined {
  const parts = write && !write.adds ? /^os\.environ\[([^[\]\n]+)\]\s*=\s*(?!=)([^\n]+)$/.exec(textOf(write.span)) : null
  return write && parts ? replace(write.span, `${handle}.setenv(${parts[1]!.trim()}, ${parts[2]!.trim()})`) : undefined
}

/** A function that pytest calls takes the fixture as a parameter; methods of a TestCase and wider fixtures cannot. */
function pytestFixture(sheet: Sheet, unit: Unit): { name: string; edits: Edit[] } | undefined {
  const name = 'monkeypatch'
  if (unit.params.includes(name)) return { name, edits: [] }
  const fixture = unit.markers.find(m => m.name === 'pytest.fixture')
  if (unit.role.is !== 'test' && (!fixture || /scope/.test(fixture.key ?? ''))) return undefined
  if (ancestors(sheet.facts, unit).some(u => u.role.is === 'suite' && u.params.some(base => base !== 'object'))) return undefined
  const list = bracketsAfter(sheet, unit.nameSpan.end)
  if (!list || sheet.textOf({ start: unit.nameSpan.end, end: list.start }).trim() !== '') return undefined
  const given = sheet.textOf({ start: list.start + 1, end: list.end - 1 })
  if (/[=*#]/.test(given)) return undefined
  const end = list.start + 1 + given.trimEnd().length
  return { name, edits: [insert(end, given.trim() === '' ? name : given.trimEnd().endsWith(',') ? ` ${name}` : `, ${name}`)] }
}

/** The test's own `t`; in one that runs beside others it would panic. */
export function testingT({ facts, textOf }: Sheet, unit: Unit): { name: string; edits: Edit[] } | undefined {
  const own = /^[^{]{0,120}?\(\s*(\w+)\s+\*?testing\.(?:T|TB|B)\b/.exec(textOf({ start: unit.nameSpan.end, end: unit.nameSpan.end + 200 }))
  const beside = [unit, ...ancestors(facts, unit)].some(u => u.role.is === 'test' && /\.Parallel\(\)/.test(textOf(u.span)))
  return own && !beside && unit.role.is === 'test' ? { name: own[1]!, edits: [] } : undefined
}

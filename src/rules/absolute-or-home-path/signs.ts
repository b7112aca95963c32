import type { Call, Span, Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { argumentOf, curedOutside, effectOf, has, inForce } from '../../facts/query.ts'
import { readFrom } from '../../flow/machine/reads.ts'
import { rootOf } from '../../flow/machine/roots.ts'
import { type Confidence, type FileView } from '../rule.ts'
import { least, confidenceOf } from '../wording.ts'

/** Somebody's own folder on somebody's machine; those of build agents and images are the same everywhere. */
const SOMEBODYS =
  /^(file:\/\/)?(\/home\/(?!runner|circleci|vsts|node|user\/|travis)[\w.-]+\/|\/Users\/(?!runner|Shared)[\w.-]+\/|[A-Za-z]:[\\/]Users[\\/](?!Public)[\w.-]+[\\/])./
/** What belongs to the machine: not every account may write there, and every run of every account finds what is left. */
const SYSTEM =
  /^(\/(etc|usr|opt|srv|root|var\/(lib|log|run|cache|spool))\/|[A-Za-z]:[\\/](Program Files( \(x86\))?|ProgramData|Windows)[\\/])./

const HOME = 'the home'

/** The path that a call works on, and whether it leaves something there. */
export function usedBy(call: Call, unit: Unit, view: FileView): { path: Value | undefined; writes: boolean } | undefined {
  const effect = effectOf(call, 'name-resource'), read = readFrom(call)
  if (effect?.what !== 'file') return read && { path: read, writes: false }
  if (!/(^|\.)(open|ZipFile)$/.test(call.name)) return { path: argumentOf(call, effect), writes: true }
  const mode = fold(call.named['mode'] ?? call.args[1], unit, view.folding)
  return { path: argumentOf(call, effect), writes: typeof mode === 'string' && /^[bt]*[wax]/.test(mode) }
}

export function placeIn(value: Value | undefined, writes: boolean, unit: Unit, view: FileView): string | undefined {
  const root = rootOf(value, unit, view)
  if (root?.is !== 'text') return root?.is === 'home' ? HOME : undefined
  return SOMEBODYS.test(root.text) || (writes && SYSTEM.test(root.text)) ? root.text : /^~\//.test(root.text) ? HOME : undefined
}

export const messageFor = (where: string, writes: boolean): string =>
  where === HOME && writes
    ? 'writes into the home of whoever runs the test: it finds what is there and leaves what it made'
    : where === HOME
    ? 'reads from the home of whoever runs the test: every account has something else there'
    : SYSTEM.test(where)
    ? `writes to ${where}, which belongs to the machine: not every account may, and every other run finds it`
    : `depends on ${where}: other machines have no such folder`

export const sureness = (where: string, call: Call, view: FileView): Confidence =>
  isServed(where, view) || SYSTEM.test(where) || readsOthers(view) ? 'low' : least(confidenceOf(call), where === HOME ? 'medium' : 'high')

/** `Path("~/shop")`, `filename = "~/shop"`: a name of the test's own below the home. */
export function inHome(unit: Unit): Span | undefined {
  const isTilde = (v: Value) => v.is === 'literal' && typeof v.value === 'string' && /^~\/[\w-]{3,}(\.\w+)?$/.test(v.value)
  return unit.writes.find(w => isTilde(w.value) && /file|path|dir|folder/i.test(w.target))?.span
    ?? unit.calls.find(c =>
      /path|expand|open|file|dir|folder/i.test(c.name) && !/assert|expect|equal|pars|abbrev|shorten|collaps|mock/i.test(c.name)
      && c.args.some(isTilde)
    )?.span
}

/** The account of a program that the tests run: whoever installs it makes the folder. */
function isServed(where: string, { facts }: FileView): boolean {
  const account = /^\/home\/([\w.-]+)\//.exec(where)?.[1]
  return account !== undefined && facts.units.some(u =>
    u.calls.some(c =>
      c.name === account
      || (c.name === 'chown' && c.args.some(a => a.is === 'literal' && String(a.value).split(':')[0] === account))
    )
  )
}

/** `. ./test-lib.sh`: what a script reads in may give it a home of its own. */
const readsOthers = ({ facts }: FileView): boolean =>
  facts.language === 'bash' && facts.units.some(u => u.calls.some(c => /^(\.|source|load|bats_load_library)$/.test(c.name.split(' ')[0]!)))

const VARIABLE = /^(HOME|USERPROFILE|XDG_\w+|user\.home)$/
/** `mock.patch("pathlib.Path.home")`, `vi.spyOn(os, 'homedir')`, `jest.mock('os')`: the question for the home has another answer. */
const QUESTION = /(^|[.:])(homedir|home|expanduser|userInfo|UserHomeDir|home_dir)$|^(node:)?os$/

/** The test sets a home of its own, here or in what is in force around it. */
export const ownsHome = (unit: Unit, view: FileView): boolean =>
  curedOutside(view.facts, 'home')
  || [unit, ...inForce(view.facts, unit)].some(u =>
    u.writes.some(w => /(^|[.[])["']?HOME\b/.test(w.target))
    || u.calls.some(c =>
      (has(c, 'env-write', 'restore') && c.args.some(a => a.is === 'literal' && VARIABLE.test(String(a.value))))
      || (has(c, 'mock', 'stub', 'restore') && c.args.some(a => a.is === 'literal' && QUESTION.test(String(a.value))))
    )
  )

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { has, isInSpan, valuesIn, writeAround } from '../../facts/query.ts'
import { pathOf, TEMP_ROOTS as ROOTS } from '../../flow/machine/paths.ts'
import { scratchFolders } from '../../flow/machine/scratch.ts'
import { type TempName } from '../../flow/machine/temp-names.ts'
import { parallelFor } from '../../project/project.ts'
import { type FileView, type Report } from '../rule.ts'

export const TEMP = /^(file:)?(\/tmp\/|\/var\/tmp\/|\/dev\/shm\/|[A-Za-z]:\\(Windows\\)?Temp\\)./i

export const SHARED = ['/tmp/', '/dev/shm/', '\\\\Temp\\\\']

/** The shared folder itself under a name for a place, and a socket that lies wherever one stands. */
export const ROOT = '["\'](?:file:(?://)?)?/(?:var/)?tmp/?["\']', SOCKET = '["\']unix:(?://)?[\\w.-]+["\']'

export const message = (path: string): string => `writes to ${path}: another run or test on the same machine does too`

export const isRoot = (call: Call, unit: Unit, view: FileView): boolean =>
  ROOTS.test(call.name) || (/System\.getProperty$/.test(call.name) && fold(call.args[0], unit, view.folding) === 'java.io.tmpdir')

/** Where the path itself is written down, in the test or around it: that is the line to mend. */
export function placed(path: string, report: Report, unit: Unit, { facts, folding }: FileView): Report {
  const isPart = (v: Value) =>
    v.is === 'literal' && typeof v.value === 'string' && TEMP.test(v.value) && (path === v.value || path.startsWith(`${v.value}/`))
  const write = writeAround(facts, unit, (w, u) => [...valuesIn(w.value, u)].some(isPart) || pathOf(w.value, u, folding) === path)
  return write && !isInSpan(report.at, write.span)
    ? { ...report, at: write.span, related: [...(report.related ?? []), { span: report.at, message: 'and is used here' }] }
    : report
}

/** What a file or class keeps, its functions use. */
export const users = (unit: Unit, { facts }: FileView): readonly Unit[] =>
  unit.role.is === 'module' || unit.role.is === 'suite' ? facts.units : [unit]

export const isCompared = (name: string, unit: Unit): boolean => {
  const uses = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path === name)
  return !unit.calls.some(c =>
    [...c.args, ...Object.values(c.named), ...(c.receiver ? [c.receiver] : [])].some(uses) && !/assert|expect|equal|join/i.test(c.name)
  )
}

/** `mkdtempSync(prefix)`: what is made gets a name of its own. */
export const isPrefix = (name: string, unit: Unit, view: FileView): boolean =>
  users(unit, view).some(u =>
    u.calls.some(c => has(c, 'temp-dir') && [...c.args, ...Object.values(c.named)].some(a => a.is === 'name' && a.path === name))
  )

export const SAYS: Readonly<Record<TempName['how'], (path: string) => string>> = {
  handed: path => `hands on ${path}: another run or test on the same machine does too`,
  given: path => `gives ${path} to whoever asks: another run or test on the same machine uses it too`,
  gone: path => `${path} keeps the name of a folder that is gone with this statement: the next one may get it`,
  asked: path => `${path} gives a name that nobody has now and makes nothing there: somebody else may have it by the time it is made`,
  shared: path => `works in ${path} itself: another run or test on the same machine does too`,
}

/** What a file must hold for a folder of the working directory to be emptied in it. */
export const EMPTIES =
  '\\b(?:rimraf|remove|removeSync|rmSync|rmdirSync|empty[dD]ir(?:Sync)?|ensureEmptyFolder|del(?:eteSync)?|rm)(?:\\.sync)?\\('

/** A folder where the runner was started, which the tests of this file empty and fill: those of the next file may have the same. */
export function* emptied(unit: Unit, view: FileView): Generator<[string, Report]> {
  for (const { path, call } of scratchFolders(unit, view))
    yield [path, { at: call.span, unit: unit.id, confidence: ANYBODYS.test(path) && runsBeside(view) ? 'medium' : 'low',
      message: `empties ${path} in the working directory, which the tests fill: a test file that runs beside this one may use it too` }]
}

/** `temp/orders`, not `temp/orders-7`: who has thought of a name of its own keeps apart from the others. */
const ANYBODYS = /(^|\/)[a-z]+$/i

/** jest, vitest and ava run test files side by side; where no configuration says so, the file shows that it is for one of them. */
const runsBeside = ({ facts, project }: FileView): boolean =>
  facts.language === 'typescript'
  && (parallelFor(project, facts.language, facts.path).scope === 'processes'
    || (!project.statements?.some(s => s.language === facts.language)
      && (facts.imports.some(i => /^(vitest|ava|@jest\/globals)\b/.test(i.name))
        || facts.units.some(u => u.assertions.some(a => a.compare === 'snapshot') || u.calls.some(c => /^(jest|vi)\./.test(c.name))))))

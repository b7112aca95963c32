import type { Unit } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { argumentOf, effectOf, has, isTestCode } from '../../facts/query.ts'
import { fixedPath, pathOf, TEMP_ROOTS as ROOTS } from '../../flow/machine/paths.ts'
import { isMissing, isParent, tempNames } from '../../flow/machine/temp-names.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { confidenceOf, lower } from '../wording.ts'
import { emptied, EMPTIES, isCompared, isPrefix, isRoot, message, placed, ROOT, SAYS, SHARED, SOCKET, TEMP, users } from './signs.ts'

export default defineRule(
  {
    id: 'fixed-temp-path',
    title: 'A test writes to a fixed place in the shared temporary folder',
    category: 'environment',
    severity: 'warning',
    triggers: [],
    words: {
      python: [...SHARED, ROOT, SOCKET, '\\bmktemp\\(', '\\brmtree\\(', 'gettempdir', 'dir=["\']/tmp'],
      typescript: [...SHARED, ROOT, SOCKET, EMPTIES, 'tmpName', 'tmpdir\\('],
      java: [...SHARED, ROOT, SOCKET, '\\b(?:delete|clean)Directory\\(', 'java\\.io\\.tmpdir', 'getTempDirectory'],
      go: [...SHARED, ROOT, SOCKET, 'TempDir\\('],
      rust: [...SHARED, ROOT, SOCKET, 'temp_dir\\(', 'tempdir\\(\\)\\.unwrap\\(\\)\\.path', 'TempDir::new\\(\\)\\.unwrap\\(\\)\\.path'],
      bash: [...SHARED, 'mktemp[^\\n]* -\\w*u', 'BATS_TMPDIR', '\\$\\{?TMPDIR\\b'],
    },
    confirm: ['parallelise', 'tmp-move'],
    since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    // One report for a path and all below it, and one for a place that names several: the cure is in one place.
    const told = new Set<string>(), places = new Set<number>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const [path, found] of [written, kept, inRoot, handedOn, emptied].flatMap(finds => [...finds(unit, view)])) {
        if ([...told].some(t => path === t || path.startsWith(`${t}/`))) continue
        told.add(path)
        const report = placed(path, found, unit, view)
        if (!places.has(report.at.start)) yield report
        places.add(report.at.start)
      }
    }
  },
)

function* written(unit: Unit, view: FileView): Generator<[string, Report]> {
  for (const call of unit.calls) {
    const effect = effectOf(call, 'name-resource')
    const path = effect && fixedPath(argumentOf(call, effect), unit, view, TEMP)
    // What a script or a program beside the tests writes harmed nobody, mostly.
    if (path)
      yield [path, { at: call.span, unit: unit.id,
        confidence: isMissing(path) ? 'low' : unit.role.is === 'test' ? confidenceOf(call) : lower(confidenceOf(call)),
        message: message(path) }]
  }
}

/** A name below the temporary folder itself, kept to be used: nobody asks for the folder to compare it. */
function* kept(unit: Unit, view: FileView): Generator<[string, Report]> {
  for (const write of unit.writes) {
    const root = unit.calls.find(c => c.span.start >= write.span.start && c.span.end <= write.span.end && isRoot(c, unit, view))
    const path = root ? pathOf(write.value, unit, view.folding) : undefined
    // A prefix, for whoever makes a folder of its own below it.
    if (!root || !path || path.includes('…') || /[-_.]$/.test(path) || !TEMP.test(path) || users(unit, view).every(u =>
      isCompared(write.target, u)
    ) || isPrefix(write.target, unit, view)) continue
    yield [path, { at: write.span, unit: unit.id,
      confidence: isMissing(path, write.target) ? 'low' : root.name.includes('FileUtils') ? 'medium' : 'high',
      message: `${write.target} is ${path}: another run or test on the same machine uses it too` }]
  }
}

/**
 * A folder of the test's own, but made where nobody can move it: `mkdtemp(dir="/tmp")`. Or the shared folder itself, as somebody's root or
 * asked for by its property.
 */
function* inRoot(unit: Unit, view: FileView): Generator<[string, Report]> {
  for (const call of unit.calls) {
    if (/System\.getProperty$/.test(call.name) && isRoot(call, unit, view) && !isParent(call, unit, view))
      yield [`asked ${unit.id}`, { at: call.span, unit: unit.id, confidence: 'medium',
        message: 'works in the temporary folder that all share: another run or test on the same machine does too' }]
    const dir = has(call, 'temp-dir') && call.named.dir ? fold(call.named.dir, unit, view.folding) : undefined
    if (typeof dir === 'string' && /^\/(var\/)?tmp\/?$/.test(dir))
      yield [`${dir} ${call.span.start}`, { at: call.span, unit: unit.id, confidence: 'medium',
        message: `makes its folder in ${dir} whatever TMPDIR says: where that is full, shared or mounted otherwise the test fails` }]
    const root = unit.calls.find(c => ROOTS.test(c.name) && c.span.start > call.nameSpan.end && c.span.end < call.span.end)
    if (root && /[sS]et_?[uU]p|[rR]oot|[wW]ork_?[dD]ir|[dD]ata_?[dD]ir|[sS]tate_?[dD]ir/.test(call.name)
      && call.args.some(a => fold(a, unit, view.folding) === '/tmp'))
      yield [`root ${call.span.start}`, { at: call.span, unit: unit.id, confidence: 'high',
        message: `gives the shared temporary folder itself to ${
          call.name.slice(call.name.lastIndexOf('.') + 1)
        }: every run on the machine works in it` }]
  }
}

/** What somebody else is given: nobody sees here that it is written to. */
function* handedOn(unit: Unit, view: FileView): Generator<[string, Report]> {
  for (const { path, span, how } of tempNames(unit, view))
    yield [path, { at: span, unit: unit.id, confidence: isMissing(path) ? 'low' : 'medium', message: SAYS[how](path) }]
}

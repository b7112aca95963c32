import type { Span } from '../../facts/facts.ts'
import { addName, callInHook, rename } from '../../fixes/sequence.ts'
import type { BatsSuite } from '../../project/project.ts'
import { defineRule, type FileView, type Fix, type Report } from '../rule.ts'
import { called, hook, SEQUENTIAL, split, text } from './signs.ts'

export default defineRule(
  {
    id: 'bats-sequential-contract',
    title: 'A numbered BATS file does not keep the contract of the sequence it belongs to',
    category: 'order',
    severity: 'error',
    triggers: [],
    paths: /(^|\/)\d\d-[^/]*\.bats$/,
    confirm: ['shuffle-order', 'isolate'],
    since: '0.1.0',
  },
  function* (view) {
    const { facts, project } = view
    const [folder, name] = split(facts.path)
    const suite = project.bats[folder]
    if (!suite?.contract || !SEQUENTIAL.test(name)) return
    const own = name.slice(0, -'.bats'.length)
    yield* setUp(view, own, suite)
    yield* environment(view, suite)
    yield* completion(view, own, suite)
  },
)
const report = (at: Span, unit: number, message: string, fixes: readonly Fix[] = [], confidence: 'high' | 'medium' = 'high'): Report => ({
  at,
  unit,
  message,
  confidence,
  fixes,
})

function* setUp(view: FileView, own: string, { contract, files }: BatsSuite): Generator<Report> {
  const { facts } = view
  // 00- files check the suite itself and build nothing that a later one needs.
  const previous = files.filter(f => SEQUENTIAL.test(f) && !f.startsWith('00') && f < `${own}.bats`).sort().at(-1)?.slice(0,
    -'.bats'.length)
  const found = called(facts, 'setup_file', contract!.setup)
  if (!('call' in found))
    return yield report(found.at, found.unit, `does not call ${contract!.setup} in setup_file: the sequence does not know that it runs`,
      previous ? callInHook(view, 'setup_file', hook(facts, 'setup_file'), `${contract!.setup} "${own}" "${previous}"`) : [])
  const { call, unit } = found
  const [name, ...before] = call.args.map(text)
  if (name !== undefined && name !== own)
    yield report(call.span, unit.id, `names itself «${name}», but the file is «${own}»`, rename(view, call, name, own))
  if (call.args.length < 2)
    return yield report(call.span, unit.id, 'names no prerequisite: a rebuilt environment would lack what it builds on',
      previous && name !== undefined ? addName(call, previous) : [])
  for (const prerequisite of before) {
    if (prerequisite === undefined) continue
    if (!files.includes(`${prerequisite}.bats`))
      yield report(call.span, unit.id, `its prerequisite «${prerequisite}» does not exist beside it`)
    else if (SEQUENTIAL.test(`${prerequisite}.bats`) && prerequisite >= own)
      yield report(call.span, unit.id, `its prerequisite «${prerequisite}» comes no earlier than itself`)
  }
  if (previous && before.every(p => p !== undefined) && !before.some(p => p !== undefined && SEQUENTIAL.test(`${p}.bats`) && p >= previous))
    yield report(call.span, unit.id, `skips «${previous}», which runs right before it: a rebuilt environment would lack its work`,
      addName(call, previous), 'medium')
}

function* environment(view: FileView, { contract }: BatsSuite): Generator<Report> {
  const found = called(view.facts, 'setup', contract!.load)
  if (!('call' in found))
    return yield report(found.at, found.unit,
      `does not call ${contract!.load} "${contract!.environment}" in setup: its tests see no shared environment`,
      callInHook(view, 'setup', hook(view.facts, 'setup'), `${contract!.load} "${contract!.environment}"`))
  const given = text(found.call.args[0])
  if (given !== undefined && given !== contract!.environment)
    yield report(found.call.span, found.unit.id,
      `loads the environment «${given}», but files of a sequence share «${contract!.environment}»`,
      rename(view, found.call, given, contract!.environment))
}

function* completion(view: FileView, own: string, { contract }: BatsSuite): Generator<Report> {
  const found = called(view.facts, 'teardown_file', contract!.complete)
  if (!('call' in found))
    return yield report(found.at, found.unit,
      `does not call ${contract!.complete} in teardown_file: the next file takes the environment for half built`,
      callInHook(view, 'teardown_file', hook(view.facts, 'teardown_file'), `${contract!.complete} "${own}"`))
  const given = text(found.call.args[0])
  if (given !== undefined && given !== own)
    yield report(found.call.span, found.unit.id, `marks «${given}» complete, but the file is «${own}»`,
      rename(view, found.call, given, own))
}

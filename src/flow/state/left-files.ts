// Files that one test of a script writes and another one reads as its first step: the shell of a test ends with it, its files do not.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { has, runsIn, valuesIn } from '../../facts/query.ts'

export interface LeftFile {
  readonly unit: Unit
  readonly at: Span
  readonly giver: Unit
  readonly given: Span
  readonly name: string
}

const READS = /^(cat|grep|egrep|fgrep|head|tail|wc|diff|cmp|source|\.|jq|sort|<|mapfile|readarray|stat)$/
const WRITES = /^(>>?\|?|tee|touch)$/
/** Nothing that could make a file: what reads, prints, moves about or asks. */
const IDLE =
  /^(run|cd|load|bats_load_library|bats_require_minimum_version|export|set|skip|echo|printf|true|:|test|assert\w*|refute\w*|\$\w+)$/
/** Places that all tests of a file see. */
const SHARED = /^\$?BATS_(FILE_TMPDIR|RUN_TMPDIR|SUITE_TMPDIR|TEST_DIRNAME|TMPDIR)$/

/** A file's name as it is written, variables included. */
function spelt(unit: Unit, value: Value): string {
  if (value.is === 'literal') return String(value.value)
  if (value.is === 'name') return `$${value.path}`
  if (value.is === 'call') return unit.calls[value.call]?.name ?? '?'
  return value.is === 'text' ? value.parts.map(p => spelt(unit, p)).join('') : '?'
}

/** The variable by which a name begins, where all tests of the file mean the same by it. */
function isShared(file: FileFacts, name: string, depth = 0): boolean {
  const root = /^\$(\w+)(?=$|\/)/.exec(name)?.[1]
  if (!root || depth > 3) return false
  if (SHARED.test(root)) return true
  const writes = file.units.flatMap(u => u.writes.filter(w => w.target === root).map(w => ({ u, w })))
  return writes.length > 0 && writes.every(({ u, w }) => {
    const once = u.role.is === 'hook' && u.role.per === 'file'
    if (!once && u.role.is !== 'module') return false
    const said = spelt(u, w.value)
    // The file's own lines are run again for each test, and a name that is drawn there is another one each time.
    return isShared(file, said, depth + 1)
      || (once && !/BATS_TEST_(TMPDIR|NAME|NUMBER)/.test(said)
        && [...valuesIn(w.value, u)].some(v => v.is === 'call' && has(u.calls[v.call]!, 'temp-dir')))
  })
}

const speaksOf = (unit: Unit, call: Call, name: string): boolean =>
  [...call.args, ...Object.values(call.named)].some(v => spelt(unit, v) === name)

export function* leftFiles(file: FileFacts): Generator<LeftFile> {
  if (file.language !== 'bash' || !file.path.endsWith('.bats')) return
  const tests = file.units.filter(u => u.role.is === 'test')
  const setups = file.units.filter(u => u.role.is === 'hook' && u.role.when === 'before')
  // What a set-up runs before every test may make the file.
  if (setups.some(u => u.role.is === 'hook' && u.role.per === 'test' && u.calls.some(c => !IDLE.test(c.name) && c.name !== 'mkdir'))) return
  const given = new Map<string, { readonly unit: Unit; readonly span: Span }>()
  for (const unit of tests) {
    const read = firstRead(unit)
    const giver = read && given.get(read.name)
    if (read && giver && isShared(file, read.name)
      && !file.units.some(u => u.role.is !== 'test' && u.calls.some(c => speaksOf(u, c, read.name))))
      yield { unit, at: read.at, giver: giver.unit, given: giver.span, name: read.name }
    for (const call of unit.calls) {
      const name = WRITES.test(call.name) && call.args[0] && runsIn(unit, call.in) === 'inline' ? spelt(unit, call.args[0]) : undefined
      if (name !== undefined && !given.has(name)) given.set(name, { unit, span: call.span })
    }
  }
}

/** What a test reads before it has done anything else. */
function firstRead(unit: Unit): { readonly name: string; readonly at: Span } | undefined {
  const tried = unit.assertions.find(a => a.claims === 'presence' && a.operands.some(o => o.is === 'op' && /^-[efsr]$/.test(o.op)))
  for (const call of unit.calls) {
    if (tried && tried.span.start < call.span.start) break
    if (READS.test(call.name) && call.target === undefined) {
      const name = call.args.map(a => spelt(unit, a)).findLast(n => n.startsWith('$'))
      return name === undefined || unit.calls.some(c => c.name === 'run' && c.args[0]?.is === 'literal' && c.args[0].value === '!')
        ? undefined
        : { name, at: call.span }
    }
    if (!IDLE.test(call.name) || call.target !== undefined) return undefined
  }
  const asked = tried?.operands.find(o => o.is === 'op')
  return tried && asked?.is === 'op' && asked.of[0] ? { name: spelt(unit, asked.of[0]), at: tried.span } : undefined
}

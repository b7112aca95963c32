// What probes are told (plan.json) and what they tell (records.jsonl), seen from our side. The other side is
// javascript/journal.cjs, and unittest/probe.py.

import { join } from 'node:path'
import { runnerError, type Finished, type Listed, type Place, type Request, type TestRecord } from '../runner.ts'
import { probe } from './probe.ts'

/** Tests of one file that run one after another; the file comes again where another's tests stand between. */
export interface Part {
  readonly file: string
  readonly ids: readonly string[]
}

interface Line {
  readonly listed?: Listed
  /** The runner's own name for what is listed. */
  readonly key?: string
  /** One execution of a test: a later line with the same number takes its place. */
  readonly n?: string
  readonly id?: string
  readonly outcome?: TestRecord['outcome']
  readonly attempts?: number
  readonly setupMs?: number | null
  readonly testMs?: number | null
  readonly teardownMs?: number | null
  readonly message?: string
  readonly worker?: string
  /** A file that could not be loaded; null where the runner went wrong before any. */
  readonly file?: string | null
  readonly error?: string
  /** An error that no test caught, in this file; `name` is the title of the test that it may belong to. */
  readonly stray?: string
  readonly name?: string
}

export interface Journal {
  readonly listed: readonly Listed[]
  /** Ids of listed tests to the runner's own names for them, where it has some. */
  readonly keys: ReadonlyMap<string, string>
  readonly records: readonly TestRecord[]
  readonly unloaded: readonly { readonly file: string | null; readonly error: string }[]
}

/** Puts the plan and the probe's files into the place, and gives the path of the first file. */
export function writeProbe(place: Place, runner: string, files: readonly string[], plan: Readonly<Record<string, unknown>>): string {
  place.write('journal.cjs', probe('javascript', 'journal.cjs'))
  place.write('plan.json', JSON.stringify({ root: place.root, ...plan }))
  return files.map(name => place.write(name, probe(runner, name)))[0]!
}

export function partsOf(request: Request): readonly Part[] | null {
  if (!request.tests) return null
  const parts: { file: string; ids: string[] }[] = []
  for (const { file, id } of request.tests) {
    if (file === null) throw runnerError(`${id} stands in no file: give the id that the list shows`)
    // Workers take whole files, so side by side there is one part for each.
    const open = request.parallel ? parts.find(p => p.file === file) : parts.at(-1)
    if (open?.file === file) open.ids.push(id)
    else parts.push({ file, ids: [id] })
  }
  return parts
}

/** The titles of a listed test, outermost first, for a command that people type. */
export function titlesOf({ id, name }: Listed): string[] {
  const plain = id.endsWith(name) ? id : id.replace(/ #\d+$/, '')
  return plain.split(' > ').slice(1)
}

export function readJournal(place: Place, finished: Finished, parts: readonly Part[] | null = null, name = 'records.jsonl'): Journal {
  const lines = readLines(place.read(join(place.temp, name)) ?? '')
  const executions = new Map<string, Line>()
  for (const line of lines) if (line.n !== undefined) executions.set(line.n, { ...executions.get(line.n), ...line })
  const unloaded = lines.flatMap(l => (l.file !== undefined && l.error !== undefined ? [{ file: l.file, error: l.error }] : []))
  return {
    listed: lines.flatMap(l => l.listed ?? []),
    keys: new Map(lines.flatMap(l => (l.listed && l.key !== undefined ? [[l.listed.id, l.key] as const] : []))),
    records: [...blamed([...executions.values()], lines.filter(l => l.stray !== undefined)).map(line => recordOf(line, finished)),
      ...unloadedTests(parts, unloaded)],
    unloaded,
  }
}

/** An error outside of tests fails the run, so it must fail a test: the one that it is said to belong to, or the last of its file. */
function blamed(executions: readonly Line[], strays: readonly Line[]): readonly Line[] {
  const guilty = new Map(strays.map(stray => {
    const there = executions.filter(e => e.id?.startsWith(`${stray.stray} > `))
    return [there.findLast(e => stray.name !== undefined && e.id?.endsWith(stray.name)) ?? there.at(-1), stray]
  }))
  return executions.map(
    e => (guilty.has(e) && e.outcome !== 'fail' ? { ...e, outcome: 'fail', message: `outside of any test: ${guilty.get(e)!.message}` } : e),
  )
}

/** A last line cut short by a process that died is left out. */
function readLines(text: string): Line[] {
  return text.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line) as Line]
    } catch {
      return []
    }
  })
}

function recordOf(line: Line, finished: Finished): TestRecord {
  const { id = '', outcome, attempts = 1, setupMs = null, testMs = null, teardownMs = null, message, worker } = line
  const record = { id, attempts, setupMs, testMs, teardownMs, ...(worker !== undefined && { worker }) }
  if (outcome) return { ...record, outcome, ...(message !== undefined && { message }) }
  // It began and never ended: it took the process with it, whatever the exit status says.
  return { ...record, outcome: 'fail',
    message: `the process ended during the test (${
      finished.timedOut ? 'it took too long' : finished.signal ?? `exit status ${finished.code}`
    })` }
}

/** A test that was asked for and whose file does not load has failed: there is no way in which it could have passed. */
const unloadedTests = (parts: readonly Part[] | null, unloaded: Journal['unloaded']): TestRecord[] =>
  (parts ?? []).flatMap(part => {
    const why = unloaded.find(u => u.file === part.file)
    return why
      ? part.ids.map(id => ({ id, outcome: 'fail' as const, attempts: 1, setupMs: null, testMs: null, teardownMs: null,
        message: `${part.file} could not be loaded: ${why.error}` })
      )
      : []
  })

/** Why a run without a record says nothing. */
export function whatWentWrong(title: string, finished: Finished, journal: Journal): string {
  const [first] = journal.unloaded
  if (first) return first.file === null ? `${title}: ${first.error}` : `${first.file} could not be loaded: ${first.error}`
  const how = finished.timedOut ? 'took too long' : `ended with ${finished.signal ?? `exit status ${finished.code}`}`
  const said = `${finished.stderr.trim()}\n${finished.stdout.trim()}`.trim().replace(/\u001b\[[0-9;]*m/g, '').split('\n').slice(0, 8).join(
    '\n',
  )
  return `${title} ${how} and reported no test${said === '' ? '' : `:\n${said}`}`
}

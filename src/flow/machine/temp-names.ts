// Fixed names in the shared temporary folder that are handed on: to a setting, to a program, to whoever pushes a name onto the
// folder. And folders that are gone as soon as their name is kept.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { ancestors, has, valuesIn } from '../../facts/query.ts'
import { TEMP_ROOTS } from './paths.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly textOf: (span: Span) => string
}

export interface TempName {
  readonly path: string
  readonly span: Span
  readonly how: 'handed' | 'given' | 'gone' | 'asked' | 'shared'
}

const TEMP = /^(?:file:(?:\/\/)?)?(?:\/tmp|\/var\/tmp|\/dev\/shm)\/[\w.-]/
const BUILDS = /[-_.]$|[*?%{}$<>\s]|X{3}|\/tmp\/?$/
const tempIn = (value: Value | undefined, unit: Unit, view: View): string | undefined => {
  const folded = fold(value, unit, view.folding)
  return typeof folded === 'string' && TEMP.test(folded) && !BUILDS.test(folded) ? folded : undefined
}

export function* tempNames(unit: Unit, view: View): Generator<TempName> {
  if (view.facts.language === 'bash') return yield* [...ofScripts(unit, view), ...asked(unit, view)]
  yield* [...settings(unit, view), ...opened(unit, view), ...pushed(unit, view), ...givenBack(unit, view), ...gone(unit),
    ...asked(unit, view), ...root(unit, view), ...sockets(unit, view), ...stores(unit, view)]
}

const SETTING = /(^|[._:])(set|with)_?\w*([pP]ath|[dD]ir|[dD]irectory|[fF]ile|[fF]older|[rR]oot|[lL]ocation|[sS]torage\w*|[sS]ocket)s?$/
const WORD = /(^|[._:])(arg|args|Popen|check_call|check_output|spawn|spawnSync|exec\w*|run|Command)$/
/** What only looks, and what runs in a container that has a folder of its own. */
const READS =
  /(exec_run|exec_?in|container|ctr|docker|mock|stub|fake|assert|expect|equal|parse|when|verify|exist|not_|resolve|dirname|basename|join|normalize)/i

const OVER_THERE = /(^|[._])(ssh|scp|sftp)([._]|$)/

/** `vm.ssh.run("/tmp/shop")`, or a path that was copied there: the folder of another machine. */
const isOverThere = (path: string, unit: Unit, view: View): boolean =>
  unit.calls.some(c => OVER_THERE.test(c.name) && c.args.some(a => tempIn(a, unit, view) === path))

/** `setStoragePath("file:///tmp/shop")`, `.arg("/dev/shm/shop")`. */
function* settings(unit: Unit, view: View): Generator<TempName> {
  if (isStandIn(unit, view)) return
  for (const call of unit.calls) {
    if (READS.test(call.name) || (call.receiver?.is === 'name' && READS.test(call.receiver.path))
      || has(call, 'log', 'stub', 'mock', 'name-resource')) continue
    const setter = SETTING.test(call.name) ? call.args[0] : undefined
    const words = WORD.test(call.name) ? call.args.flatMap(a => (a.is === 'group' ? a.of : [a])) : []
    for (const value of [setter, ...words]) {
      const path = tempIn(value, unit, view)
      if (path && !isOverThere(path, unit, view)) yield { path, span: keptAt(value!, unit) ?? call.span, how: 'handed' }
    }
  }
}

const REMOVES =
  /(^|[._:/])(rmtree|RemoveAll|remove_dir_all|remove_file|remove_tree|deleteDirectory|delete_?[qQ]uietly|deleteRecursively|forceDelete|rimraf(\.sync)?|rm(dir)?Sync|removeSync|emptyDir(Sync)?|unlink(Sync)?|destroyDB|destroy_?db|cleanup_?\w*|clean_?up\w*)$|^os\.(Remove|remove)$/
const OPENS =
  /(^|[._:/])(open\w*|create\w*|connect|save\w*|dump\w*|write\w*|to_csv|to_parquet|to_json|export\w*|download\w*|level(up|down)?|[A-Z]\w*(Store|Storage|DB|Db|Database|Writer|Cache|Repository|Repo|Index|Log|Engine|Table|Environment|Env)(\.new|::new|::open|::create)?|(Store|DB|Database|Cache|Repo|Env)(\.new|::new|\.open|::open)?|New\w*(Store|Storage|DB|Database|Writer|Cache|Repo|Index|Log|Engine|Backend)\w*)$/

/** What is removed was written; what opens a store by its name makes it. */
function* opened(unit: Unit, view: View): Generator<TempName> {
  if (isStandIn(unit, view) || view.facts.units.some(u => u.calls.some(c => has(c, 'mock', 'stub') && /fs|file|open|path/i.test(c.name))))
    return
  for (const call of unit.calls) {
    if (READS.test(call.name) || (call.receiver?.is === 'name' && READS.test(call.receiver.path))
      || has(call, 'log', 'stub', 'mock', 'name-resource', 'network')) continue
    const removes = REMOVES.test(call.name)
    if (!removes && !OPENS.test(call.name)) continue
    const path = call.args.slice(0, 2).map(a => tempIn(a, unit, view)).find(p => p !== undefined)
    // Nobody opens a text.
    if (path && !isOverThere(path, unit, view)
      && (removes || call.result !== 'discarded' || /save|dump|write|to_|export|download/i.test(call.name)))
      yield { path, span: (removes ? firstGiven(path, unit, view, call) : call).span, how: 'handed' }
  }
}

/** What is cleaned up at the end is to be mended where somebody is given it in the first place. */
const firstGiven = (path: string, unit: Unit, view: View, removal: Call): Call =>
  unit.calls.find(c =>
    c.span.start < removal.span.start && !has(c, 'log') && !READS.test(c.name) && c.args.some(a => tempIn(a, unit, view) === path)
  ) ?? removal

/** `fn db_path() -> PathBuf { temp_dir().join("shop.db") }`: whoever asks gets the same. */
function* givenBack(unit: Unit, view: View): Generator<TempName> {
  const path = unit.role.is === 'helper' && unit.params.length === 0 && unit.returns.length === 1
    ? tempIn(unit.returns[0], unit, view)
    : undefined
  const root = path && unit.calls.find(c => TEMP_ROOTS.test(c.name))
  if (root && view.facts.units.some(u => u.calls.some(c => c.target === unit.id))) yield { path, span: root.span, how: 'given' }
}

const keptAt = (value: Value, unit: Unit): Span | undefined =>
  value.is === 'name' ? unit.writes.findLast(w => w.target === value.path)?.span : undefined

/** The whole file works on a file system of its own making. */
export const isStandIn = (unit: Unit, { facts }: Pick<View, 'facts'>): boolean =>
  facts.imports.some(i => /memfs|mock-?fs|pyfakefs|jimfs|afero|vfs/i.test(i.name))
  || [unit, ...ancestors(facts, unit)].some(u => u.params.includes('fs') || u.markers.some(m => /fakefs/i.test(m.name)))

const MISSING =
  /(^|[^a-z])(missing|absent|nowhere|bogus|no_?such|nothing_?here|(non|not|does_?n.?t|does_?not|never)[-_]?exist\w*|in_?existent|unknown_?(file|dir|path))/i

/** What by its name must not be there: nobody makes it. */
export const isMissing = (...names: string[]): boolean => names.some(n => MISSING.test(n.replace(/([a-z])([A-Z])/g, '$1_$2')))

/**
 * `Files.createTempDirectory(Paths.get(System.getProperty("java.io.tmpdir")), "shop")`: what is made below it has a name of its own. Or
 * nothing is done but to compare.
 */
export function isParent(call: Call, unit: Unit, { facts, textOf }: View): boolean {
  const index = unit.calls.indexOf(call)
  const kept = new Set<string>()
  const holds = (v: Value): boolean =>
    [...valuesIn(v, unit)].some(x => (x.is === 'call' && x.call === index) || (x.is === 'name' && kept.has(x.path.replace(/^this\./, ''))))
  const inside = unit.writes.filter(w => w.span.start <= call.span.start && call.span.end <= w.span.end)
  for (const write of inside) kept.add(write.target)
  for (const write of unit.writes) if (holds(write.value)) kept.add(write.target)
  const users = unit.role.is === 'module' || unit.role.is === 'suite' ? facts.units : [unit]
  if (users.some(u =>
    u.calls.some(c =>
      /createTemp\w*$/.test(c.name) && ((c.span.start < call.span.start && call.span.end <= c.span.end) || c.args.some(holds))
    )
  )) return true
  if (isGivenOwnName(unit, holds)) return true
  // A name that is only put into what is expected.
  return inside.some(w => /expect|prefix/i.test(w.target))
    && !users.some(u => u.calls.some(c => has(c, 'name-resource') && [...kept].some(k => textOf(c.span).includes(k))))
}

/** `new File(dir, "shop-" + uuid())`: what is made below it is told from all others by what was drawn. */
function isGivenOwnName(unit: Unit, holds: (v: Value) => boolean): boolean {
  const isDrawn = (v: Value, depth = 0): boolean =>
    [...valuesIn(v, unit)].some(x => {
      const call = x.is === 'call' ? unit.calls[x.call]! : undefined
      const kept = x.is === 'name' && depth < 2 ? unit.writes.find(w => w.target === x.path && !holds(w.value))?.value : undefined
      return (call !== undefined && (has(call, 'random', 'unique-id') || /(^|[._])((random)?uuid4?|next(int|long))$/i.test(call.name)))
        || (kept !== undefined && isDrawn(kept, depth + 1))
    })
  const together = [...unit.calls.map(c => [...c.args, ...(c.receiver ? [c.receiver] : [])]),
    ...unit.writes.map(w => unit.writes.filter(o => o.target === w.target).map(o => o.value))]
  return unit.role.is !== 'module' && unit.role.is !== 'suite'
    && together.some(values => values.some(holds) && values.some(v => isDrawn(v)))
}

const OWN = /uuid|random|rand|pid|process_?id|nanos|now|time|unique|thread|counter|next|suffix|tmp|temp|id$/i

/** `let mut dir = env::temp_dir(); dir.push(name); create_dir(dir)`: the same name in each run. */
function* pushed(unit: Unit, { facts, folding }: View): Generator<TempName> {
  for (const [i, write] of unit.writes.entries()) {
    if (write.adds || fold(write.value, unit, folding) !== '/tmp') continue
    const more = unit.writes.slice(i + 1).filter(w => w.target === write.target && w.adds)
    const parts = more.flatMap(w => [...valuesIn(w.value, unit)]).filter(v => v.is === 'name' || v.is === 'call' || v.is === 'unknown')
    const own = parts.some(v =>
      v.is !== 'name' || OWN.test(v.path)
      || (!unit.params.includes(v.path) && facts.units.some(u => u.writes.some(w => w.target === v.path && w.value.is === 'call')))
    )
    const made = unit.calls.some(c => has(c, 'name-resource') && c.args.some(a => a.is === 'name' && a.path === write.target))
    if (more.length > 0 && !own && made)
      yield { path: `${write.target} in the shared temporary folder`, span: more[0]!.span, how: 'handed' }
  }
}

/** `tempdir().unwrap().path().to_path_buf()`: nobody keeps the guard, and with it the folder goes. */
function* gone(unit: Unit): Generator<TempName> {
  const isMade = (v: Value | null) => v?.is === 'call' && isGuard(unit.calls[v.call]!)
  for (const write of unit.writes)
    for (const v of chain(write.value, unit))
      if (/(TempDir|TempPath|NamedTempFile)::path$/.test(v.name) && isMade(v.receiver))
        yield { path: write.target, span: write.span, how: 'gone' }
}

const isGuard = (call: Call): boolean => has(call, 'temp-dir') && /tempdir|TempDir|NamedTempFile/.test(call.name)

function* chain(value: Value, unit: Unit): Generator<Call> {
  for (let at: Value | null = value; at?.is === 'call'; at = unit.calls[at.call]!.receiver) yield unit.calls[at.call]!
}

const ASKS = /^tempfile\.mktemp$|^tmp(-promise)?\.tmpName(Sync)?$/

/** `tempfile.mktemp()`, `mktemp -u`: a name, and nothing that holds it. */
function* asked(unit: Unit, { facts, folding }: View): Generator<TempName> {
  for (const call of unit.calls) {
    const dry = facts.language === 'bash' && /^mktemp\b/.test(call.name)
      && call.args.some(a => /^(-[a-z]*u[a-z]*|--dry-run)$/.test(String(fold(a, unit, folding))))
    if (dry || ASKS.test(call.name)) yield { path: dry ? 'mktemp -u' : call.name, span: call.span, how: 'asked' }
  }
}

const SHARED = /^(?:file:(?:\/\/)?)?\/(?:var\/)?tmp\/?$/
const PLACE = /(^|[._\-a-z])([dD]ir|[dD]irectory|[lL]ocation|[rR]oot|[fF]older|[hH]ome|[pP]ath|DIR|LOCATION|ROOT|FOLDER|HOME|PATH)s?$/

/** `{"SHOP_DIR": gettempdir()}`: of the environment of a program. */
const VARIABLE = /^[A-Z][A-Z\d]*(_[A-Z\d]+)*_(DIR|HOME|ROOT|PATH)$/

/** `dbLocation = "file:/tmp"`: the folder itself as somebody's place. */
function* root(unit: Unit, view: View): Generator<TempName> {
  if (isStandIn(unit, view)) return
  for (const { span, name, value } of [...unit.writes.map(w => ({ span: w.span, name: w.target, value: w.value })),
    ...unit.calls.filter(c => !READS.test(c.name) && !has(c, 'temp-dir')).flatMap(c =>
      Object.entries(c.named).map(([name, value]) => ({ span: c.span, name, value }))
    )])
    if (value.is === 'literal' && typeof value.value === 'string' && SHARED.test(value.value) && PLACE.test(name)
      && !/expect|want|te?mp/i.test(name) && !isRowField(span, unit, view)
      // Asked for and kept, it is where a name is added; given to somebody, it is the place.
      && (name.includes('.') || view.textOf(span).includes('/tmp'))) yield { path: value.value, span, how: 'shared' }
  for (const { value } of unit.writes)
    for (const pair of value.is === 'group' ? value.of : []) {
      const [key, of] = pair.is === 'group' ? pair.of : []
      const asked = of?.is === 'call' ? unit.calls[of.call]! : undefined
      if (asked && TEMP_ROOTS.test(asked.name) && key?.is === 'literal' && VARIABLE.test(String(key.value)))
        yield { path: `the folder of ${asked.name.replace(/^.*[.:]/, '')}`, span: asked.span, how: 'shared' }
    }
}

/** A record within another one is read or compared: a row of a table. */
const isRowField = (span: Span, unit: Unit, view: View): boolean =>
  /\b(output|want\w*|expect\w*|result)["']?\s*[:=]\s*&?$/i.test(
    view.textOf({ start: Math.max(unit.span.start, span.start - 40), end: span.start }),
  )

/** `listen("unix://shop.sock")`: a socket in whatever folder the tests are run from. */
function* sockets(unit: Unit, view: View): Generator<TempName> {
  for (const call of unit.calls) {
    // `unixAddr("unix://shop")`: an address that is written down.
    if (READS.test(call.name) || /(addr(ess)?|ur[il])$/i.test(call.name) || has(call, 'log', 'stub', 'mock')) continue
    const path = call.args.map(a => fold(a, unit, view.folding)).find(t => typeof t === 'string' && /^unix:(?:\/\/)?[\w-][\w.-]*$/.test(t))
    if (typeof path === 'string') yield { path, span: call.span, how: 'handed' }
  }
}

const STORE =
  /^(?:jdbc:)?(?:sqlite3?|h2|hsqldb|derby|duckdb|badger|bolt(?:db)?|level(?:db)?|rocksdb)(?:\+\w+)?:(?:file:)?(?:\/{2,3})?(\/(?:var\/)?tmp\/[\w.-][^?;#\s]*)/

/** `connect("sqlite3:///tmp/shop.db")`: an address that leads to a file, which whoever is given it opens or makes. */
function* stores(unit: Unit, view: View): Generator<TempName> {
  for (const call of unit.calls) {
    if (READS.test(call.name) || has(call, 'log', 'stub', 'mock')) continue
    const path = call.args.map(a => STORE.exec(String(fold(a, unit, view.folding)))?.[1]).find(p => p !== undefined)
    if (path && !BUILDS.test(path)) yield { path, span: call.span, how: 'handed' }
  }
}

const ROOTS = /^(BATS_TMPDIR|TMPDIR)$/

/** `$BATS_TMPDIR/shop`: the folder of the machine, whatever its name says. */
function* ofScripts(unit: Unit, { facts }: View): Generator<TempName> {
  const places = [...unit.writes.map(w => ({ span: w.span, value: w.value })),
    ...unit.calls.filter(c => has(c, 'name-resource')).flatMap(c => c.args.map(value => ({ span: c.span, value })))]
  for (const { span, value } of places) {
    const root = value.is === 'text' ? [...valuesIn(value.parts[0]!, unit)].find(v => v.is === 'name') : undefined
    if (value.is !== 'text' || root?.is !== 'name' || !ROOTS.test(root.path) || value.parts.slice(1).some(p => p.is !== 'literal')) continue
    // A folder of the run's own under that name.
    if (facts.units.some(u => u.writes.some(w => w.target === root.path))) continue
    const rest = value.parts.slice(1).map(p => (p.is === 'literal' ? String(p.value) : '')).join('')
    if (/^\/[\w.-]/.test(rest) && !/X{3}/.test(rest)) yield { path: `$${root.path}${rest}`, span, how: 'handed' }
  }
}

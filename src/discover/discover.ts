// Which files a run looks at. Our own walk: asking git would let the configuration of a stranger's repository start
// programs. Nothing is followed out of the root, nothing is walked twice, and what cannot be read costs a notice.

import { type Dirent, type Stats, closeSync, lstatSync, openSync, readFileSync, readSync, readdirSync, realpathSync,
  statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Language } from '../facts/facts.ts'
import { isScriptName, languageOf } from '../parsers/registry.ts'
import type { Notice } from '../rules/rule.ts'
import { foldersUpward, runnerFilesIn } from './above.ts'
import { globs } from './globs.ts'
import { type IgnoreRules, NO_IGNORES } from './ignores.ts'
import { attempt, exists, folderPath, isInside, isPlainFile, realPlace, repositoryTop, shownPath, slashed } from './places.ts'
import { isRunnerFile } from './runner-files.ts'
import { METADATA, isVendored } from './vendored.ts'

export { isBinary, isGenerated, isMinified } from './content.ts'

export interface DiscoverOptions {
  /** What paths are told relative to, and what no symbolic link may leave. */
  readonly root: string
  /** Where given, only files that one of these globs matches are linted. */
  readonly include?: readonly string[] | null
  /** Further ignore patterns, in the syntax of .gitignore. */
  readonly ignore?: readonly string[]
  /** The folder that `include` and `ignore` speak of: the root where left out. */
  readonly base?: string
  readonly maxBytes?: number
  /** What these files hold, by real path (see `realPlace`), whatever the disk says. */
  readonly contents?: ReadonlyMap<string, Uint8Array>
}

export interface FoundFile {
  /** Relative to the root, with `/`; bytes that are no UTF-8 are written `\xE9`. */
  readonly path: string
  readonly absolute: string
  readonly language: Language
  readonly size: number
  /** The name to open it by, where the bytes of `absolute` are not UTF-8. */
  readonly bytes?: Uint8Array
  /** What it holds, where that is not to be read from the disk. */
  readonly content?: Uint8Array
}

export type Reason = 'ignored' | 'vendored' | 'not included' | 'too large' | 'unreadable' | 'symlink' | 'unknown language'

export interface Discovery {
  /** Sorted by path, code unit by code unit. */
  readonly files: readonly FoundFile[]
  /** Files in which the project says how its tests run, sorted; relative to the root, also those of the folders above it. */
  readonly configFiles: readonly string[]
  /** Files by the reason why they were left out; a folder that was not entered counts as one. */
  readonly leftOut: Readonly<Record<string, number>>
  /** Of level `error` where a path that was asked for is not there. */
  readonly notices: readonly Notice[]
}

export const DEFAULT_MAX_BYTES = 1024 * 1024

type Place = Pick<FoundFile, 'absolute' | 'bytes'>

/** What to hand to node:fs for a found file. */
export const openable = (file: Place): string | Buffer => (file.bytes ? Buffer.from(file.bytes) : file.absolute)

/** A folder on the way. */
interface Folder {
  readonly absolute: string
  readonly bytes?: Uint8Array
  /** As files in it are shown: `''` or `a/b/`, from the root. */
  readonly path: string
  /** Relative to where the ignore rules begin: `''` or `a/b/`. */
  readonly fromOrigin: string
  readonly rules: IgnoreRules
  readonly underGo: boolean
  /** What no link found here may leave: the root, or the folder that was asked for where it lies elsewhere. */
  readonly boundary: string
}

interface Walk {
  readonly root: string
  readonly options: DiscoverOptions
  readonly maxBytes: number
  readonly included: (absolute: string) => boolean
  /** What was asked for, by real path. */
  readonly asked: Set<string>
  readonly files: Map<string, FoundFile>
  readonly configFiles: Set<string>
  readonly seen: Set<string>
  readonly seenAbove: Set<string>
  /** Where links of the tree lead and what they must not leave, to be looked at when everything else is done. */
  readonly links: Map<string, string>
  readonly leftOut: Map<Reason, number>
  readonly notices: Notice[]
}

export function discover(paths: readonly string[], options: DiscoverOptions): Discovery {
  const lexicalRoot = resolve(options.root)
  const walk = begin(attempt(() => realpathSync.native(lexicalRoot)) ?? lexicalRoot, options)
  // Files that were asked for by name come first: what is already found is not left out again.
  for (const path of paths) start(walk, lexicalRoot, resolve(lexicalRoot, path))
  // A map may grow while it is read: links found behind links are followed too, each once.
  for (const [target, boundary] of walk.links) follow(walk, target, boundary)
  for (const [absolute, content] of options.contents ?? []) addGiven(walk, absolute, content)
  return {
    files: [...walk.files.values()].sort((a, b) => byCodeUnit(a.path, b.path)),
    configFiles: [...walk.configFiles].sort(byCodeUnit),
    leftOut: Object.fromEntries([...walk.leftOut].sort(([a], [b]) => byCodeUnit(a, b))),
    notices: walk.notices.sort((a, b) => byCodeUnit(a.file ?? '', b.file ?? '') || byCodeUnit(a.message, b.message)),
  }
}

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function begin(root: string, options: DiscoverOptions): Walk {
  const base = baseOf(root, options)
  const match = options.include ? globs(options.include) : null
  return {
    root,
    options,
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
    included: absolute => match === null || match(slashed(relative(base, absolute))),
    asked: new Set(),
    files: new Map(),
    configFiles: new Set(),
    seen: new Set(),
    seenAbove: new Set(),
    links: new Map(),
    leftOut: new Map(),
    notices: [],
  }
}

const baseOf = (root: string, { base }: DiscoverOptions) => {
  if (base === undefined) return root
  const lexical = resolve(base)
  return attempt(() => realpathSync.native(lexical)) ?? lexical
}

// --- where a run begins ---------------------------------------------------------------------------------------------

function start(walk: Walk, lexicalRoot: string, asked: string): void {
  const shown = pathOf(walk, asked), place = realPlace(asked)
  walk.asked.add(place)
  let real: string, stats: Stats
  try {
    real = realpathSync.native(asked)
    stats = statSync(real)
  } catch (error) {
    if (holdsGiven(walk, place)) seeRunnerFilesAbove(walk, dirname(place), walk.root)
    else note(walk, 'error', 'unreadable', shown, `cannot be read: ${why(error)}`)
    return
  }
  const insideByName = isInside(lexicalRoot, asked) || isInside(walk.root, asked)
  if (insideByName && !isInside(walk.root, real)) {
    leaveOut(walk, 'symlink')
    note(walk, 'warning', 'symlink', shown, 'is a link that leads out of the root, and was not followed')
    return
  }
  const folder = stats.isDirectory() ? real : dirname(real)
  const boundary = insideByName ? walk.root : folder
  const at = arrive(walk, folder, boundary)
  seeRunnerFilesAbove(walk, folder, boundary)
  if (stats.isDirectory()) walkFolder(walk, opened(at))
  else if (stats.isFile()) addAsked(walk, real, stats)
  else note(walk, 'warning', 'left-out', shown, 'is neither a file nor a folder')
}

/** A folder that was asked for is entered even if it is ignored; the rules still hold for what lies in it. */
function opened(folder: Folder): Folder {
  if (folder.fromOrigin === '') return folder
  const parts = folder.fromOrigin.split('/').slice(0, -1)
  const above = parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`)
  return above.some(folder.rules.ignores) ? { ...folder, rules: folder.rules.open(above) } : folder
}

function addAsked(walk: Walk, absolute: string, stats: Stats): void {
  const path = pathOf(walk, absolute)
  const language = isScriptName(basename(absolute)) ? languageOfScript(walk, path, absolute) : languageOf(path, '')
  if (!language) {
    if (isRunnerFile(path)) return
    leaveOut(walk, 'unknown language')
    note(walk, 'warning', 'left-out', path, 'is of no language that flakesniff knows')
  } else if (stats.size > walk.maxBytes) {
    leaveOut(walk, 'too large')
    note(walk, 'warning', 'left-out', path, `has ${stats.size} bytes, more than the limit of ${walk.maxBytes}`)
  } else walk.files.set(path, { path, absolute, language, size: stats.size })
}

/** A file that only its content is known of, or a folder of such. */
const holdsGiven = (walk: Walk, place: string): boolean => [...walk.options.contents?.keys() ?? []].some(file => isInside(place, file))

/** A file whose content is given: in place of what the disk holds, or where the disk holds none, as if it did. */
function addGiven(walk: Walk, absolute: string, content: Uint8Array): void {
  const path = pathOf(walk, absolute)
  const known = walk.files.get(path)
  const byName = walk.asked.has(absolute)
  if (!known && (exists(absolute) || !isInside(walk.root, absolute) || !(byName || wouldBeFound(walk, absolute)))) return
  if (isRunnerFile(path) && [...walk.asked].some(asked => isInside(dirname(absolute), asked) || isInside(asked, absolute)))
    walk.configFiles.add(path)
  if (!known && ![...walk.asked].some(asked => isInside(asked, absolute))) return
  const language = known?.language ?? languageOf(path, Buffer.from(content.subarray(0, FIRST_LINE)).toString('utf8'))
  if (content.length > walk.maxBytes) {
    walk.files.delete(path)
    leaveOut(walk, 'too large')
    if (byName) note(walk, 'warning', 'left-out', path, `has ${content.length} bytes, more than the limit of ${walk.maxBytes}`)
  } else if (language) walk.files.set(path, { ...known, path, absolute, language, size: content.length, content })
  else if (byName && !isRunnerFile(path)) {
    leaveOut(walk, 'unknown language')
    note(walk, 'warning', 'left-out', path, 'is of no language that flakesniff knows')
  }
}

const wouldBeFound = (walk: Walk, absolute: string): boolean => whyNotFound(walk, absolute) === undefined

function whyNotFound(walk: Walk, absolute: string): Reason | undefined {
  const at = withOwnRules(walk, arrive(walk, dirname(absolute), walk.root))
  const onTheWay = leftOutOnTheWay(at)
  return onTheWay
    ?? (at.rules.ignores(at.fromOrigin + basename(absolute)) ? 'ignored' : walk.included(absolute) ? undefined : 'not included')
}

/** Why a walk from the root would leave a file out, told by where it lies; it need not be on the disk. */
export function leavesOut(absolute: string, options: DiscoverOptions): Reason | undefined {
  const real = (path: string) => attempt(() => realpathSync.native(path))
  const lexicalRoot = resolve(options.root), root = real(lexicalRoot) ?? lexicalRoot
  const file = join(real(dirname(absolute)) ?? join(root, relative(lexicalRoot, dirname(absolute))), basename(absolute))
  return isInside(root, file) ? whyNotFound(begin(root, options), file) : undefined
}

/** A folder with the rules of all folders above it, from the top of its repository. */
function arrive(walk: Walk, folder: string, boundary: string): Folder {
  const top = repositoryTop(folder) ?? boundary
  const base = baseOf(walk.root, walk.options)
  const governs = (walk.options.ignore?.length ?? 0) > 0 && isInside(base, folder)
  const origin = governs && isInside(base, top) ? base : top
  let at: Folder = { absolute: origin, path: '', fromOrigin: '', rules: firstRules(top, origin, governs ? base : null, walk),
    underGo: false, boundary }
  for (const part of relative(origin, folder).split(sep).filter(p => p !== ''))
    at = below(withOwnRules(walk, at), part)
  return { ...at, path: folderPath(walk.root, folder) }
}

// The configuration's patterns stand last, as if the topmost of our own ignore files held them: see ignores.ts.
function firstRules(top: string, origin: string, base: string | null, walk: Walk): IgnoreRules {
  const exclude = join(top, '.git', 'info', 'exclude')
  const git = isPlainFile(exclude) ? attempt(() => readFileSync(exclude, 'utf8')) : undefined
  const rules = NO_IGNORES.extend(folderPath(origin, top), { git })
  return base === null ? rules : rules.extend(folderPath(origin, base), { own: walk.options.ignore!.join('\n') })
}

/** For a folder above the linted one: its ignore files are looked for by name. */
function withOwnRules(walk: Walk, folder: Folder): Folder {
  const read = (name: string) => (isPlainFile(join(folder.absolute, name)) ? readRules(walk, folder, name) : undefined)
  const git = read('.gitignore'), own = read('.flakesniffignore')
  return {
    ...folder,
    rules: git === undefined && own === undefined ? folder.rules : folder.rules.extend(folder.fromOrigin, { git, own }),
    underGo: folder.underGo || isPlainFile(join(folder.absolute, 'go.mod')),
  }
}

/** When a part of a project is linted, the files above it still say how its tests run. */
function seeRunnerFilesAbove(walk: Walk, folder: string, boundary: string): void {
  for (const at of foldersUpward(folder, boundary)) {
    if (walk.seenAbove.has(at)) return
    walk.seenAbove.add(at)
    for (const file of runnerFilesIn(at)) walk.configFiles.add(pathOf(walk, file))
  }
}

// --- the walk -------------------------------------------------------------------------------------------------------

function walkFolder(walk: Walk, first: Folder): void {
  const todo = [first]
  for (let folder = todo.pop(); folder; folder = todo.pop()) {
    if (walk.seen.has(folder.absolute)) continue
    walk.seen.add(folder.absolute)
    todo.push(...visit(walk, folder))
  }
}

/** Takes a folder's files and returns the folders in it that are to be walked. */
function visit(walk: Walk, folder: Folder): Folder[] {
  const entries = list(walk, folder)
  if (!entries) return []
  const here = withListedRules(walk, folder, entries)
  const beside = (name: string) => entries.some(e => e.name === name)
  const deeper: Folder[] = []
  for (const entry of entries) {
    if (entry.kind === 'folder') {
      if (METADATA.has(entry.name)) continue
      const next = below(here, entry.name, entry.bytes)
      const reason = folderLeftOut(next, entry.name, beside)
      if (reason) leaveOut(walk, reason)
      else deeper.push(next)
    } else if (entry.kind === 'file') visitFile(walk, here, entry)
    else if (entry.kind === 'link') visitLink(walk, here, entry)
  }
  return deeper
}

function below(folder: Folder, name: string, bytes?: Buffer): Folder {
  return {
    ...placeOf(folder, name, bytes),
    path: `${folder.path}${name}/`,
    fromOrigin: `${folder.fromOrigin}${name}/`,
    rules: folder.rules,
    underGo: folder.underGo,
    boundary: folder.boundary,
  }
}

/** Where a name of a folder is to be found. */
function placeOf(folder: Folder, name: string, bytes: Buffer | undefined): Place {
  const absolute = inFolder(folder.absolute, name)
  const raw = bytes ?? (folder.bytes && Buffer.from(name))
  return raw ? { absolute, bytes: joinBytes(folder, raw) } : { absolute }
}

const joinBytes = (folder: Folder, name: Buffer) => Buffer.concat([folder.bytes ?? Buffer.from(folder.absolute), Buffer.from(sep), name])

function folderLeftOut(folder: Folder, name: string, beside: (name: string) => boolean): Reason | undefined {
  if (folder.rules.wanted(folder.fromOrigin)) return undefined
  const inside = (file: string) => exists(join(folder.absolute, file))
  if (isVendored(name, { beside, inside, underGo: folder.underGo })) return 'vendored'
  return folder.rules.ignores(folder.fromOrigin) ? 'ignored' : undefined
}

function visitFile(walk: Walk, folder: Folder, entry: Entry): void {
  const { name } = entry
  const path = folder.path + name
  const bare = isScriptName(name)
  const known = bare ? undefined : languageOf(name, '')
  const isConfig = isRunnerFile(path)
  if ((!known && !bare && !isConfig) || walk.files.has(path)) return
  if (folder.rules.ignores(folder.fromOrigin + name)) {
    if (known) leaveOut(walk, 'ignored')
    return
  }
  if (isConfig) walk.configFiles.add(path)
  if (!known && !bare) return
  addFound(walk, path, placeOf(folder, name, entry.bytes), known)
}

function addFound(walk: Walk, path: string, at: Place, known: Language | undefined): void {
  const opens = openable(at)
  let stats: Stats
  try {
    stats = lstatSync(opens)
  } catch (error) {
    unreadable(walk, path, error)
    return
  }
  const language = known ?? (mayBeScript(stats) ? languageOfScript(walk, path, opens) : undefined)
  if (!language) return
  if (!walk.included(at.absolute)) leaveOut(walk, 'not included')
  else if (stats.size > walk.maxBytes) leaveOut(walk, 'too large')
  else walk.files.set(path, { path, ...at, language, size: stats.size })
}

function visitLink(walk: Walk, folder: Folder, entry: Entry): void {
  const path = folder.path + entry.name
  if (folder.rules.ignores(folder.fromOrigin + entry.name) || folder.rules.ignores(`${folder.fromOrigin}${entry.name}/`)) return
  const opens = openable(placeOf(folder, entry.name, entry.bytes))
  try {
    const target = realpathSync.native(opens)
    if (isInside(folder.boundary, target)) walk.links.set(target, folder.boundary)
    else {
      leaveOut(walk, 'symlink')
      note(walk, 'note', 'symlink', path, 'is a link that leads out of the root, and was not followed')
    }
  } catch (error) {
    // A link to a test that is gone is worth a word; one to anything else is not ours.
    if (errorCode(error) === 'ENOENT' && !isScriptName(entry.name) && !languageOf(entry.name, '')) return
    leaveOut(walk, 'unreadable')
    note(walk, 'warning', 'unreadable', path, `is a link that leads nowhere: ${why(error)}`)
  }
}

/** What a link leads to is reported by its real path, if it is not there already and nothing on its way is left out. */
function follow(walk: Walk, target: string, boundary: string): void {
  const stats = attempt(() => statSync(target))
  if (!stats) return
  const folder = stats.isDirectory() ? target : dirname(target)
  if (walk.seen.has(folder)) return
  const at = arrive(walk, folder, boundary)
  const reason = leftOutOnTheWay(at)
  if (reason) leaveOut(walk, reason)
  else if (stats.isDirectory()) walkFolder(walk, at)
  else if (stats.isFile()) {
    visitFile(walk, withOwnRules(walk, at), { name: basename(target), kind: 'file' })
  }
}

function leftOutOnTheWay(folder: Folder): Reason | undefined {
  for (let at = folder.absolute, from = folder.fromOrigin; at !== folder.boundary && from !== '';
    at = dirname(at), from = from.replace(/[^/]*\/$/, ''))
  {
    const beside = (name: string) => exists(join(dirname(at), name))
    if (METADATA.has(basename(at))) return 'ignored'
    const reason = folderLeftOut({ ...folder, absolute: at, fromOrigin: from }, basename(at), beside)
    if (reason) return reason
  }
  return undefined
}

// --- reading --------------------------------------------------------------------------------------------------------

interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Where the name is not UTF-8. */
  readonly bytes?: Buffer
}

function list(walk: Walk, folder: Folder): Entry[] | undefined {
  try {
    const entries = readdirSync(openable(folder), { withFileTypes: true })
    return entries.some(e => e.name.includes('\uFFFD')) ? listBytes(folder) : entries.map(e => ({ name: e.name, kind: kindOf(e) }))
  } catch (error) {
    unreadable(walk, pathOf(walk, folder.absolute), error)
    return undefined
  }
}

// The replacement character stands for bytes that were lost: read the names again, as they are.
function listBytes(folder: Folder): Entry[] {
  const entries = readdirSync(openable(folder), { withFileTypes: true, encoding: 'buffer' }) as unknown as Dirent<Buffer>[]
  return entries.map(e => {
    const name = e.name.toString('utf8')
    return Buffer.from(name).equals(e.name) ? { name, kind: kindOf(e) } : { name: shownPath(e.name), kind: kindOf(e), bytes: e.name }
  })
}

const kindOf = (e: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Entry['kind'] =>
  e.isFile() ? 'file' : e.isDirectory() ? 'folder' : e.isSymbolicLink() ? 'link' : 'other'

function withListedRules(walk: Walk, folder: Folder, entries: readonly Entry[]): Folder {
  let git: string | undefined, own: string | undefined, go = false
  for (const { name, kind } of entries) {
    if (kind !== 'file') continue
    if (name === '.gitignore') git = readRules(walk, folder, name)
    else if (name === '.flakesniffignore') own = readRules(walk, folder, name)
    else if (name === 'go.mod') go = true
  }
  if (git === undefined && own === undefined && !go) return folder
  return { ...folder, rules: folder.rules.extend(folder.fromOrigin, { git, own }), underGo: folder.underGo || go }
}

function readRules(walk: Walk, folder: Folder, name: string): string | undefined {
  try {
    return readFileSync(folder.bytes ? joinBytes(folder, Buffer.from(name)) : join(folder.absolute, name), 'utf8')
  } catch (error) {
    unreadable(walk, pathOf(walk, join(folder.absolute, name)), error)
    return undefined
  }
}

const SMALL = 16 * 1024
const FIRST_LINE = 128

const mayBeScript = (stats: Stats) => stats.isFile() && stats.size > 2 && ((stats.mode & 0o111) !== 0 || stats.size <= SMALL)

function languageOfScript(walk: Walk, path: string, opens: string | Buffer): Language | undefined {
  let open: number | undefined
  try {
    open = openSync(opens, 'r')
    const bytes = Buffer.alloc(FIRST_LINE)
    return languageOf('script', bytes.toString('utf8', 0, readSync(open, bytes, 0, FIRST_LINE, 0)))
  } catch (error) {
    unreadable(walk, path, error)
    return undefined
  } finally {
    if (open !== undefined) closeSync(open)
  }
}

// --- bookkeeping ----------------------------------------------------------------------------------------------------

function leaveOut(walk: Walk, reason: Reason): void {
  walk.leftOut.set(reason, (walk.leftOut.get(reason) ?? 0) + 1)
}

function note(walk: Walk, level: Notice['level'], id: Notice['id'], file: string, message: string): void {
  walk.notices.push({ level, id, file, line: null, message })
}

function unreadable(walk: Walk, path: string, error: unknown): void {
  leaveOut(walk, 'unreadable')
  note(walk, 'warning', 'unreadable', path === '' ? '.' : path, `cannot be read: ${why(error)}`)
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'too many links',
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'not a folder',
}

const errorCode = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''
// In our words: the system's own message repeats the path, and that must go through the formatters' escaping.
const why = (error: unknown) => WORDS[errorCode(error)] ?? (errorCode(error) || 'unknown error')

const pathOf = (walk: Walk, absolute: string) => slashed(relative(walk.root, absolute))
// Names come from the system: unlike join, this need not make them canonical.
const inFolder = (folder: string, name: string) => (folder.endsWith(sep) ? folder + name : folder + sep + name)

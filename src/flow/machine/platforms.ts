// What holds on one family of systems only: how paths and lines are put together, and files that only Linux has.

import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { readFrom } from './reads.ts'
import { rootOf } from './roots.ts'

interface Seen {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly textOf: (span: Span) => string
}

export interface Dependence {
  readonly at: Span
  readonly message: string
}

/** The file knows that systems differ: it asks which one it is on, or how paths and lines are written there. */
const KNOWS = new RegExp(
  ['process\\.platform', 'sys\\.platform', '\\bos\\.(name|sep|linesep|EOL)\\b', 'os\\.platform\\(', 'platform\\.system', 'runtime\\.GOOS',
    'go:build', '\\+build', 'target_os', 'cfg\\(\\w*\\(?(unix|windows)', 'cfg!\\((unix|windows)', '(Enabled|Disabled)OnOs', 'IS_OS_',
    'is_?windows', 'win32', 'os\\.name', 'path\\.sep\\b', 'MAIN_SEPARATOR', 'File\\.separator', 'lineSeparator', 'OSTYPE', '\\buname\\b',
    'is_linux', 'isLinux'].join('|'),
  'i',
)

/** A part of a file asks which system it is on. */
export const asksSystem = (text: string): boolean => KNOWS.test(text)

export const knowsSystems = ({ facts, textOf }: Seen): boolean =>
  /linux|unix|posix|windows/i.test(facts.path) || KNOWS.test(textOf(facts.units[0]!.span))

const SLASHED = /^[\w.@-]*(\/[\w.@-]+)+$/
/** What puts a path together, or takes one apart, with the separator of the system. */
const BY_SYSTEM = /^(path\.(join|relative|normalize|resolve)|os\.path\.(join|relpath|normpath)|path\/filepath\.(Join|Rel|Clean|FromSlash))$/

/** A path with the separator of the system is compared with a text that has one of them. */
export function* separators(unit: Unit, view: Seen): Generator<Dependence> {
  for (const check of unit.assertions) {
    if (check.compare !== '==' && check.compare !== '!=') continue
    const text = check.operands.find(o => o.is === 'literal' && typeof o.value === 'string' && SLASHED.test(o.value))
    const other = text && check.operands.find(o => o !== text)
    if (text?.is === 'literal' && other && isJoined(other, check, unit, view))
      yield { at: check.span, message: `compares a path with '${String(text.value)}': where paths have another separator, it differs` }
  }
}

function isJoined(value: Value, check: Assertion, unit: Unit, view: Seen): boolean {
  const write = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.start < check.span.start) : undefined
  const made = write?.value ?? value
  if (made.is === 'call') return BY_SYSTEM.test(unit.calls[made.call]!.name)
  // A joined path is kept as its parts: only the text tells what joined them.
  return made.is === 'text' && spelledBy(made, view.textOf(write?.span ?? check.span), view.textOf(check.span), unit, view)
}

function spelledBy(made: Value & { is: 'text' }, source: string, check: string, unit: Unit, view: Seen): boolean {
  switch (view.facts.language) {
    case 'typescript':
      return /(?<![.\w])(path\.)?(join|normalize|resolve)\(/.test(source)
        && view.facts.imports.some(i => /^(node:)?path(\.(join|normalize|resolve|default))?$/.test(i.name))
    case 'go':
      return /\bfilepath\.(Join|Clean|FromSlash)\(/.test(source)
    // Two paths are compared part by part; only as a text has one a separator.
    case 'rust':
      return /\.join\(/.test(source) && /to_string_lossy\(|\.display\(|to_str\(/.test(check) && !/Path(Buf)?::/.test(check)
    case 'python':
      return made.parts.length === 1 && isPath(made.parts[0]!, unit) && !/Posix/.test(source)
    case 'java':
      return made.parts.length === 1 && made.parts[0]!.is === 'name'
        && new RegExp(`\\b(Path|File)\\s+${made.parts[0]!.path.replace(/\W/g, '\\$&')}\\b`).test(view.textOf(unit.span))
    default:
      return false
  }
}

/** `str(Path("a") / "b")`, `str(path_of(Path("a")))`. */
function isPath(value: Value, unit: Unit): boolean {
  if (value.is === 'op') return value.op === '/' && value.of[0] !== undefined && isPath(value.of[0], unit)
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  return call !== undefined
    && (/^pathlib\.(Pure)?Path$/.test(call.name)
      || call.args.some(a => a.is === 'call' && /^pathlib\.(Pure)?Path$/.test(unit.calls[a.call]!.name)))
}

const LOOKS =
  /(^|[.:])(exists|existsSync|stat|statSync|lstat|lstatSync|readlink|readlinkSync|isdir|isfile|isDirectory|Stat|Lstat|Readlink|metadata|read_link)$/

/** Files of the kernel that only Linux has. */
export function onlyLinux(call: Call, unit: Unit, view: Seen): Dependence | undefined {
  const root = rootOf(readFrom(call) ?? (LOOKS.test(call.name) ? call.args[0] : undefined), unit, view)
  return root?.is === 'text' && /^\/(proc|sys)\//.test(root.text)
    ? { at: call.span, message: `looks into ${root.text}${root.whole ? '' : '…'}, which only Linux has` }
    : undefined
}

const BUFFERS = /^java\.io\.(StringWriter|ByteArrayOutputStream|CharArrayWriter)\.new$/
const PRINTS = /^java\.io\.Print(Writer|Stream)\.println$|^java\.io\.BufferedWriter\.newLine$/

/** `out.println(…)` ends a line as the system does, and the text that is expected ends it in one way. */
export function* lineEnds(unit: Unit, view: Seen): Generator<Dependence> {
  if (!unit.calls.some(c => PRINTS.test(c.name))) return
  const isBuffer = (v: Value): boolean =>
    v.is === 'name' && unit.writes.some(w => w.target === v.path && w.value.is === 'call' && BUFFERS.test(unit.calls[w.value.call]!.name))
  for (const check of unit.assertions) {
    const text = check.operands.map(o => fold(o, unit, view.folding)).find(t => typeof t === 'string' && /[^\r]\n/.test(t))
    const printed = check.operands.some(o => o.is === 'text' && o.parts.length === 1 && isBuffer(o.parts[0]!))
    if (text !== undefined && printed && check.compare === '==')
      yield { at: check.span, message: 'expects \\n at the ends of lines that were printed as the system ends them' }
  }
}

// Where a path begins: in the home of whoever runs the test, in the working directory, or with a text that is written down.
// It is followed through names, joins and what only looks at a path from another side; what is put behind does not matter.

import type { Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { ancestors, has, inForce } from '../../facts/query.ts'

/** `text` is the whole path, or its beginning up to the first thing that is not known. */
export type Root = { readonly is: 'home' | 'cwd' } | { readonly is: 'text'; readonly text: string; readonly whole: boolean }

interface Seen {
  readonly facts: FileFacts
  readonly folding: Folding
}

const HOME_NAME = /^(HOME|(globalThis\.)?process\.env\.(HOME|USERPROFILE))$/
const HOME_KEY = /^(HOME|USERPROFILE|user\.home)$/
const CWD_NAME = /^PWD$/
const CWD_KEY = /^(PWD|user\.dir)$/
const VARIABLES = /^(os\.environ|process\.env)$/
/** What gives a variable of the environment or a property of the runtime by its name. */
const ASKS = /^(os\.(Getenv|LookupEnv|getenv|environ\.get)|java\.lang\.System\.(getenv|getProperty)|std::env::var(_os)?|Deno\.env\.get)$/
/** What gives a path that begins as the one it is given or called on. */
const KEEPS = new RegExp(`(^|[.:/])(${
  [
    'join|joinpath|normpath|abspath|resolve|normalize|Clean|Dir|dirname|Abs|EvalSymlinks|parent|getParent|getParentFile|absolute|toAbsolutePath|canonicalize|realpath|with_suffix',
    'Path|PurePath|PosixPath|File\\.new|Path::new|PathBuf::from|toPath|toFile|to_path_buf|as_path|unwrap|expect|clone|to_str|to_string_lossy|toString|String|str|fspath',
  ].join('|')
})$`)

export function rootOf(value: Value | null | undefined, unit: Unit, view: Seen, depth = 0): Root | undefined {
  if (!value || depth > 10) return undefined
  const folded = fold(value, unit, view.folding)
  if (typeof folded === 'string') return { is: 'text', text: folded, whole: true }
  const into = (v: Value | null | undefined, of = unit) => rootOf(v, of, view, depth + 1)
  switch (value.is) {
    case 'name':
      return HOME_NAME.test(value.path) && !isSet(value.path, view)
        ? { is: 'home' }
        : CWD_NAME.test(value.path) && !isSet(value.path, view)
        ? { is: 'cwd' }
        : ofName(value.path, unit, view, into)
    case 'text':
      return partial(into(value.parts[0]), value.parts.slice(1).map(p => fold(p, unit, view.folding)), '')
    case 'op':
      if (value.op === '[]' && value.of[0]?.is === 'name' && VARIABLES.test(value.of[0].path))
        return ofKey(fold(value.of[1], unit, view.folding))
      return value.op === '/' || value.op === '+'
        ? partial(into(value.of[0]), value.of.slice(1).map(p => fold(p, unit, view.folding)), value.op === '/' ? '/' : '')
        : undefined
    case 'group':
      return value.of.length === 1 ? into(value.of[0]) : undefined
    case 'call': {
      const call = unit.calls[value.call]
      return call && ofCall(call, unit, view, into)
    }
    default:
      return undefined
  }
}

const ofKey = (key: unknown): Root | undefined =>
  typeof key !== 'string' ? undefined : HOME_KEY.test(key) ? { is: 'home' } : CWD_KEY.test(key) ? { is: 'cwd' } : undefined

/** A beginning, and what is put behind it as far as it is known. */
function partial(root: Root | undefined, more: readonly unknown[], between: string): Root | undefined {
  if (root?.is !== 'text' || !root.whole) return root
  const known = more.findIndex(p => typeof p !== 'string' && typeof p !== 'number')
  const text = [root.text, ...(known < 0 ? more : more.slice(0, known))].join(between)
  return { is: 'text', text: known < 0 ? text : `${text}${between}`, whole: known < 0 }
}

function ofCall(call: Call, unit: Unit, view: Seen, into: (v: Value | null | undefined) => Root | undefined): Root | undefined {
  // `expanduser("./shop")` leaves alone what does not begin with the sign for the home.
  const plain = /expanduser$/.test(call.name) ? into(call.args[0] ?? call.receiver) : undefined
  if (plain?.is === 'text' && plain.text !== '' && !plain.text.startsWith('~')) return plain
  if (has(call, 'home-read')) return { is: 'home' }
  if (has(call, 'cwd-read')) return { is: 'cwd' }
  if (ASKS.test(call.name)) return ofKey(fold(call.args[0], unit, view.folding))
  if (!KEEPS.test(call.name)) return undefined
  const isModule = call.receiver?.is === 'name' && call.resolution === 'import' && call.name.startsWith(call.receiver.path)
  const [first, ...more] = [...(call.receiver && call.receiver.is !== 'unknown' && !isModule ? [call.receiver] : []), ...call.args]
  return partial(into(first), more.map(p => fold(p, unit, view.folding)), '/')
}

/** The one value that a name is given where the unit sees it: in itself, in what is around it, in its hooks. */
function ofName(path: string, unit: Unit, view: Seen, into: (v: Value, of: Unit) => Root | undefined): Root | undefined {
  if (unit.params.includes(path)) return undefined
  const bare = path.replace(/^(self|cls|this)\.(?=\w+$)/, '')
  const scopes = [unit, ...ancestors(view.facts, unit), ...inForce(view.facts, unit).filter(u => u.role.is === 'hook')]
  for (const scope of scopes) {
    const writes = scope.writes.filter(w => (w.target === path || (scope !== unit && w.target === bare)) && w.value.is !== 'unknown')
    if (writes.length > 0) return writes.length === 1 && !writes[0]!.adds ? into(writes[0]!.value, scope) : undefined
  }
  return undefined
}

const isSet = (path: string, { facts }: Seen): boolean => facts.units.some(u => u.writes.some(w => w.target === path))

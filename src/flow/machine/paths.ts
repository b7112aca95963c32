// Paths as text: what a path value comes to, with the parts that are not known left out as `…`.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { valuesIn } from '../../facts/query.ts'
import type { Flows } from '../flow.ts'

/** What only puts paths together. */
const JOINS =
  /(^|[.:/])(join|resolve|normpath|abspath|Path|PurePath|PathBuf::from|Path::new|get|of|File\.new|from|push|expanduser|toString|to_path_buf|into|unwrap|as_path|clone|absolute|try_from|join_\w+|concat)$/
export const TEMP_ROOTS =
  /^(tempfile\.gettempdir|os\.TempDir|os\.tmpdir|std::env::temp_dir|(org\.apache\.commons\.io\.)?FileUtils\.getTempDirectory(Path)?)$/

/** `os.path.join`: the module is no part of the path. */
const isModule = ({ name, receiver, resolution }: Call): boolean =>
  resolution === 'import' && receiver?.is === 'name' && name.startsWith(`${receiver.path}.`)

/** The path that a value comes to; undefined where nothing of it is known. */
export function pathOf(value: Value | undefined, unit: Unit, folding: Folding, depth = 0): string | undefined {
  if (!value || depth > 8) return undefined
  const folded = fold(value, unit, folding)
  if (typeof folded === 'string') return folded
  const inner = (v: Value) => pathOf(v, unit, folding, depth + 1) ?? '…'
  switch (value.is) {
    case 'name': {
      const writes = unit.writes.filter(w => w.target === value.path)
      return writes.length === 1 && !writes[0]!.adds ? pathOf(writes[0]!.value, unit, folding, depth + 1) : undefined
    }
    case 'text':
      return value.parts.map(inner).join('')
    case 'op':
      return value.op === '/' || value.op === '+' ? value.of.map(inner).join(value.op === '/' ? '/' : '') : undefined
    case 'group':
      return value.of.length === 1 ? inner(value.of[0]!) : undefined
    case 'call': {
      const call = unit.calls[value.call]
      if (!call) return undefined
      if (TEMP_ROOTS.test(call.name)) return '/tmp'
      if (/System\.getProperty$/.test(call.name)) return fold(call.args[0], unit, folding) === 'java.io.tmpdir' ? '/tmp' : undefined
      return JOINS.test(call.name)
        ? [...(call.receiver && call.receiver.is !== 'unknown' && !isModule(call) ? [call.receiver] : []), ...call.args].map(inner).join(
          '/',
        )
        : undefined
    }
    default:
      return undefined
  }
}

/** The path where it, or what it begins with, is written down and nothing in it varies. */
export function fixedPath(value: Value | undefined, unit: Unit, view: { readonly folding: Folding; readonly flows: Flows }, among: RegExp):
  | string
  | undefined
{
  if (!value) return undefined
  const folded = fold(value, unit, view.folding)
  if (typeof folded === 'string') return among.test(folded) ? folded : undefined
  const { origins, unknown } = view.flows.ingredients(unit, value, Infinity)
  if (origins.length > 0 || unknown.some(u => u !== '…')) return undefined
  const inner = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path)?.value : value
  const first = inner
    && [...valuesIn(inner, unit)].find(v => v.is === 'literal' && typeof v.value === 'string') as { value: string } | undefined
  return first && among.test(first.value) ? first.value : undefined
}

// What one test hands on to another: a variable of the file that begins empty, that a test fills and that another only reads.

import type { FileFacts, Span, Unit, Value, Write } from '../../facts/facts.ts'
import { ancestors, marked, runsIn, valuesIn } from '../../facts/query.ts'
import { isPartOf } from './leaks.ts'
import { isReset, sharedIn, type Pair, type Shared } from './shared.ts'

type TextOf = (span: Span) => string

/** `let cart`, `let cart: Cart | undefined` at the top of a file or suite: no facts tell of it, since nothing is written there. */
export function bareNames(file: FileFacts, textOf: TextOf): Shared[] {
  if (file.language !== 'typescript') return []
  const text = textOf(file.units[0]!.span), start = file.units[0]!.span.start
  const found: Shared[] = []
  for (const match of text.matchAll(/^[ \t]*(?:let|var) (\w+(?:, *\w+)*)(?:!?: *[^=;\n(]+)?;?[ \t]*$/gm)) {
    const at = start + match.index
    const owner = file.units.filter(u =>
      u.span.start <= at && u.span.end > at && u.role.is !== 'module'
    ).sort((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0] ?? file.units[0]!
    if (owner.role.is !== 'module' && owner.role.is !== 'suite')
      continue
    const span = { start: at, end: at + match[0].length }
    for (const name of match[1]!.split(/, */)) {
      const write: Write = { span, target: name, value: { is: 'literal', value: null }, in: 0, declares: true, adds: false }
      found.push({ name, paths: [name], owner, write, bare: true })
    }
  }
  // A name that is declared twice says too little.
  return found.filter(f =>
    !found.some(o => o !== f && o.name === f.name && (o.owner === f.owner || ancestors(file, f.owner).includes(o.owner)))
  )
}

/** `Mutex::new(None)`: what Rust keeps a variable of the file in, and how it is taken out. */
const CELL = /::(Mutex|RwLock)::new$/, TAKEN = /::(lock|read)$/

/** Nothing yet: what a test needs cannot be that. A plain zero is, where it stands for the number of something. */
function isEmpty({ write: { value }, name, owner }: Shared): boolean {
  const cell = value.is === 'call' ? owner.calls[value.call]! : undefined
  if (cell && CELL.test(cell.name)) return cell.args[0]?.is === 'literal' && cell.args[0].value === null
  if (value.is === 'name') return value.path === 'undefined'
  return value.is === 'literal' && (value.value === null || value.value === '' || (value.value === 0 && /id$/i.test(name)))
}

/** A test that fills a variable, and one that hands it on or asserts on it and never sets it: by itself it finds nothing there. */
export function* handedOn(file: FileFacts, textOf: TextOf): Generator<Pair> {
  const tests = file.units.filter(u => u.role.is === 'test')
  if (tests.length < 2 || file.language === 'bash') return
  const told = new Set<string>()
  for (const shared of [...sharedIn(file).filter(isEmpty), ...bareNames(file, textOf)]) {
    const sets = (u: Unit): Write[] => u.writes.filter(w => shared.paths.some(p => isPartOf(w.target, p)) && w !== shared.write)
    const own = (u: Unit): boolean => u.params.includes(shared.name) || u.writes.some(w => w.declares && w.target === shared.name)
    // Set by anybody but a test, it is there for all of them.
    if (file.units.some(u => u.role.is !== 'test' && !ancestors(file, u).some(a => a.role.is === 'test') && sets(u).length > 0 && !own(u))
      || file.imports.some(i => i.local === shared.name)) continue
    const top = (u: Unit): Unit => [u, ...ancestors(file, u)].findLast(a => a.role.is === 'test')!
    const under = tests.filter(t => !own(t) && (shared.owner.role.is === 'module' || ancestors(file, t).includes(shared.owner)))
    const writers = under.flatMap(test =>
      sets(test).filter(w => !w.adds && shared.paths.includes(w.target) && runsIn(test, w.in) === 'inline' && !isNothing(w.value)).map(
        w => ({ test, write: w }),
      )
    )
    for (const { test, write } of writers) {
      const setsItself = (t: Unit): boolean => file.units.some(u => (u === t || ancestors(file, u).includes(t)) && sets(u).length > 0)
      const reader = under.find(t =>
        top(t) !== top(test) && t.span.start > test.span.end && !setsItself(t) && !asksFirst(t, shared, textOf) && readOf(t, shared)
      )
      if (!reader || told.has(`${top(test).id} ${top(reader).id}`) || marked(file, test, 'serial') || isReset(file, shared, reader)
        || isReset(file, shared, test)) continue
      told.add(`${top(test).id} ${top(reader).id}`)
      yield { shared, writer: { test, span: write.span, adds: false }, reader: { test: reader, span: readOf(reader, shared)! },
        fixture: false }
      break
    }
  }
}

const isNothing = (value: Value): boolean =>
  (value.is === 'literal' && (value.value === null || value.value === '')) || (value.is === 'name' && value.path === 'undefined')

/** Where a test asserts on it or gives it to a call. */
function readOf(unit: Unit, shared: Shared): Span | undefined {
  const reads = (value: Value): boolean =>
    [...valuesIn(value, unit)].some(v => v.is === 'name' && shared.paths.some(p => isPartOf(v.path, p)))
  return unit.assertions.find(a => a.claims === 'presence' && a.operands.some(reads))?.span
    ?? unit.calls.find(c => [...c.args, ...Object.values(c.named)].some(reads))?.span
    ?? unit.writes.find(w => w.declares && w.value.is === 'call' && TAKEN.test(unit.calls[w.value.call]!.name) && reads(w.value))?.span
}

/** It looks first whether anything is there, and skips or helps itself otherwise; or a callback's parameter has the same name. */
function asksFirst(unit: Unit, { name }: Shared, textOf: TextOf): boolean {
  // `if err := give(x); err != nil` asks for the error.
  const text = textOf(unit.span).replace(/^[^\n]*\bif err :?= [^\n]*$/gm, '')
  const it = `\\b${name}\\b`
  const asked = [`\\b(?:if|for)\\b[^\\n]*${it}`, `${it}\\s*(?:\\?\\?|\\|\\|)`, `[Aa]ssume\\w*\\([^\\n]*${it}`]
  const named = [`${it}[^()\\n]*\\)?\\s*=>`, `function\\b[^\\n]*\\([^)\\n]*${it}`, `\\b(?:let|var|const)\\b[^=\\n]*${it}`]
  return new RegExp([...asked, ...named].join('|')).test(text)
}

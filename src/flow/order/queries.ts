// Queries and what they ask for: the text of a SELECT, or the calls that build one, with an order or without.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { effectOf, valuesIn } from '../../facts/query.ts'

/** The manager of a model, whose name is the project's own. */
export const MANAGED = /\.objects\.(all|filter|exclude|values_list)$/

/**
 * What gives rows whatever the type of who is asked: `accountRepository.findAll()`, `findAllByOwner(…)`, `query.getResultList()`. One that keeps
 * its things in memory has an order of its own.
 */
const ASKS = /\.(findAll(By\w+)?|getResultList|getResultStream)$/
const KEPT_IN_MEMORY = /memory|fake|stub|mock|dummy/i
export const givesRows = ({ name, receiver, args }: Call): boolean => {
  const whom = receiver?.is === 'name' ? receiver.path : ''
  if (!ASKS.test(name) || KEPT_IN_MEMORY.test(name) || KEPT_IN_MEMORY.test(whom) || /OrderBy/.test(name)) return false
  if (/\.getResult\w+$/.test(name)) return true
  return (REPOSITORY.test(whom) || /(Repository|Repo|Dao|DAO)\.\w+$/.test(name)) && (args.length === 0 || !/findAll$/.test(name))
    && !args.some(a => a.is === 'name' && /sort|page/i.test(a.path))
}

/** Whoever reads, writes or keeps a statement rather than asks it, and whoever puts rows in order by its own name. */
const READS_STATEMENT =
  /parse|token|lex|format|pretty|split|compil|plan|explain|analy|lint|valid|check|column|field|schema|type|param|prepare|rewrite|transl|convert|normal|complet|suggest|highlight|extract|fingerprint|mock|stub|fake|expect|assert|when|given|verify|log|print|render|escape|quote|strip|trim|replace|diff|hash|key|optimi|lineage|tree|ast$|dialect|error|sort|order|\.new$|::new$/i
/** Rows that stand in the statement itself, or that a function gives, come as they stand there. */
const OWN_ROWS = /\bfrom\s*(\(\s*values\b|values\b|[\w.]+\s*\(|dual\b)/i

/** `sql("SELECT * FROM orders")`: a helper of another file that is handed the text of a query gives its rows. */
export const isHandedQuery = (unit: Unit, call: Call): boolean => !effectOf(call, 'rows') && isAskedByText(unit, call)

const isAskedByText = (unit: Unit, { name, args, target }: Call): boolean =>
  target === undefined && !READS_STATEMENT.test(name)
  && args.some(a =>
    (a.is === 'literal' || a.is === 'text' || a.is === 'op')
    && [...valuesIn(a, unit)].some(v =>
      v.is === 'literal' && typeof v.value === 'string' && /^\s*\(?select\b[^]*\bfrom\b/i.test(v.value) && !OWN_ROWS.test(v.value)
    )
  )

/** Bare values are rows only where one column is asked for; else they are the columns of one row. */
export const givesSuch = (unit: Unit, { args }: Call, rows: readonly Value[]): boolean =>
  rows.some(r => r.is !== 'literal')
  || args.some(a =>
    [...valuesIn(a, unit)].some(v => v.is === 'literal' && /^\s*select\s+(distinct\s+)?[^,*]+?\sfrom\b/i.test(String(v.value)))
  )

/** The text that a helper's parameter is given where the query is asked for. */
export type Asked = (param: string) => string | undefined

const REPOSITORY = /(^|[._])\w*(repo|repository|dao)$/i
const ORDERED = /\border\s+by\b|\b(count|sum|max|min|avg|exists)\s*\(|\blimit\s+1\b|\binsert\b|\bupdate\b|\bdelete\b|\bpragma\b/i
const ORDERS = /^(order|sort)|order(_?by)?$/i
const last = (name: string): string => /(\w+)$/.exec(name)?.[1] ?? name

/** A query that is seen to ask for no order: its SQL stands here, or it is built of calls that name none. */
export function isUnorderedQuery(unit: Unit, call: Call, asked: Asked): boolean {
  if (isStubbed(unit, call)) return false
  const own = call.receiver?.is === 'name' ? call.receiver.path : undefined
  // `cursor.execute(…)` and later `cursor.fetchall()`.
  const executed = own === undefined
    ? undefined
    : unit.calls.findLast(c =>
      c.span.end <= call.span.start && /execute$/.test(c.name) && c.receiver?.is === 'name' && c.receiver.path === own
    )
  const chain = [call, ...(executed ? [executed] : [])].flatMap(c => [...valuesIn({ is: 'call', call: unit.calls.indexOf(c) }, unit)])
  const bound = chain.flatMap(
    v => (v.is === 'name' ? unit.writes.filter(w => w.target === v.path).flatMap(w => [...valuesIn(w.value, unit)]) : []),
  )
  const calls = [...chain, ...bound].flatMap(v => (v.is === 'call' && unit.calls[v.call] ? [unit.calls[v.call]!] : []))
  if (calls.some(c =>
    ORDERS.test(last(c.name)) || /(^|\.)(Sort|PageRequest)\.\w+$/.test(c.name)
    || Object.keys(c.named).some(k => ORDERS.test(k.replace('$', '')))
  )) return false
  const texts = [...chain, ...bound].flatMap(
    v => (v.is === 'literal' && typeof v.value === 'string' ? [v.value] : v.is === 'name' ? asked(v.path) ?? [] : []),
  )
  if (texts.some(t => ORDERED.test(t))) return false
  const note = effectOf(call, 'rows')?.note
  if (note === 'statement' || note === 'built') return note === 'statement' || isBuilt(unit, call, calls)
  if (givesRows(call) && !/\.getResult\w+$/.test(call.name)) return true
  if (/\.getResult\w+$/.test(call.name) && texts.some(t => /^\s*from\s+\w/i.test(t))) return true
  return texts.some(t => /^\s*\(?select\b[^]*\bfrom\b/i.test(t)) || MANAGED.test(call.name)
    || chain.some(v => v.is === 'name' && /\.objects$/.test(v.path)) || calls.some(isAskedOfSession)
}

/** `when(repository.findAll()).thenReturn(…)`: a stand-in gives what it is told to, in that order. */
const isStubbed = (unit: Unit, call: Call): boolean =>
  unit.calls.some(c =>
    /(^|\.)(when|given|doReturn|verify|every)$/.test(c.name)
    && c.args.some(a => a.is === 'call' && last(unit.calls[a.call]!.name) === last(call.name))
  )

/** `session.query(User).all()` of a session that the test is given, `users.select().execute().fetchall()` of a table. */
const isAskedOfSession = ({ name, receiver, args }: Call): boolean =>
  (/\.query$/.test(name) && receiver?.is === 'name' && /(^|[._])(db_?)?(session|sess)$/i.test(receiver.path) && args[0]?.is === 'name')
  || (/\.select$/.test(name) && args.length === 0 && receiver?.is === 'name')

/** What is asked by its kind: a repository by its name, or a model by its capital. */
function asksFor(unit: Unit, { receiver }: Call, whom: RegExp): boolean {
  const name = receiver?.is === 'name' ? receiver.path : receiver?.is === 'call' ? last(unit.calls[receiver.call]!.name) : ''
  return whom.test(name)
}

/**
 * `select(…).from(…)`, `find(…).toArray()`, `Item.find(…).exec()`, `knex('users').select()`, `userRepository.findAll()`; or a call of an
 * ORM whose name says that it gives many.
 */
function isBuilt(unit: Unit, call: Call, calls: readonly Call[]): boolean {
  const word = last(call.name)
  if (word === 'find' || (word === 'findAll' && call.name.endsWith('.findAll') && call.args.length === 0))
    return asksFor(unit, call, word === 'find' ? REPOSITORY : /(^|[._])(\w*(repo|repository|dao)|[A-Z][a-z]\w*)$/i)
  if (word === 'select') return calls.some(c => /^(knex|db|trx)$/.test(last(c.name)) && c.args.length === 1 && c.args[0]!.is === 'literal')
  if (word === 'exec') return calls.some(c => /\.find$/.test(c.name) && asksFor(unit, c, /^[A-Z]\w*[a-z]\w*$/))
  const beside = word === 'from' ? /\.select$/ : /^(toArray|lean)$/.test(word) ? /\.(find|aggregate)$/ : undefined
  return !beside || calls.some(c => beside.test(c.name))
}

/**
 * The variable that Go's mappers fill: `db.Where(…).Find(&users)`, `db.Select(&users, "SELECT …")`; undefined where an order is asked for.
 */
export function filledBy(unit: Unit, call: Call): string | undefined {
  if (!/\.(Find|Select|SelectContext)$/.test(call.name) || call.resolution === 'import') return undefined
  const [first, second] = call.args[0]?.is === 'name' && /^ctx$/.test(call.args[0].path) ? call.args.slice(1) : call.args
  if (first?.is !== 'name' || !unit.writes.some(w => w.target === first.path && w.declares)) return undefined
  const chain = [...valuesIn({ is: 'call', call: unit.calls.indexOf(call) }, unit)]
  const texts = chain.flatMap(v => (v.is === 'literal' && typeof v.value === 'string' ? [v.value] : []))
  if (chain.some(v => v.is === 'call' && ORDERS.test(last(unit.calls[v.call]!.name))) || texts.some(t => ORDERED.test(t))) return undefined
  const mapper = /\.Find$/.test(call.name) && chain.some(v => v.is === 'name' && /(^|[._])(db|DB|tx|TX|gormDB|orm)\d*$/.test(v.path))
  return mapper || (second?.is === 'literal' && typeof second.value === 'string' && /^\s*select\b/i.test(second.value))
    ? first.path
    : undefined
}

// Queries and what they ask for: the text of a SELECT, or the calls that build one, with an order or without.

import type { Call, Unit } from '../facts/facts.ts'
import { effectOf, valuesIn } from '../facts/query.ts'

/** The manager of a model, whose name is the project's own. */
export const MANAGED = /\.objects\.(all|filter|exclude|values_list)$/

/** The text that a helper's parameter is given where the query is asked for. */
export type Asked = (param: string) => string | undefined

const ORDERED = /\border\s+by\b|\b(count|sum|max|min|avg|exists)\s*\(|\blimit\s+1\b|\binsert\b|\bupdate\b|\bdelete\b|\bpragma\b/i
const ORDERS = /^(order|sort)|order(_?by)?$/i
const last = (name: string): string => /(\w+)$/.exec(name)?.[1] ?? name

/** A query that is seen to ask for no order: its SQL stands here, or it is built of calls that name none. */
export function isUnorderedQuery(unit: Unit, call: Call, asked: Asked): boolean {
  const own = call.receiver?.is === 'name' ? call.receiver.path : undefined
  // `cursor.execute(…)` and later `cursor.fetchall()`.
  const executed = own === undefined ? undefined : unit.calls.findLast(c => c.span.end <= call.span.start && /execute$/.test(c.name) && c.receiver?.is === 'name' && c.receiver.path === own)
  const chain = [call, ...(executed ? [executed] : [])].flatMap(c => [...valuesIn({ is: 'call', call: unit.calls.indexOf(c) }, unit)])
  const bound = chain.flatMap(v => (v.is === 'name' ? unit.writes.filter(w => w.target === v.path).flatMap(w => [...valuesIn(w.value, unit)]) : []))
  const calls = [...chain, ...bound].flatMap(v => (v.is === 'call' && unit.calls[v.call] ? [unit.calls[v.call]!] : []))
  if (calls.some(c => ORDERS.test(last(c.name)) || Object.keys(c.named).some(k => ORDERS.test(k.replace('$', ''))))) return false
  const texts = [...chain, ...bound].flatMap(v => (v.is === 'literal' && typeof v.value === 'string' ? [v.value] : v.is === 'name' ? asked(v.path) ?? [] : []))
  if (texts.some(t => ORDERED.test(t))) return false
  const note = effectOf(call, 'rows')?.note
  if (note === 'statement' || note === 'built') return note === 'statement' || isBuilt(call, calls)
  return texts.some(t => /^\s*\(?select\b[^]*\bfrom\b/i.test(t)) || MANAGED.test(call.name) || chain.some(v => v.is === 'name' && /\.objects$/.test(v.path)) || calls.some(isAskedOfSession)
}

/** `session.query(User).all()` of a session that the test is given, `users.select().execute().fetchall()` of a table. */
const isAskedOfSession = ({ name, receiver, args }: Call): boolean =>
  (/\.query$/.test(name) && receiver?.is === 'name' && /(^|[._])(db_?)?(session|sess)$/i.test(receiver.path) && args[0]?.is === 'name')
  || (/\.select$/.test(name) && args.length === 0 && receiver?.is === 'name')

/** `select(…).from(…)`, `find(…).toArray()`; or a call of an ORM whose name says that it gives many. */
function isBuilt(call: Call, calls: readonly Call[]): boolean {
  const beside = /\.from$/.test(call.name) ? /\.select$/ : /\.(toArray|lean)$/.test(call.name) ? /\.(find|aggregate)$/ : undefined
  return !beside || calls.some(c => beside.test(c.name))
}

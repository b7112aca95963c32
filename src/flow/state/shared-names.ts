// Names of what is shared, databases, topics, files of the temporary folder, that no catalog knows to be one: the text says it, or
// the name of what takes it.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { TEMP_ROOTS } from '../machine/paths.ts'

export interface SharedName {
  readonly call: Call
  readonly value: Value
  readonly what: string
}

/** The address of a database, or a statement that makes something by a name. */
export const DATABASE =
  /^(?:jdbc|r2dbc|mongodb|mysql|mariadb|postgres|postgresql|redis|rediss|sqlite|sqlite3|sqlserver|cockroachdb|hsqldb|derby|h2|amqp)(?:\+\w+)*:|^file:[^\s]*(?:mode=memory|\bmem\b)|[?&;/](?:database|dbname|databaseName)=[\w-]*$|^\s*create\s+(?:(?:temp|temporary|unlogged)\s+)?(?:database|schema|table|keyspace)\b/i
/** `setDatabaseName`, `useDb`, `createTopic`, `collection_name`. */
const TAKES =
  /(?:^|[._:])(?:set|with|use|create|new|open|select)?_?(db|database|schema|keyspace|collection|topic|queue|bucket)(?:_?name)?$/i
const SAYS = /assert|expect|equal|verify|print|log|describe|error|fail|mock|stub/i

/** `setUrl("jdbc:h2:mem:shop-" + now)`, `{ database: \`shop-${now}\` }`. */
export function* sharedNames(unit: Unit): Generator<SharedName> {
  for (const call of unit.calls) {
    if (SAYS.test(call.name) || has(call, 'name-resource', 'log')) continue
    for (const [key, value] of [...call.args.map((a, i) => [i === 0 ? call.name : '', a] as const), ...Object.entries(call.named)]) {
      if (value.is !== 'text') continue
      const first = value.parts[0], taker = TAKES.exec(key)?.[1]
      const address = first?.is === 'literal' && DATABASE.test(String(first.value))
      if (address || taker) yield { call, value, what: taker?.replace(/^db$/i, 'database').toLowerCase() ?? 'database' }
    }
  }
}

/** A path that begins in the temporary folder that all share. */
export function inShared(value: Value, unit: Unit): boolean {
  const first = value.is === 'text' ? value.parts[0] : undefined
  if (first?.is === 'literal') return /^\/(?:var\/)?tmp(?:\/|$)/.test(String(first.value))
  return first !== undefined && [...valuesIn(first, unit)].some(v => v.is === 'call' && isRoot(unit.calls[v.call]!))
}

const isRoot = ({ name, args }: Call): boolean =>
  TEMP_ROOTS.test(name) || (/System\.getProperty$/.test(name) && args[0]?.is === 'literal' && args[0].value === 'java.io.tmpdir')

// Arguments against their schema, with a word of help for whoever wrote them.

import { didYouMean } from '../../index.ts'
import { callError } from './envelope.ts'
import type { ObjectSchema, ToolDefinition } from './tools.ts'

/** What we need of Ajv, which the SDK brings. */
interface Problem {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string | undefined
}
type Valid = ((given: unknown) => unknown) & { readonly errors?: readonly Problem[] | null }

/** Throws INVALID_PARAMS where they do not fit. */
export type Check = (tool: ToolDefinition, given: Readonly<Record<string, unknown>>) => void

export function makeCheck(ajv: { readonly compile: (schema: object) => Valid }): Check {
  const compiled = new Map<string, Valid>()
  return ({ name, inputSchema }, given) => {
    let valid = compiled.get(name)
    if (!valid) compiled.set(name, valid = ajv.compile(inputSchema))
    if (valid(given)) return
    // A misspelt argument is missing as well: the help stands in the first word.
    const problems = [...valid.errors ?? []].sort((a, b) =>
      Number(b.keyword === 'additionalProperties') - Number(a.keyword === 'additionalProperties')
    ).map(e => ({ argument: argumentOf(e), problem: sentence(e, inputSchema) }))
    throw callError('INVALID_PARAMS', `${name}: ${problems.map(p => p.problem).join('; ')}`, { problems })
  }
}

/** `/paths/0` → `paths[0]`; what is missing or too much is named by itself. */
function argumentOf({ instancePath, params }: Problem): string {
  const named = params['additionalProperty'] ?? params['missingProperty']
  return typeof named === 'string' ? named : instancePath.slice(1).replace(/\/(\d+)/g, '[$1]')
}

function sentence(error: Problem, { properties }: ObjectSchema): string {
  const name = argumentOf(error)
  const known = Object.keys(properties)
  if (error.keyword === 'additionalProperties')
    return `there is no argument ${JSON.stringify(name)}${didYouMean(name, known) || `; it takes ${known.join(', ') || 'none'}`}`
  if (error.keyword === 'required') return `${name} is missing`
  if (error.keyword === 'enum') return `${name} must be one of ${(error.params['allowedValues'] as string[]).join(', ')}`
  return `${name} ${error.message ?? 'does not fit'}`
}

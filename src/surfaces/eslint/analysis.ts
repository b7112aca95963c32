// One analysis of a file, shared by every rule that ESLint runs on it.

import { makeLinter, type Finding, type Language, type Linter, type Preset } from '../../index.ts'

/** What our rules need of a rule's context: of ESLint's, whatever the language, and of oxlint's. */
export interface Context {
  readonly cwd: string
  readonly filename: string
  readonly options: readonly unknown[]
  readonly sourceCode: {
    readonly text: string
    readonly ast: { readonly type: string; readonly language?: Language }
    getAllComments(): readonly unknown[]
    getLocFromIndex(index: number): Position
  }
}

export interface Position {
  readonly line: number
  readonly column: number
}

/** Where flakesniff's own configuration decides. */
type Asked = Preset | 'configured'

type ByRule = ReadonlyMap<string, readonly Finding[]>

// By tree, not by source code: oxlint has one object of that for all files.
const analyses = new WeakMap<object, Map<Asked, ByRule>>()
const linters = new Map<string, Linter>()

export function findingsOf(ruleId: string, context: Context): readonly Finding[] {
  const { ast } = context.sourceCode
  const asked = (context.options[0] as { readonly preset?: Preset } | undefined)?.preset ?? 'configured'
  let known = analyses.get(ast)
  if (!known) analyses.set(ast, known = new Map())
  let byRule = known.get(asked)
  if (!byRule) known.set(asked, byRule = analyse(context, asked))
  return byRule.get(ruleId) ?? []
}

function analyse({ cwd, filename, sourceCode }: Context, asked: Asked): ByRule {
  const { text, ast } = sourceCode
  const own = ast.language
  const { findings, notices } = linterFor(cwd, asked).lint({
    path: filename,
    text,
    ...(own ? { language: own } : { tree: { program: ast, comments: sourceCode.getAllComments() } }),
  })
  for (const { id, file, message } of notices) if (id === 'internal') process.emitWarning(`${file}: ${message}`, 'FlakesniffWarning')
  const byRule = new Map<string, Finding[]>()
  for (const finding of findings) byRule.get(finding.ruleId)?.push(finding) ?? byRule.set(finding.ruleId, [finding])
  return byRule
}

function linterFor(cwd: string, asked: Asked): Linter {
  const key = `${asked} ${cwd}`
  let linter = linters.get(key)
  if (!linter) linters.set(key, linter = makeLinter({ cwd, ...(asked !== 'configured' && { preset: asked }) }))
  return linter
}

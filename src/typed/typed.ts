// Asks the TypeScript compiler which calls throw a promise away. Loaded only where somebody asked for it: a compiler reads
// a whole program, which takes longer than everything else here together.

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { CallExpression, Node, Project, Type } from 'ts-morph'

type Morph = typeof import('ts-morph')

/** Carries a message for the user; the way out is part of it. */
export interface TypedError extends Error {
  readonly name: 'TypedError'
}

export const isTypedError = (error: unknown): error is TypedError => error instanceof Error && error.name === 'TypedError'

function cannot(message: string): never {
  throw Object.assign(new Error(`--typed: ${message}`), { name: 'TypedError' as const })
}

/**
 * Spans of calls that stand as statements of their own and give a promise, by file: start and end, one after the other. Paths are
 * relative to the root. Each file is read in the program of the nearest tsconfig.json above it; files without one are left out.
 */
export async function promisesIn(root: string, paths: readonly string[]): Promise<Record<string, readonly number[]>> {
  const byConfig = new Map<string, string[]>()
  for (const path of paths) {
    const config = nearest(dirname(resolve(root, path)), 'tsconfig.json')
    if (config !== undefined) byConfig.get(config)?.push(path) ?? byConfig.set(config, [path])
  }
  if (byConfig.size === 0)
    return paths.length === 0
      ? {}
      : cannot('there is no tsconfig.json above any of the files; add one, or leave --typed (and "typed" in the configuration) out')
  const morph = await load()
  const found: Record<string, readonly number[]> = {}
  for (const [config, files] of byConfig) {
    if (nearest(dirname(config), 'node_modules') === undefined)
      cannot(`there is no node_modules above ${config}: without it the compiler knows no types; install the dependencies first`)
    const project = open(config, morph)
    for (const path of files) project.addSourceFileAtPathIfExists(resolve(root, path))
    for (const path of files) {
      const spans = spansIn(resolve(root, path), project, morph)
      if (spans.length > 0) found[path] = spans
    }
  }
  return found
}

async function load(): Promise<Morph> {
  try {
    return await import('ts-morph')
  } catch {
    return cannot('needs the package ts-morph, which is not installed; `npm install --save-dev ts-morph` brings it')
  }
}

function open(config: string, { Project }: Morph): Project {
  try {
    return new Project({ tsConfigFilePath: config, skipAddingFilesFromTsConfig: true, compilerOptions: { allowJs: true, noEmit: true } })
  } catch (error) {
    return cannot(`${config} cannot be used (${error instanceof Error ? error.message.split('\n')[0] : error})`)
  }
}

function nearest(folder: string, name: string): string | undefined {
  for (let at = folder;; at = dirname(at)) {
    if (existsSync(join(at, name))) return join(at, name)
    if (dirname(at) === at) return undefined
  }
}

function spansIn(file: string, project: Project, { Node, SyntaxKind }: Morph): number[] {
  const spans: number[] = []
  for (const statement of project.getSourceFile(file)?.getDescendantsOfKind(SyntaxKind.ExpressionStatement) ?? []) {
    let at: Node = statement.getExpression()
    while (Node.isParenthesizedExpression(at) || Node.isNonNullExpression(at) || Node.isAsExpression(at)) at = at.getExpression()
    if (Node.isCallExpression(at) && givesPromise(at)) spans.push(at.getStart(), at.getEnd())
  }
  return spans
}

/** Anything with a `then` to call; of several types, one that has it is enough. */
function givesPromise(call: CallExpression): boolean {
  const isThenable = (type: Type): boolean => {
    const then = type.isAny() ? undefined : type.getProperty('then')
    return then !== undefined && then.getTypeAtLocation(call).getCallSignatures().length > 0
  }
  const type = call.getReturnType()
  return type.isUnion() ? type.getUnionTypes().some(isThenable) : isThenable(type)
}

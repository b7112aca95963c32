// Trees that other programs made: ESLint's espree, typescript-eslint, Babel's for ESLint, oxlint. All speak ESTree; whether one
// of them covers this text, and says where things stand in it, is asked here.

import type { ForeignTree } from '../frontend.ts'
import { endOf, type Node } from './syntax.ts'

interface Readable {
  readonly program: Node
  readonly comments: readonly Node[]
}

/** Undefined where the tree is of another kind, has no offsets, or is of another text: then the text is parsed again. */
export function readableTree({ program, comments }: ForeignTree, text: string): Readable | undefined {
  if (!isNode(program) || program.type !== 'Program' || !Array.isArray(program['body'])) return undefined
  const statements: unknown[] = program['body']
  if (!statements.every(s => isNode(s) && hasPlace(s))) return undefined
  const last = statements.at(-1) as Node | undefined
  if (last && endOf(last) > text.length) return undefined
  // A first line of `#!` is a comment to ESLint alone.
  const read = comments.filter((c): c is Node => isNode(c) && (c.type === 'Line' || c.type === 'Block'))
  return read.every(hasPlace) ? { program, comments: read } : undefined
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const hasPlace = (node: Node): boolean =>
  Array.isArray(node['range']) || (typeof node['start'] === 'number' && typeof node['end'] === 'number')

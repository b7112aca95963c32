// The only file that knows the binding. A tree is copied once into plain nodes and freed: reading a property of a
// binding's node crosses into WebAssembly each time, reading one of ours does not.

import { readFileSync } from 'node:fs'
import type { Parser, Tree as BindingTree } from 'web-tree-sitter'
import type { Problem } from '../facts/facts.ts'

export interface Node {
  readonly type: string
  /** False for keywords and punctuation. */
  readonly named: boolean
  /** The name of the parent's field that holds this node, or ''. */
  readonly field: string
  readonly start: number
  readonly end: number
  readonly children: readonly Node[]
  readonly parent: Node | null
}

export interface Tree {
  readonly root: Node
  readonly problems: readonly Problem[]
}

export type Grammar = 'python' | 'java' | 'rust' | 'go' | 'bash'

interface Loaded {
  readonly parser: Parser
  readonly types: readonly string[]
  readonly named: readonly boolean[]
  readonly fields: readonly string[]
  readonly passedOver: readonly boolean[]
}

const grammars = new Map<Grammar, Loaded>()
let started: Promise<typeof import('web-tree-sitter')> | undefined

/** Imported on first use: a run over shell scripts alone should not pay for what it does not need. */
async function start(): Promise<typeof import('web-tree-sitter')> {
  const binding = await import('web-tree-sitter')
  await binding.Parser.init()
  return binding
}

/** Loads a grammar; must have ended before `parse` is called with it. */
export async function loadGrammar(grammar: Grammar): Promise<void> {
  if (grammars.has(grammar)) return
  const { Language, Parser } = await (started ??= start())
  const language = await Language.load(readFileSync(new URL(`../../grammars/tree-sitter-${grammar}.wasm`, import.meta.url)))
  const parser = new Parser()
  parser.setLanguage(language)
  const types = Array.from({ length: language.nodeTypeCount }, (_, id) => language.nodeTypeForId(id) ?? '')
  const fields = Array.from({ length: language.fieldCount + 1 }, (_, id) => language.fieldNameForId(id) ?? '')
  const named = types.map((_, id) => language.nodeTypeIsNamed(id))
  // In a shell, signs are operators; in Go, commas tell the names of a declaration from its values.
  const passedOver = types.map((type, id) => grammar !== 'bash' && !(grammar === 'go' && type === ',') && !named[id] && PASSED_OVER.has(type))
  grammars.set(grammar, { parser, types, named, fields, passedOver })
}

/** `budgetMs` bounds the time one hostile file can cost; the result is null when it runs out. */
export function parse(grammar: Grammar, text: string, budgetMs = 10_000): Tree | null {
  const loaded = grammars.get(grammar)
  if (!loaded) throw new Error(`the ${grammar} grammar is not loaded`)
  const deadline = performance.now() + budgetMs
  const tree = loaded.parser.parse(text, null, { progressCallback: () => performance.now() > deadline })
  if (!tree) {
    loaded.parser.reset()
    return null
  }
  try {
    return copy(tree, loaded)
  } finally {
    tree.delete()
  }
}

/** Half of all nodes are signs that no parser of ours asks for; they are passed over. */
const PASSED_OVER = new Set(['(', ')', '{', '}', '[', ']', ',', ';', '.'])

interface Growing extends Node {
  children: Growing[]
  parent: Growing | null
}

function copy(tree: BindingTree, { types, named, fields, passedOver }: Loaded): Tree {
  const cursor = tree.walk()
  const problems: Problem[] = []
  const hasError = tree.rootNode.hasError
  const read = (id: number, parent: Growing | null): Growing => {
    // An error has an id that no table holds.
    const type = types[id] ?? cursor.nodeType
    const node: Growing = {
      type, named: named[id] ?? true, field: parent ? fields[cursor.currentFieldId] ?? '' : '',
      start: cursor.startIndex, end: cursor.endIndex, children: [], parent,
    }
    if (hasError && (type === 'ERROR' || cursor.nodeIsMissing))
      problems.push({ span: { start: node.start, end: node.end }, message: type === 'ERROR' ? 'unexpected code' : `missing ${type}` })
    return node
  }
  const root = read(cursor.nodeTypeId, null)
  /** The node whose children the cursor is among. */
  let parent = root
  let inside = cursor.gotoFirstChild()
  try {
    while (inside) {
      const id = cursor.nodeTypeId
      if (!passedOver[id] || hasError) {
        const node = read(id, parent)
        parent.children.push(node)
        if (cursor.gotoFirstChild()) {
          parent = node
          continue
        }
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent() || parent.parent === null) {
          inside = false
          break
        }
        parent = parent.parent
      }
    }
    return { root, problems }
  } finally {
    cursor.delete()
  }
}

export const field = (node: Node, name: string): Node | undefined => node.children.find(c => c.field === name)
export const fieldsOf = (node: Node, name: string): Node[] => node.children.filter(c => c.field === name)
export const named = (node: Node): Node[] => node.children.filter(c => c.named && c.type !== 'comment')

/** Every node below (and with) this one, in source order. */
export function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of node.children) yield* walk(child)
}

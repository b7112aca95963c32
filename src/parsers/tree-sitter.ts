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
  grammars.set(grammar, { parser, types, named, fields })
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

interface Growing extends Node {
  children: Growing[]
  parent: Growing | null
}

function copy(tree: BindingTree, { types, named, fields }: Loaded): Tree {
  const cursor = tree.walk()
  const problems: Problem[] = []
  const hasError = tree.rootNode.hasError
  const read = (parent: Growing | null): Growing => {
    const id = cursor.nodeTypeId
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
  let at = read(null)
  const root = at
  try {
    for (;;) {
      if (cursor.gotoFirstChild()) {
        const child = read(at)
        at.children.push(child)
        at = child
        continue
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return { root, problems }
        at = at.parent!
      }
      const sibling = read(at.parent)
      at.parent!.children.push(sibling)
      at = sibling
    }
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

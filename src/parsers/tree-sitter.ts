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

/**
 * What the binding itself calls to move a cursor, which lies in memory that all of these share. The binding's own cursor writes
 * itself there before each call and reads itself back after it, which takes longer than the call; ours stays there until a tree
 * is copied.
 */
interface Cursor {
  readonly _ts_tree_root_node_wasm: (tree: number) => void
  /** Begins at the node that lies in the shared memory. */
  readonly _ts_tree_cursor_new_wasm: (tree: number) => void
  readonly _ts_tree_cursor_delete_wasm: (tree: number) => void
  readonly _ts_tree_cursor_goto_first_child_wasm: (tree: number) => number
  readonly _ts_tree_cursor_goto_next_sibling_wasm: (tree: number) => number
  readonly _ts_tree_cursor_goto_parent_wasm: (tree: number) => number
  readonly _ts_tree_cursor_current_node_type_id_wasm: (tree: number) => number
  readonly _ts_tree_cursor_current_node_is_missing_wasm: (tree: number) => number
  readonly _ts_tree_cursor_current_field_id_wasm: (tree: number) => number
  readonly _ts_tree_cursor_start_index_wasm: (tree: number) => number
  readonly _ts_tree_cursor_end_index_wasm: (tree: number) => number
}

const grammars = new Map<Grammar, Loaded>()
/** Filled by the binding when it starts. */
const shared = {} as Cursor
let started: Promise<typeof import('web-tree-sitter')> | undefined

/** Imported on first use: a run over shell scripts alone should not pay for what it does not need. */
async function start(): Promise<typeof import('web-tree-sitter')> {
  const binding = await import('web-tree-sitter')
  await binding.Parser.init(shared as object)
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
  const passedOver = types.map((type, id) =>
    grammar !== 'bash' && !(grammar === 'go' && type === ',') && !named[id] && PASSED_OVER.has(type)
  )
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
  const {
    _ts_tree_cursor_goto_first_child_wasm: down,
    _ts_tree_cursor_goto_next_sibling_wasm: onward,
    _ts_tree_cursor_goto_parent_wasm: up,
    _ts_tree_cursor_current_node_type_id_wasm: typeId,
    _ts_tree_cursor_current_node_is_missing_wasm: isMissing,
    _ts_tree_cursor_current_field_id_wasm: fieldId,
    _ts_tree_cursor_start_index_wasm: startOf,
    _ts_tree_cursor_end_index_wasm: endOf,
  } = shared
  const problems: Problem[] = []
  const hasError = tree.rootNode.hasError
  // From here to its end nothing else of the binding may be called: the cursor lies where that would write.
  const at = (tree as unknown as readonly number[])[0]!
  shared._ts_tree_root_node_wasm(at)
  shared._ts_tree_cursor_new_wasm(at)
  const read = (id: number, parent: Growing | null): Growing => {
    // An error has an id that no table holds.
    const type = types[id] ?? 'ERROR'
    const node: Growing = { type, named: named[id] ?? true, field: parent ? fields[fieldId(at)] ?? '' : '', start: startOf(at),
      end: endOf(at), children: [], parent }
    if (hasError && (type === 'ERROR' || isMissing(at) === 1))
      problems.push({ span: { start: node.start, end: node.end }, message: type === 'ERROR' ? 'unexpected code' : `missing ${type}` })
    return node
  }
  const root = read(typeId(at), null)
  /** The node whose children the cursor is among. */
  let parent = root
  let inside = down(at) === 1
  try {
    while (inside) {
      const id = typeId(at)
      if (!passedOver[id] || hasError) {
        const node = read(id, parent)
        parent.children.push(node)
        if (down(at) === 1) {
          parent = node
          continue
        }
      }
      while (onward(at) !== 1) {
        if (up(at) !== 1 || parent.parent === null) {
          inside = false
          break
        }
        parent = parent.parent
      }
    }
    return { root, problems }
  } finally {
    shared._ts_tree_cursor_delete_wasm(at)
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

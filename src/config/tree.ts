// A configuration file as a tree that knows where each value stands, whichever syntax it is written in.

import jsonc, { type Node as JsonNode, type ParseError } from 'jsonc-parser'
import { type Node as YamlNode, type Pair, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml'

export interface Entry {
  readonly key: string
  readonly at: number
  readonly value: Tree
}

export type Tree =
  | { readonly is: 'map'; readonly at: number; readonly entries: readonly Entry[] }
  | { readonly is: 'list'; readonly at: number; readonly items: readonly Tree[] }
  | { readonly is: 'value'; readonly at: number; readonly value: string | number | boolean | null }

/** What is wrong, and the offset where. */
export interface Fault {
  readonly at: number
  readonly message: string
}

export interface Read {
  readonly tree: Tree | undefined
  readonly faults: readonly Fault[]
}

export const readTree = (text: string, file: string): Read => (/\.ya?ml$/.test(file) ? readYaml(text) : readJson(text))

const JSON_FAULTS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word that JSON does not know',
  InvalidNumberFormat: 'a number that JSON does not allow',
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected ":"',
  CommaExpected: 'expected ","',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: 'expected nothing more after the end',
  UnexpectedEndOfComment: 'the comment does not end',
  UnexpectedEndOfString: 'the string does not end',
  InvalidEscapeCharacter: 'an escape that JSON does not know',
  InvalidCharacter: 'a character that JSON does not allow here',
}

function readJson(text: string): Read {
  const errors: ParseError[] = []
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true, disallowComments: false })
  const faults = errors.map(e => ({ at: e.offset,
    message: `not valid JSON: ${JSON_FAULTS[jsonc.printParseErrorCode(e.error)] ?? 'not understood'}` })
  )
  // One slip makes the parser stumble over what follows; the first place is the one to look at.
  if (faults.length > 0) return { tree: undefined, faults: faults.slice(0, 1) }
  return { tree: root && fromJson(root), faults }
}

function fromJson(node: JsonNode): Tree {
  const children = node.children ?? []
  if (node.type === 'array') return { is: 'list', at: node.offset, items: children.map(fromJson) }
  if (node.type !== 'object') return { is: 'value', at: node.offset, value: node.value as string | number | boolean | null }
  return {
    is: 'map',
    at: node.offset,
    entries: children.flatMap((
      { children: [key, value] = [] },
    ) => (key && value ? [{ key: String(key.value), at: key.offset, value: fromJson(value) }] : [])),
  }
}

function readYaml(text: string): Read {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
  const faults: Fault[] = document.errors.slice(0, 1).map(e => ({ at: e.pos[0], message: `not valid YAML: ${e.message}` }))
  if (faults.length > 0 || document.contents === null) return { tree: undefined, faults }
  return { tree: fromYaml(document.contents, faults), faults }
}

function fromYaml(node: YamlNode | null, faults: Fault[]): Tree {
  const at = node?.range?.[0] ?? 0
  if (isMap(node))
    return { is: 'map', at, entries: (node.items as Pair<YamlNode, YamlNode | null>[]).map(pair => yamlEntry(pair, at, faults)) }
  if (isSeq(node)) return { is: 'list', at, items: (node.items as YamlNode[]).map(item => fromYaml(item, faults)) }
  // A few nested aliases can stand for millions of values, and no configuration needs one.
  if (isAlias(node)) faults.push({ at, message: 'aliases are not supported: write the value out' })
  const value: unknown = isScalar(node) ? node.value : null
  return { is: 'value', at, value: typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null }
}

function yamlEntry({ key, value }: Pair<YamlNode, YamlNode | null>, parentAt: number, faults: Fault[]): Entry {
  const at = key.range?.[0] ?? parentAt
  if (!isScalar(key)) faults.push({ at, message: 'expected a plain key' })
  const read = fromYaml(value, faults)
  return { key: isScalar(key) ? String(key.value) : '', at, value: value?.range ? read : { ...read, at } }
}

/** Lines and columns from 1, columns in UTF-16 units. */
export function position(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

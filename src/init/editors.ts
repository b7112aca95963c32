// Editors: the lines of an ESLint configuration, and what VS Code must be told for languages that ESLint did not know before.

import { parse as parseJson, printParseErrorCode, type ParseError } from 'jsonc-parser'
import { parseSync } from 'oxc-parser'
import type { Language } from '../facts/facts.ts'
import type { Preset } from '../rules/rule.ts'
import { setInJson } from './json-text.ts'
import type { Advice, Proposal } from './proposal.ts'
import type { Survey } from './survey.ts'

const CONFIGS = ['eslint.config.js', 'eslint.config.mjs', 'eslint.config.cjs', 'eslint.config.ts', 'eslint.config.mts']

interface Part {
  readonly local: string
  readonly from: string
}

const partsFor = (languages: readonly Language[]): Part[] =>
  [...languages].sort((a, b) => Number(b === 'typescript') - Number(a === 'typescript')).map(l => (l === 'typescript'
    ? { local: 'flakesniff', from: 'flakesniff/eslint' }
    : { local: `flakesniff${l[0]!.toUpperCase()}${l.slice(1)}`, from: `flakesniff/${l}` })
  )

export function eslint({ first, read, languages }: Survey, preset: Preset): (Proposal | Advice)[] {
  const path = first(...CONFIGS)
  const before = path === undefined ? null : read(path)
  if (path === undefined || before === null || /\bflakesniff\b/.test(before) || languages.length === 0) return []
  const parts = partsFor(languages)
  const after = withParts(path, before, parts, preset)
  const install: Advice = { say: 'ESLint finds the plugin once it is installed', lines: ['npm install --save-dev flakesniff'] }
  if (after !== undefined)
    return [{ path, why: 'shows findings where ESLint shows its own, in the editor too', before, after },
      ...(/"flakesniff"\s*:/.test(read('package.json') ?? '') ? [] : [install])]
  return [{ say: `${path} is written in a way that is yours to edit; it would be`,
    lines: [...parts.map(p => `import ${p.local} from '${p.from}'`), ...parts.map(p => `...${p.local}.configs.${preset},`)] }, install]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Adds imports behind the last one, and configurations behind the last of the list that the file gives back. */
function withParts(path: string, text: string, parts: readonly Part[], preset: Preset): string | undefined {
  const { program, errors } = parseSync(path, text)
  const body = program.body as unknown as Node[]
  const list = body.map(exported).find(n => n !== undefined)
  const items = list && itemsOf(list)
  if (errors.length > 0 || !items) return undefined
  const modules = body.some(n => n.type === 'ExportDefaultDeclaration')
  const quote = /from "|require\("/.test(text) ? '"' : "'"
  const semi = /;[ \t]*$/m.test(text) ? ';' : ''
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  // A plugin that waits for its grammar cannot be required.
  if (!modules) return undefined
  const imports = parts.map(p => `import ${p.local} from ${quote}${p.from}${quote}${semi}`).join(eol)
  const last = body.findLast(n => n.type === 'ImportDeclaration')
  const spread = parts.map(p => `...${p.local}.configs.${preset}`)
  const inner = placed(text, items, spread, eol)
  const head = last ? `${text.slice(0, last.end)}${eol}${imports}` : `${imports}${eol}${eol}`
  return inner === undefined ? undefined : `${head}${text.slice(last?.end ?? 0, inner.at)}${inner.text}${text.slice(inner.at)}`
}

function exported(node: Node): Node | undefined {
  if (node.type === 'ExportDefaultDeclaration') return node['declaration'] as Node
  const expression = node.type === 'ExpressionStatement' ? node['expression'] as Node : undefined
  return expression?.type === 'AssignmentExpression' ? expression['right'] as Node : undefined
}

interface Items {
  readonly open: number
  readonly last: Node | undefined
  readonly close: number
}

/** `[…]`, `defineConfig([…])` or `config(…, …)`. */
function itemsOf(node: Node): Items | undefined {
  if (node.type === 'ArrayExpression')
    return { open: node.start + 1, last: (node['elements'] as Node[]).at(-1) ?? undefined, close: node.end - 1 }
  if (node.type !== 'CallExpression') return undefined
  const given = node['arguments'] as Node[]
  const only = given.length === 1 ? given[0]! : undefined
  if (only?.type === 'ArrayExpression') return itemsOf(only)
  return given.length === 0 ? undefined : { open: given[0]!.start, last: given.at(-1), close: node.end - 1 }
}

/** Each on a line of its own where the list is written so, behind the last on its line otherwise. */
function placed(text: string, { open, last, close }: Items, spread: readonly string[], eol: string):
  | { at: number; text: string }
  | undefined
{
  if (!last) return { at: open, text: `${eol}${spread.map(s => `  ${s},${eol}`).join('')}` }
  const lineStart = text.lastIndexOf('\n', last.start - 1) + 1
  const indent = /^[ \t]*/.exec(text.slice(lineStart))![0]
  const own = text.slice(lineStart, last.start).trim() === ''
  const comma = /^\s*,/.exec(text.slice(last.end, close))
  const end = last.end + (comma?.[0].length ?? 0)
  // A comment behind the last entry belongs to it.
  const remark = own && comma ? /^[ \t]*\/\/[^\r\n]*/.exec(text.slice(end, close)) : null
  const at = end + (remark?.[0].length ?? 0)
  const lead = comma ? '' : ','
  return own
    ? { at, text: `${lead}${spread.map(s => `${eol}${indent}${s}`).join(',')}${comma ? ',' : ''}` }
    : { at, text: `${lead} ${spread.join(', ')}` }
}

/** As VS Code names the languages. */
const IDS: Readonly<Record<Language, readonly string[]>> = {
  typescript: ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'],
  python: ['python'],
  java: ['java'],
  go: ['go'],
  rust: ['rust'],
  bash: ['shellscript'],
}

/** The list takes the place of the default one, so the default ones stand in it too. */
export function vscode({ list, read, first, languages }: Survey): (Proposal | Advice)[] {
  const others = languages.filter(l => l !== 'typescript')
  if (list('.vscode').length === 0 || first(...CONFIGS) === undefined || others.length === 0) return []
  const path = '.vscode/settings.json'
  const before = read(path)
  const errors: ParseError[] = []
  const settings = parseJson(before ?? '{}', errors, { allowTrailingComma: true }) as Record<string, unknown> | undefined
  if (errors.length > 0)
    return [{ say: `${path} cannot be read (${printParseErrorCode(errors[0]!.error)}); it would be`,
      lines: [`"eslint.validate": ${JSON.stringify([...IDS.typescript, ...others.flatMap(l => IDS[l])])}`] }]
  const had = settings?.['eslint.validate']
  const kept = Array.isArray(had) ? had as unknown[] : []
  const named = kept.flatMap(k => (typeof k === 'string' ? [k] : []))
  const wanted = [...(kept.length > 0 ? kept : IDS.typescript), ...others.flatMap(l => IDS[l]).filter(id => !named.includes(id))]
  if (kept.length === wanted.length) return []
  const text = before === null || before.trim() === '' ? '{}' : before
  const after = setInJson(text, ['eslint.validate'], wanted)
  return [{ path, why: "lets VS Code show ESLint's findings in the other languages", before,
    after: before === null ? `${after}\n` : after }]
}

// A language for ESLint. Nothing is parsed here but comments that speak to it: the analysis happens when the first rule asks.

import type { ESLint } from 'eslint'
import { commentsIn, loadLanguages, type Comment, type Language } from '../../../index.ts'
import { configsFor, plugin, type Configs } from '../plugin.ts'
import { FileSourceCode, type Root } from './source-code.ts'

type EslintLanguage = NonNullable<ESLint.Plugin['languages']>[string]

export interface LanguagePlugin {
  /** The same for every language. */
  readonly plugin: ESLint.Plugin
  readonly configs: Configs
}

/** Adds the language to the plugin. Its grammar is loaded before any file is linted, for ESLint's languages cannot wait. */
export async function languagePlugin(language: Language, files: readonly string[]): Promise<LanguagePlugin> {
  await loadLanguages([language])
  plugin.languages[language] = languageFor(language)
  return { plugin, configs: configsFor(`/${language}`, { files: [...files], language: `flakesniff/${language}` }) }
}

interface File {
  readonly path: string
  readonly body: string | Uint8Array
}

interface Parsed {
  readonly ok: true
  readonly ast: Root
  readonly comments: readonly Comment[]
}

function languageFor(language: Language): EslintLanguage {
  return {
    fileType: 'text',
    lineStart: 1,
    columnStart: 0,
    nodeTypeKey: 'type',
    visitorKeys: { SourceFile: [] },
    // Rules for JavaScript read these when they begin: a configuration for all files must not end ESLint here.
    defaultLanguageOptions: { parserOptions: {}, globals: {} },
    validateLanguageOptions: () => {},
    parse: ({ path, body }: File): Parsed => {
      const text = textOf(body)
      const lines = text.split('\n')
      const loc = { start: { line: 1, column: 0 }, end: { line: lines.length, column: lines.at(-1)!.length } }
      const ast: Root = { type: 'SourceFile', language, range: [0, text.length], loc }
      return { ok: true, ast, comments: /\beslint\b/.test(text) ? commentsIn(text, language, path) : [] }
    },
    createSourceCode: ({ body }: File, parsed: unknown) => {
      const { ast, comments } = parsed as Parsed
      return new FileSourceCode(textOf(body), ast, comments)
    },
  } as EslintLanguage
}

const textOf = (body: string | Uint8Array): string => (typeof body === 'string' ? body : new TextDecoder().decode(body))

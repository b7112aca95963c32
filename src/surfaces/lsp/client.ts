// What the client said of itself when it began.

import { MarkupKind, type InitializeParams } from 'vscode-languageserver/node'
import type { Understood } from './diagnostics.ts'
import { pathOf } from './places.ts'

export interface Client extends Understood {
  readonly markdown: boolean
  /** Edits that name the version they are for. */
  readonly versioned: boolean
  /** It can be asked for its settings. */
  readonly configuration: boolean
  readonly watches: boolean
  readonly folders: boolean
  /** Those that were open at first. */
  readonly roots: readonly string[]
}

export function clientOf({ capabilities, workspaceFolders, rootUri, rootPath }: InitializeParams): Client {
  const { textDocument, workspace } = capabilities
  const shown = textDocument?.publishDiagnostics
  const uris = workspaceFolders?.map(f => f.uri) ?? (rootUri ? [rootUri] : [])
  return {
    related: shown?.relatedInformation ?? false,
    tags: shown?.tagSupport?.valueSet.includes(1) ?? false,
    codeDescription: shown?.codeDescriptionSupport ?? false,
    markdown: textDocument?.hover?.contentFormat?.includes(MarkupKind.Markdown) ?? true,
    versioned: workspace?.workspaceEdit?.documentChanges ?? false,
    configuration: workspace?.configuration ?? false,
    watches: workspace?.didChangeWatchedFiles?.dynamicRegistration ?? false,
    folders: workspace?.workspaceFolders ?? false,
    roots: uris.length > 0 ? uris.flatMap(uri => pathOf(uri) ?? []) : rootPath ? [rootPath] : [],
  }
}

/** Files that bear on findings in other files; the linter itself sees when they changed. */
export const WATCHED = [
  '**/{flakesniff.json,flakesniff.jsonc,.flakesniffrc.json,flakesniff.yaml,flakesniff.yml,.flakesniffignore,.flakesniff-baseline.jsonl,.gitignore,package.json}',
  '**/{pytest.ini,.pytest.ini,pyproject.toml,setup.cfg,tox.ini,conftest.py,Cargo.toml,nextest.toml,go.mod,pom.xml,build.gradle,build.gradle.kts,junit-platform.properties,testng.xml}',
  '**/{vitest,vite,jest,playwright,cypress}*.config.{ts,js,mts,mjs,cts,cjs,json}',
]

// Who may import whom. The rooms of src/ and what each may know of the others.

import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map(f => f.replaceAll('\\', '/')).filter(f => f.endsWith('.ts'))
  .sort()

interface Import {
  readonly from: string
  readonly what: string
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(/^(?:import .*|export .*|[\w ,]*\} )from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(m => m[1] ?? m[2]!).map(
    what => ({
      from: file,
      what: what.startsWith('.') ? relative(src, resolve(src, dirname(file), what)).replaceAll('\\', '/') : what,
    }),
  )
}

/** The first pattern that fits a file tells what it may import; patterns are of paths in src/ or of packages. */
const LAWS: readonly { readonly room: RegExp; readonly may: readonly RegExp[] }[] = [
  { room: /^facts\//, may: [/^facts\//] },
  { room: /^trace\//, may: [/^(facts|trace)\//, /^project\/packages\.ts$/] },
  { room: /^flow\//, may: [/^(facts|flow)\//] },
  { room: /^fixes\//, may: [/^(facts|flow|fixes)\//, /^rules\/rule\.ts$/] },
  { room: /^project\//, may: [/^(facts|project)\//, /^(yaml|jsonc-parser)$/] },
  { room: /^parsers\/tree-sitter\.ts$/, may: [/^facts\//, /^node:fs$/, /^web-tree-sitter$/] },
  { room: /^parsers\/typescript\//, may: [/^facts\//, /^parsers\/[^/]+\.ts$/, /^parsers\/typescript\//, /^oxc-parser$/] },
  { room: /^parsers\/(\w+)\//, may: [/^facts\//, /^parsers\/[^/]+\.ts$/, /^parsers\/SELF\//] },
  { room: /^parsers\/registry\.ts$/, may: [/^facts\//, /^parsers\//] },
  { room: /^parsers\//, may: [/^facts\//, /^parsers\/[^/]+\.ts$/] },
  { room: /^rules\/registry\.ts$/, may: [/^rules\//] },
  { room: /^rules\/pages\.ts$/, may: [/^node:fs$/] },
  { room: /^rules\/rule\.ts$/, may: [/^(facts|flow|project)\//] },
  { room: /^rules\/wording\.ts$/, may: [/^(facts|flow)\//, /^rules\/rule\.ts$/] },
  { room: /^rules\/[^/]+\/words\.ts$/, may: [/^rules\/rule\.ts$/] },
  { room: /^rules\//, may: [/^(facts|flow|fixes|project)\//, /^rules\/(rule|wording)\.ts$/, /^rules\/SELF\/(signs|words)\.ts$/] },
  { room: /^report\/diff\.ts$/, may: [/^rules\/rule\.ts$/, /^diff$/] },
  { room: /^report\/html\.ts$/, may: [/^report\//, /^node:fs$/] },
  { room: /^report\/sarif-limits\.ts$/, may: [/^node:zlib$/] },
  { room: /^report\//, may: [/^facts\//, /^report\//, /^rules\/rule\.ts$/, /^node:crypto$/] },
  {
    room: /^config\//,
    may: [
      /^facts\//,
      /^config\//,
      /^discover\/(globs|places)\.ts$/,
      /^parsers\/registry\.ts$/,
      /^rules\/rule\.ts$/,
      /^node:(fs|path)$/,
      /^(picomatch|yaml|jsonc-parser)$/,
    ],
  },
  {
    room: /^discover\//,
    may: [/^facts\//, /^discover\//, /^parsers\/registry\.ts$/, /^rules\/rule\.ts$/, /^node:(fs|path)$/, /^(picomatch|ignore)$/],
  },
  { room: /^baseline\//, may: [/^baseline\//, /^rules\/rule\.ts$/] },
  { room: /^changes\//, may: [/^changes\//, /^discover\/places\.ts$/, /^node:(child_process|path)$/] },
  {
    room: /^confirm\/runners\/(\w[\w-]*)\//,
    may: [/^facts\//, /^confirm\/runner\.ts$/, /^confirm\/runners\/[^/]+\.ts$/, /^confirm\/runners\/ROOM\//, /^node:path$/],
  },
  { room: /^confirm\/runners\/junit-xml\.ts$/, may: [/^confirm\/runner\.ts$/, /^@rgrove\/parse-xml$/] },
  {
    room: /^confirm\/(report|protocols)\//,
    may: [/^confirm\/(report|protocols|confirmation\.ts|runner\.ts|statistics\.ts|drive\.ts)/, /^report\/visible\.ts$/],
  },
  { room: /^confirm\//, may: [/^config\/nearest\.ts$/, /^facts\//, /^confirm\//, /^rules\/rule\.ts$/, /^node:/] },
  {
    room: /^init\//,
    may: [
      /^facts\//,
      /^init\//,
      /^discover\/discover\.ts$/,
      /^parsers\/registry\.ts$/,
      /^rules\/rule\.ts$/,
      /^node:(fs|path)$/,
      /^(yaml|jsonc-parser|oxc-parser)$/,
    ],
  },
  { room: /^typed\//, may: [/^node:(fs|path)$/, /^ts-morph$/] },
  {
    room: /^engine\//,
    may: [
      /^(facts|flow|trace|project|parsers|rules|fixes|report|config|changes|baseline|discover|engine)\//,
      /^node:(fs|os|path|url|v8|worker_threads)$/,
    ],
  },
  { room: /^(run|lint|linter|version|index)\.ts$/, may: [/./] },
  { room: /^surfaces\/eslint\//, may: [/^index\.ts$/, /^surfaces\/SELF\//, /^eslint$/, /^@eslint\/plugin-kit$/] },
  {
    room: /^surfaces\/lsp\//,
    may: [/^index\.ts$/, /^surfaces\/SELF\//, /^node:/, /^vscode-languageserver\/node$/, /^vscode-languageserver-textdocument$/],
  },
  // The command starts the servers.
  { room: /^surfaces\/cli\/main\.ts$/, may: [/^index\.ts$/, /^surfaces\/SELF\//, /^surfaces\/(lsp|mcp)\/index\.ts$/, /^node:/] },
  { room: /^surfaces\/mcp\//, may: [/^index\.ts$/, /^surfaces\/SELF\//, /^node:/, /^@modelcontextprotocol\/server(\/|$)/] },
  { room: /^surfaces\//, may: [/^index\.ts$/, /^surfaces\/SELF\//, /^node:/] },
]

describe.each(files)('src/%s', file => {
  const law = LAWS.find(l => l.room.test(file))

  test('imports only what its room may know', () => {
    expect(law, 'every room has a law').toBeDefined()
    const self = file.split('/')[1]!
    const may = law!.may.map(m => new RegExp(m.source.replace('SELF', self).replace('ROOM', file.split('/')[2] ?? self)))
    expect(importsOf(file).filter(i => !may.some(m => m.test(i.what))).map(i => i.what)).toEqual([])
  })
})

test('no parser knows a rule, no rule a parser', () => {
  const crossing = files.flatMap(importsOf).filter(i =>
    (i.from.startsWith('parsers/') && /^(rules|flow|report|engine)\//.test(i.what))
    || (/^rules\/[^/]+\/rule\.ts$/.test(i.from) && /^(parsers|report|engine|node:)/.test(i.what))
  )
  expect(crossing).toEqual([])
})

test('nothing outside the command line prints', () => {
  const printing = files.filter(f => !f.startsWith('surfaces/')).filter(f =>
    /\bconsole\.|process\.(stdout|stderr)\.write/.test(readFileSync(join(src, f), 'utf8'))
  )
  expect(printing).toEqual([])
})

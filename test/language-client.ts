// An editor, as far as the language server sees one: a real client library at the other end of real pipes.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { CodeActionRequest, DidChangeConfigurationNotification, DidChangeTextDocumentNotification, DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification, DidOpenTextDocumentNotification, ExitNotification, HoverRequest, InitializeRequest,
  InitializedNotification, LogMessageNotification, PublishDiagnosticsNotification, RegistrationRequest, ShowMessageNotification,
  ShutdownRequest, StreamMessageReader, StreamMessageWriter, ConfigurationRequest, createProtocolConnection, type CodeAction, type Hover,
  type InitializeResult, type MarkupContent, type ProtocolConnection, type PublishDiagnosticsParams, type Range, type Registration,
  type TextEdit } from 'vscode-languageserver-protocol/node'

const bin = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))

export interface Options {
  readonly folder: string
  readonly initializationOptions?: unknown
  /** What the client answers when it is asked for its settings; it cannot be asked where left out. */
  readonly settings?: () => unknown
  /** A client that knows nothing of what the protocol has learnt over the years. */
  readonly plain?: boolean
  /** Without a workspace. */
  readonly lonely?: boolean
  readonly env?: Readonly<Record<string, string>>
}

export interface LanguageClient {
  readonly child: ChildProcess
  readonly connection: ProtocolConnection
  readonly initialized: InitializeResult
  /** All that came, in order. */
  readonly published: readonly PublishDiagnosticsParams[]
  readonly messages: readonly string[]
  readonly logged: readonly string[]
  readonly registered: readonly Registration[]
  readonly uri: (path: string) => string
  readonly open: (path: string, text: string, languageId?: string) => Promise<void>
  readonly change: (path: string, version: number, changes: readonly { readonly range?: Range; readonly text: string }[]) => Promise<void>
  readonly close: (path: string) => Promise<void>
  readonly configure: (settings: unknown) => Promise<void>
  readonly changed: (path: string) => Promise<void>
  /** The first diagnostics, already here or to come, for which this holds. */
  readonly diagnostics: (fits: (params: PublishDiagnosticsParams) => boolean, from?: number) => Promise<PublishDiagnosticsParams>
  readonly message: (fits: (message: string) => boolean) => Promise<string>
  readonly hover: (path: string, line: number, character: number) => Promise<string | null>
  readonly actions: (path: string, range: Range, only?: string[]) => Promise<CodeAction[]>
  /** Ends it as the protocol asks; gives the exit status. */
  readonly end: () => Promise<number | null>
}

export async function startClient(options: Options): Promise<LanguageClient> {
  const child = spawn(process.execPath, [bin, 'lsp', '--stdio'], {
    cwd: options.folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...options.env },
  })
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
  const published: PublishDiagnosticsParams[] = [], messages: string[] = [], logged: string[] = [], registered: Registration[] = []
  const watchers = new Set<() => void>()
  const tell = <T>(list: T[]) => (item: T) => {
    list.push(item)
    for (const look of [...watchers]) look()
  }
  /** Told as soon as it is there; a test that waits in vain is ended by its runner. */
  const seen = <T>(list: readonly T[], fits: (item: T) => boolean, from = 0) =>
    new Promise<T>(resolve => {
      const look = () => {
        const found = list.slice(from).find(fits)
        if (found === undefined) return
        watchers.delete(look)
        resolve(found)
      }
      watchers.add(look)
      look()
    })
  connection.onNotification(PublishDiagnosticsNotification.type, tell(published))
  connection.onNotification(ShowMessageNotification.type, ({ message }) => tell(messages)(message))
  connection.onNotification(LogMessageNotification.type, ({ message }) => tell(logged)(message))
  connection.onRequest(RegistrationRequest.type, ({ registrations }) => registrations.forEach(tell(registered)))
  connection.onRequest(ConfigurationRequest.type, ({ items }) => items.map(() => options.settings?.() ?? null))
  connection.listen()
  const root = pathToFileURL(options.folder).href
  const initialized = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: options.lonely ? null : root,
    workspaceFolders: options.lonely ? null : [{ uri: root, name: 'project' }],
    initializationOptions: options.initializationOptions,
    capabilities: options.plain ? {} : {
      general: { positionEncodings: ['utf-16'] },
      textDocument: {
        publishDiagnostics: {
          relatedInformation: true,
          codeDescriptionSupport: true,
          versionSupport: true,
          tagSupport: { valueSet: [1, 2] },
        },
        hover: { contentFormat: ['markdown'] },
      },
      workspace: {
        workspaceEdit: { documentChanges: true },
        didChangeWatchedFiles: { dynamicRegistration: true },
        ...(options.settings && { configuration: true }),
      },
    },
  })
  await connection.sendNotification(InitializedNotification.type, {})
  const uri = (path: string) => pathToFileURL(join(options.folder, path)).href
  return {
    child,
    connection,
    initialized,
    published,
    messages,
    logged,
    registered,
    uri,
    open: (path, text, languageId = 'plaintext') =>
      connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri: uri(path), languageId, version: 1, text } }),
    change: (path, version, contentChanges) =>
      connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri: uri(path), version },
        contentChanges: [...contentChanges] as never,
      }),
    close: path => connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: uri(path) } }),
    configure: settings => connection.sendNotification(DidChangeConfigurationNotification.type, { settings }),
    changed: path => connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [{ uri: uri(path), type: 2 }] }),
    diagnostics: (fits, from) => seen(published, fits, from),
    message: fits => seen(messages, fits),
    hover: async (path, line, character) => {
      const hover: Hover | null = await connection.sendRequest(HoverRequest.type, {
        textDocument: { uri: uri(path) },
        position: { line, character },
      })
      return hover && (hover.contents as MarkupContent).value
    },
    actions: async (path, range, only) =>
      ((await connection.sendRequest(CodeActionRequest.type, {
        textDocument: { uri: uri(path) },
        range,
        context: { diagnostics: [], ...(only && { only }) },
      })) ?? []) as CodeAction[],
    end: async () => {
      const exited = once(child, 'exit')
      await connection.sendRequest(ShutdownRequest.type)
      await connection.sendNotification(ExitNotification.type)
      const [status] = await exited as [number | null]
      return status
    },
  }
}

/** The edits of an action, whichever way they are told. */
export const editsIn = (
  { edit }: CodeAction,
): readonly TextEdit[] => [
  ...(edit?.documentChanges ?? []).flatMap(c => ('edits' in c ? c.edits as TextEdit[] : [])),
  ...Object.values(edit?.changes ?? {}).flat(),
]

// The language server: documents in, diagnostics, hovers and actions out.

import { DidChangeConfigurationNotification, DidChangeWatchedFilesNotification, MessageType, ShowMessageNotification, TextDocumentSyncKind,
  TextDocuments, type CodeAction, type CodeActionParams, type Connection, type Hover, type HoverParams, type InitializeParams,
  type InitializeResult } from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { VERSION, homeOf, lineEdits } from '../../index.ts'
import { FIX_ALL, findingsAt, fixAll, offersAll, quickFixes, wants } from './actions.ts'
import { WATCHED, clientOf, type Client } from './client.ts'
import { makeDesk } from './desk.ts'
import { diagnosticsOf } from './diagnostics.ts'
import { hoverAt } from './hover.ts'
import type { Job } from './jobs.ts'
import type { Looked } from './looked.ts'
import { languageIn, pathOf } from './places.ts'
import { readSettings, type Settings } from './settings.ts'
import { isFault, openWorkshop } from './workshop.ts'

/** A client that is gone needs no answer; the connection ends the process. */
const quietly = (sent: Promise<unknown>): void => void sent.catch(() => {})

export function makeServer(connection: Connection): void {
  const documents = new TextDocuments(TextDocument)
  const workshop = openWorkshop()
  const desk = makeDesk<Looked>({ look, show, giveUp: workshop.giveUp, failed: (uri, error) =>
    connection.console.error(
      `${uri}: a fault of flakesniff itself: ${error instanceof Error ? error.stack ?? error.message : String(error)}`,
    ) })
  /** Documents of which the client shows something. */
  const shown = new Set<string>()
  /** What was said already, by what it is about: once is enough, until it is mended. */
  const said = new Map<string, string>()
  let client: Client
  let folders: readonly string[] = []
  let settings: Settings = { preset: null }

  function jobOf(document: TextDocument): Job | undefined {
    const path = pathOf(document.uri), text = document.getText()
    const language = path === undefined ? undefined : languageIn(path, text, document.languageId)
    return path === undefined || !language ? undefined : { folder: homeOf(path, folders), preset: settings.preset, path, text, language }
  }

  async function look(uri: string): Promise<Looked | null> {
    const document = documents.get(uri)
    const job = document && jobOf(document)
    if (!job) return null
    const answer = await workshop.ask('lint', job)
    if (answer === null) return null
    if (isFault(answer)) {
      tellFault(job, answer.fault, answer.theirs)
      return { job, findings: [] }
    }
    said.delete(job.folder)
    for (const { id, file, message } of answer.notices) if (id === 'internal') connection.console.error(`${file}: ${message}`)
    if (answer.leftOut !== null) once(uri, `${job.path} is left out: ${answer.leftOut}`, text => connection.console.info(text))
    return { job, findings: answer.findings }
  }

  /** The project's own faults are for the user to mend, and shown; ours go to the log. */
  function tellFault({ folder, path }: Job, fault: string, theirs: boolean): void {
    if (theirs) once(folder, `flakesniff: ${fault}`, complain)
    else once(path, `${path}: a fault of flakesniff itself: ${fault}`, text => connection.console.error(text))
  }

  /** A notification: the library's own way is a request, which a client may refuse. */
  const complain = (message: string): void =>
    quietly(connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Error, message }))

  function once(about: string, text: string, tell: (text: string) => void): void {
    if (said.get(about) === text) return
    said.set(about, text)
    tell(text)
  }

  function show(uri: string, looked: Looked | null): void {
    const document = documents.get(uri)
    if (!document || (!looked && !shown.has(uri))) return
    shown.add(uri)
    quietly(
      connection.sendDiagnostics({ uri, version: document.version,
        diagnostics: looked ? diagnosticsOf(looked.findings, document, looked.job.folder, client) : [] }),
    )
  }

  function close(uri: string): void {
    desk.close(uri)
    said.delete(uri)
    if (shown.delete(uri)) quietly(connection.sendDiagnostics({ uri, diagnostics: [] }))
  }

  function set(given: unknown): void {
    const { settings: read, faults } = readSettings(given)
    for (const fault of faults) once('settings', `flakesniff: ${fault}`, complain)
    if (faults.length === 0) said.delete('settings')
    if (!read || read.preset === settings.preset) return
    settings = read
    desk.askAll()
  }

  /** A client may push its settings, or only say that they changed and wait to be asked. */
  async function pull(): Promise<void> {
    if (client.configuration) set(await connection.workspace.getConfiguration('flakesniff').catch(() => null))
  }

  function initialize(params: InitializeParams): InitializeResult {
    client = clientOf(params)
    folders = client.roots
    return {
      serverInfo: { name: 'flakesniff', version: VERSION },
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: ['quickfix', FIX_ALL] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    }
  }

  async function begin(given: unknown): Promise<void> {
    set(given)
    if (client.folders)
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = removed.map(f => pathOf(f.uri))
        folders = [...folders.filter(f => !gone.includes(f)), ...added.flatMap(f => pathOf(f.uri) ?? [])]
        desk.askAll()
      })
    // A client that refuses still gets its diagnostics: on edits and when something is saved.
    const refused = (error: unknown) => connection.console.info(`the client does not watch files: ${String(error)}`)
    if (client.watches)
      await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: WATCHED.map(globPattern => ({ globPattern })) })
        .catch(refused)
    if (client.configuration)
      await connection.client.register(DidChangeConfigurationNotification.type, { section: 'flakesniff' }).catch(() => {})
    await pull()
  }

  /** The document as it is now, with what is known of it. */
  async function present(uri: string): Promise<{ readonly document: TextDocument; readonly looked: Looked } | null> {
    const looked = await desk.looked(uri)
    const document = documents.get(uri)
    return looked && document ? { document, looked } : null
  }

  async function hover({ textDocument, position }: HoverParams): Promise<Hover | null> {
    const at = await present(textDocument.uri)
    return at && hoverAt(position, at.looked.findings, at.document, client.markdown)
  }

  async function actions({ textDocument, range, context: { only } }: CodeActionParams): Promise<CodeAction[] | null> {
    const at = await present(textDocument.uri)
    if (!at) return null
    const { document, looked } = at
    const { version } = document
    const here = findingsAt(range, looked.findings, document)
    const silencings = wants(only, 'quickfix') && here.length > 0 ? await (looked.silencings ??= silencingsOf(looked.job)) : {}
    const all = offersAll(only, here, looked.findings) ? await workshop.ask('fix', looked.job) : null
    const edits = all && !isFault(all) && all.fixes > 0 ? await lineEdits(all.before, all.after) : []
    // What was found out is of a text that is there no more.
    if (document.version !== version || documents.get(document.uri) !== document) return null
    const diagnostics = diagnosticsOf(here, document, looked.job.folder, client)
    return [
      ...(wants(only, 'quickfix')
        ? here.flatMap((finding, i) => quickFixes(finding, diagnostics[i]!, silencings, document, client.versioned))
        : []),
      ...(all && !isFault(all) && edits.length > 0 ? [fixAll(edits, all.fixes, document, client.versioned)] : []),
    ]
  }

  async function silencingsOf(job: Job) {
    const answer = await workshop.ask('silence', job)
    return answer === null || isFault(answer) ? {} : answer
  }

  let options: unknown
  connection.onInitialize(params => {
    options = params.initializationOptions
    return initialize(params)
  })
  connection.onInitialized(() => void begin(options))
  connection.onDidChangeConfiguration(({ settings: given }) => (given === null || given === undefined ? void pull() : set(given)))
  connection.onDidChangeWatchedFiles(() => desk.askAll())
  connection.onHover(hover)
  connection.onCodeAction(actions)
  connection.onShutdown(() => workshop.giveUp())
  documents.onDidChangeContent(({ document }) => desk.ask(document.uri))
  documents.onDidClose(({ document }) => close(document.uri))
  // A set-up file or a configuration may bear on other documents, and not every client watches files.
  documents.onDidSave(() => desk.askAll())
  documents.listen(connection)
}

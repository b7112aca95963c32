// `flakesniff lsp`: the language server, over standard input and output.

import { Console } from 'node:console'
import { ProposedFeatures, createConnection } from 'vscode-languageserver/node'
import { makeServer } from './server.ts'

/**
 * Never returns: the connection ends the process, with 0 where the client asked for it in the order of the protocol, and 1 where it did
 * not.
 */
export function serve(): Promise<never> {
  // Standard output belongs to the protocol: what anyone else prints must not get into it.
  globalThis.console = new Console(process.stderr, process.stderr)
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout)
  makeServer(connection)
  connection.listen()
  return new Promise<never>(() => {})
}

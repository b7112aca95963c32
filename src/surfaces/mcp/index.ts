// `flakesniff mcp`: a server for assistants, over standard input and output. The SDK is loaded only here.

import { VERSION } from '../../index.ts'
import { makeCheck } from './arguments.ts'
import { makeCaller, type McpOptions } from './calls.ts'
import { CONTRACT_VERSION, toToolResult } from './envelope.ts'
import { makeLane } from './lane.ts'
import { makeThreads } from './threads.ts'
import { toolsWith } from './tools.ts'

export type { McpOptions }

const INSTRUCTIONS =
  'Use lint on the tests that you wrote or changed, before you call them done; explain tells what to do instead of what it finds. A finding is a risk: fix the cause, or silence it with a comment that says why.'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Serves until standard input ends or a signal comes; everything that was started has ended then. */
export async function serve(options: McpOptions): Promise<number> {
  const { Server, serveStdio, Ajv } = await loadSdk()
  const lane = makeLane(options.maxParallel), threads = makeThreads()
  const call = makeCaller(options, makeCheck(new Ajv({ allErrors: true, strict: false })), lane, threads)
  const shutdown = new AbortController()
  const pending = new Set<Promise<unknown>>()

  const make = () => {
    const server = new Server({ name: 'flakesniff', version: VERSION }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
    server.setRequestHandler('tools/list',
      () => ({ tools: toolsWith(options.enableConfirm).map(t => structuredClone(t)) as never,
        _meta: { 'flakesniff/schemaVersion': CONTRACT_VERSION } }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const answer = call(params.name, params.arguments ?? {}, AbortSignal.any([mcpReq.signal, shutdown.signal]))
      pending.add(answer)
      const envelope = await answer
      pending.delete(answer)
      const result = toToolResult(envelope)
      // The SDK drops the answer to a call that its client cancelled. Who still listens learns from it that the work has ended;
      // the others are told by the protocol to ignore it.
      if (mcpReq.signal.aborted) await server.transport?.send({ jsonrpc: '2.0', id: mcpReq.id, result }).catch(() => undefined)
      return result
    })
    return server
  }

  const handle = serveStdio(make, { onerror: error => void process.stderr.write(`flakesniff mcp: ${error.message}\n`) })
  await ended()
  shutdown.abort()
  await Promise.all(pending)
  // What was answered last must get out before the way is closed.
  await new Promise(resolve => setImmediate(resolve))
  await handle.close()
  await threads.close()
  return 0
}

const ended = () =>
  new Promise<void>(resolve => {
    const end = () => {
      SIGNALS.forEach(signal => process.off(signal, end))
      resolve()
    }
    SIGNALS.forEach(signal => process.on(signal, end))
    process.stdin.once('end', end).once('close', end)
  })

/** An optional peer: it is larger than flakesniff, and most who lint serve nobody. */
async function loadSdk() {
  try {
    const [{ Server }, { serveStdio }, { Ajv }] = await Promise.all([import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/server/stdio'), import('@modelcontextprotocol/server/validators/ajv')])
    return { Server, serveStdio, Ajv }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw Object.assign(
      new Error(
        'mcp: needs the package @modelcontextprotocol/server 2: `npm install --save-dev @modelcontextprotocol/server`, or `npx -y -p flakesniff -p @modelcontextprotocol/server flakesniff mcp`',
      ),
      { name: 'UsageError' },
    )
  }
}

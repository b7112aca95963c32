// The SDK's client with a server of ours on the other end of a real pipe.

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { BIN } from './repository.ts'
import type { Envelope, ErrorCode } from '../src/surfaces/mcp/envelope.ts'

export interface Served {
  readonly client: Client
  readonly pid: number
  readonly call: (name: string, given?: Record<string, unknown>, signal?: AbortSignal) => Promise<Answer>
  readonly close: () => Promise<void>
}

export interface Answer {
  readonly envelope: Envelope
  readonly text: string
  readonly isError: boolean
}

/** By `pin`, in that revision of the protocol and no other. */
export async function startServer(cwd: string, args: readonly string[] = [], pin?: string): Promise<Served> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp', ...args], cwd, stderr: 'ignore' })
  const client = new Client({ name: 'flakesniff-tests', version: '1.0.0' },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } })
  await client.connect(transport)
  return {
    client,
    pid: transport.pid!,
    close: () => client.close(),
    call: async (name, given = {}, signal) => {
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: given }, signal ? { signal } : undefined)
      return {
        envelope: structuredContent as unknown as Envelope,
        text: (content as { text: string }[])[0]!.text,
        isError: isError ?? false,
      }
    },
  }
}

export const codeOf = ({ envelope }: Answer): ErrorCode | 'ok' => (envelope.ok ? 'ok' : envelope.error.code)

// What every call is answered with: `{ok, result | error, _meta}`, as structured content and as the same in text.

import { VERSION } from '../../index.ts'

/** Of the tools, their arguments and the envelope: raised by a change that breaks a client. */
export const CONTRACT_VERSION = 1

/** Promised to stay: clients act on them, people read the message. */
export const ERROR_CODES = ['INVALID_PARAMS', 'UNKNOWN_TOOL', 'TOOL_DISABLED', 'PATH_NOT_FOUND', 'PATH_OUTSIDE_ROOT', 'BAD_CONFIGURATION',
  'CANNOT_CONFIRM', 'TIMEOUT', 'OVERLOADED', 'CANCELLED', 'INTERNAL'] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export interface Meta {
  readonly schemaVersion: typeof CONTRACT_VERSION
  readonly version: string
  readonly tool: string
  readonly durationMs: number
}

export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export type Envelope = { readonly ok: true; readonly result: object; readonly _meta: Meta } | { readonly ok: false; readonly error: Failure;
  readonly _meta: Meta }

export type CallError = Error & Failure & { readonly name: 'CallError' }

export const callError = (code: ErrorCode, message: string, details?: Failure['details']): CallError =>
  Object.assign(new Error(message), { name: 'CallError' as const, code, ...(details && { details }) })

export const isCallError = (error: unknown): error is CallError => error instanceof Error && error.name === 'CallError'

export const failureOf = (error: unknown): Failure =>
  isCallError(error)
    ? { code: error.code, message: error.message, ...(error.details && { details: error.details }) }
    : { code: 'INTERNAL', message: `a fault of flakesniff itself: ${error instanceof Error ? error.message : String(error)}` }

export const metaOf = (tool: string, durationMs: number): Meta => ({ schemaVersion: CONTRACT_VERSION, version: VERSION, tool,
  durationMs: Math.round(durationMs) })

/** As the protocol carries it. */
export const toToolResult = (envelope: Envelope) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(envelope) }],
  structuredContent: { ...envelope },
  ...(!envelope.ok && { isError: true }),
})

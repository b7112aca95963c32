// The options of `mcp`.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { didYouMean } from '../../index.ts'
import { usage } from './usage.ts'

export interface McpCommand {
  readonly is: 'mcp'
  readonly roots: readonly string[]
  readonly maxParallel: number
  readonly timeoutMs: number
  readonly enableConfirm: boolean
}

const OPTIONS = { root: { type: 'string', multiple: true }, 'max-parallel': { type: 'string' }, 'timeout-ms': { type: 'string' },
  'enable-confirm': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

export function readMcp(argv: readonly string[]): McpCommand | { readonly is: 'help' } {
  const values = parse(argv)
  if (values.help) return { is: 'help' }
  return {
    is: 'mcp',
    roots: (values.root ?? ['.']).map(folder),
    enableConfirm: values['enable-confirm'] ?? false,
    maxParallel: whole('--max-parallel', values['max-parallel'] ?? '2', 64),
    timeoutMs: whole('--timeout-ms', values['timeout-ms'] ?? '300000', 3_600_000),
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true }).values
  } catch (error) {
    const message = (error as Error).message.split('. ')[0]!
    const option = /'(-{1,2}[^' ]*)/.exec(message)?.[1]
    return usage(
      `mcp: ${message.replace(/^./, c => c.toLowerCase())}${
        option
          ? didYouMean(option, Object.keys(OPTIONS).map(o => `--${o}`))
          : ''
      }; see flakesniff --help`,
    )
  }
}

const folder = (path: string): string =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ? resolve(path) : usage(`--root ${path}: is no folder`)

function whole(option: string, value: string, most: number): number {
  const n = Number(value)
  return Number.isInteger(n) && n >= 1 && n <= most ? n : usage(`${option} ${value}: must be a whole number from 1 to ${most}`)
}

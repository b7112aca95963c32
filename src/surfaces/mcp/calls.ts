// One call, from its name and arguments to its envelope. It never throws: whatever goes wrong has a code.

import { didYouMean, pageOf, rules } from '../../index.ts'
import type { Check } from './arguments.ts'
import { confirmTest, type ConfirmArguments } from './confirm.ts'
import { callError, failureOf, metaOf, type Envelope } from './envelope.ts'
import type { Job } from './jobs.ts'
import type { Lane } from './lane.ts'
import { makeGate } from './roots.ts'
import type { Threads } from './threads.ts'
import { toolsWith, type ToolDefinition } from './tools.ts'

export interface McpOptions {
  /** Existing folders; the first is where relative paths begin. */
  readonly roots: readonly string[]
  readonly maxParallel: number
  readonly timeoutMs: number
  readonly enableConfirm: boolean
}

export type Caller = (name: string, given: Readonly<Record<string, unknown>>, cancelled: AbortSignal) => Promise<Envelope>

type Work = (signal: AbortSignal, timeoutMs: number) => Promise<object>

export function makeCaller(options: McpOptions, check: Check, lane: Lane, threads: Threads): Caller {
  const tools = toolsWith(options.enableConfirm)
  const cwd = options.roots[0]!
  const gate = makeGate(options.roots)

  async function call(name: string, given: Readonly<Record<string, unknown>>, cancelled: AbortSignal): Promise<object> {
    const tool = tools.find(t => t.name === name) ?? unknownTool(name, tools)
    check(tool, given)
    switch (tool.name) {
      case 'rules':
        return allRules()
      case 'explain':
        return explained(given as { rule: string })
      case 'confirm':
        return await worked(given, cancelled,
          (signal, timeoutMs) => confirmTest(given as unknown as ConfirmArguments, { cwd, timeoutMs, gate, signal }))
      case 'lint':
        return await inThread({ cwd, ...given, is: 'lint' } as Job, given, cancelled)
      case 'report':
        return await inThread({ cwd, format: 'json', ...given, is: 'report' } as Job, given, cancelled)
    }
  }

  const worked = (given: { readonly timeoutMs?: number }, cancelled: AbortSignal, work: Work): Promise<object> => {
    const timeoutMs = Math.min(given.timeoutMs ?? options.timeoutMs, options.timeoutMs)
    return lane.run(timeoutMs, cancelled, signal => work(signal, timeoutMs))
  }

  function inThread(job: Job, given: { readonly timeoutMs?: number }, cancelled: AbortSignal): Promise<object> {
    job.paths.forEach(gate)
    return worked(given, cancelled, signal => threads.run(job, signal))
  }

  return async (name, given, cancelled) => {
    const started = performance.now()
    try {
      const result = await call(name, given, cancelled)
      return { ok: true, result, _meta: metaOf(name, performance.now() - started) }
    } catch (error) {
      return { ok: false, error: failureOf(error), _meta: metaOf(name, performance.now() - started) }
    }
  }
}

function unknownTool(name: string, tools: readonly ToolDefinition[]): never {
  if (name === 'confirm')
    throw callError('TOOL_DISABLED', "confirm runs the project's tests, and is off; start the server with --enable-confirm")
  const names = tools.map(t => t.name)
  throw callError('UNKNOWN_TOOL', `there is no tool ${JSON.stringify(name)}${didYouMean(name, names)}`, { tools: names })
}

const allRules = () => ({
  rules: rules.map(({ meta: { id, title, category, severity, confirm, since } }) => ({ id, title, category, severity, confirm, since })),
})

function explained({ rule }: { readonly rule: string }): object {
  const meta = rules.find(r => r.meta.id === rule)?.meta
  if (!meta)
    throw callError('INVALID_PARAMS', `explain: there is no rule ${JSON.stringify(rule)}${didYouMean(rule, rules.map(r => r.meta.id))}`, {
      rule,
    })
  return { rule, title: meta.title, category: meta.category, severity: meta.severity, page: pageOf(rule) }
}

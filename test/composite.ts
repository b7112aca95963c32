// Runs the shell steps of a composite action as GitHub does: expressions become environment, outputs go through a file.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface Step {
  readonly id?: string
  readonly name: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

export const readAction = (file: string): Action => parse(readFileSync(file, 'utf8')) as Action

export interface Job {
  /** The exit status of the step that failed, or 0. */
  readonly status: number
  readonly failedIn: string | null
  readonly log: string
  readonly summary: string
  readonly outputs: Readonly<Record<string, string>>
}

/** `skip` names steps that are given their outputs instead. */
export function runAction(folder: string, options: {
  readonly inputs: Readonly<Record<string, string>>
  readonly cwd: string
  readonly temp: string
  readonly env?: NodeJS.ProcessEnv
  readonly given?: Readonly<Record<string, Readonly<Record<string, string>>>>
}): Job {
  const action = readAction(join(folder, 'action.yml'))
  const steps: Record<string, Record<string, string>> = { ...options.given }
  const value = (expression: string): string => {
    const [, room, name, , output] = /^(inputs|runner|steps)\.([\w-]+)(\.outputs\.([\w-]+))?$/.exec(expression.trim()) ?? []
    if (room === 'inputs') return options.inputs[name!] ?? action.inputs[name!]!.default
    if (room === 'runner' && name === 'temp') return options.temp
    if (room === 'steps') return steps[name!]?.[output!] ?? ''
    throw new Error(`no value for ${expression}`)
  }
  const filled = (text: string) => text.replace(/\$\{\{(.*?)\}\}/g, (_, e: string) => value(e))
  const [outputFile, summaryFile] = ['output', 'summary'].map(n => join(options.temp, n)) as [string, string]
  writeFileSync(summaryFile, '')
  let log = ''
  const end = (status: number, failedIn: string | null): Job => ({
    status,
    failedIn,
    log,
    summary: readFileSync(summaryFile, 'utf8'),
    outputs: Object.fromEntries(Object.entries(action.outputs).map(([name, o]) => [name, filled(o.value)])),
  })
  for (const step of action.runs.steps) {
    if (step.run === undefined || (step.id !== undefined && options.given?.[step.id])) continue
    writeFileSync(outputFile, '')
    const env = {
      ...process.env,
      ...options.env,
      ...Object.fromEntries(Object.entries(step.env ?? {}).map(([k, v]) => [k, filled(v)])),
      GITHUB_ACTION_PATH: folder,
      GITHUB_OUTPUT: outputFile,
      GITHUB_STEP_SUMMARY: summaryFile,
      RUNNER_TEMP: options.temp,
    }
    const run = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { cwd: options.cwd, env, encoding: 'utf8' })
    log += run.stdout + run.stderr
    if (step.id !== undefined)
      steps[step.id] = Object.fromEntries(
        readFileSync(outputFile, 'utf8').split('\n').filter(Boolean).map(l => [l.slice(0, l.indexOf('=')), l.slice(l.indexOf('=') + 1)]),
      )
    if (run.status !== 0) return end(run.status ?? -1, step.name)
  }
  return end(0, null)
}

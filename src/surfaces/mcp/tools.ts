// The tools and their arguments, as data. schema/mcp-tools.json is a copy that a test holds against this: what changes here
// changes for every client.

import { CONTRACT_VERSION, ERROR_CODES } from './envelope.ts'

export type ToolName = 'lint' | 'explain' | 'rules' | 'report' | 'confirm'

export interface ObjectSchema {
  readonly type: 'object'
  readonly additionalProperties: false
  readonly properties: Readonly<Record<string, { readonly [key: string]: unknown }>>
  readonly required?: readonly string[]
}

export interface ToolDefinition {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean; readonly idempotentHint: boolean;
    readonly openWorldHint: boolean }
}

const MAX_TIMEOUT_MS = 3_600_000

const paths = { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', minLength: 1 },
  description: 'Files and folders, relative to the root or absolute; they must lie in an allowed root.' }
const preset = (byDefault: string) => ({ type: 'string', enum: ['recommended', 'strict', 'audit'],
  description: `How sure a finding must be: recommended is high confidence, strict adds medium, audit everything. ${byDefault}` })
const timeoutMs = { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_MS,
  description: "End the call after so many milliseconds; never later than the server's own limit." }

const input = (properties: ObjectSchema['properties'], required: readonly string[] = []): ObjectSchema => ({ type: 'object',
  additionalProperties: false, properties, required })

/** The result of each tool is described by a schema of its own or by its sentence; here only that it is one. */
const envelope = (result: string): ObjectSchema => ({
  type: 'object',
  additionalProperties: false,
  required: ['ok', '_meta'],
  properties: {
    ok: { type: 'boolean' },
    result: { type: 'object', description: result },
    error: {
      type: 'object',
      additionalProperties: false,
      required: ['code', 'message'],
      properties: { code: { type: 'string', enum: ERROR_CODES }, message: { type: 'string' }, details: { type: 'object' } },
    },
    _meta: {
      type: 'object',
      additionalProperties: false,
      required: ['schemaVersion', 'version', 'tool', 'durationMs'],
      properties: { schemaVersion: { type: 'integer', const: CONTRACT_VERSION }, version: { type: 'string' }, tool: { type: 'string' },
        durationMs: { type: 'integer', minimum: 0 } },
    },
  },
})

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'lint',
    title: 'Find flakiness risks in tests',
    description:
      'Finds what makes the outcome of tests depend on something other than the code, in JavaScript, TypeScript, Python, Java, Go, Rust and Bash. Reads files and executes nothing. A finding is a risk, not proof that a test is flaky.',
    inputSchema: input({
      paths,
      preset: preset("Where left out, the project's configuration decides."),
      timeoutMs,
      limit: { type: 'integer', minimum: 0,
        description: 'Give only so many findings; the summary still counts all, and omitted says how many were left out.' },
    }, ['paths']),
    outputSchema: envelope(
      'schemaVersion, summary, findings and notices as in the report of flakesniff --format json (schema/flakesniff-report.schema.json); omitted where limit left findings out',
    ),
    annotations: READS,
  },
  {
    name: 'explain',
    title: 'Explain a rule',
    description: 'The page of a rule: why it is a risk, what to do instead, when the rule is silent, with examples in several languages.',
    inputSchema: input({
      rule: { type: 'string', minLength: 1, description: 'The id of a rule, as findings carry it and the tool rules lists it.' },
    }, ['rule']),
    outputSchema: envelope('rule, title, category, severity, and page in Markdown'),
    annotations: READS,
  },
  {
    name: 'rules',
    title: 'List the rules',
    description: 'All rules with their titles, categories and severities.',
    inputSchema: input({}),
    outputSchema: envelope('rules: a list of id, title, category, severity, confirm, since'),
    annotations: READS,
  },
  {
    name: 'report',
    title: 'Find the root causes',
    description:
      'Joins findings into root causes, worst first: which tests each endangers, through which calls, how it shows, how to fix it. Reads files and executes nothing.',
    inputSchema: input({
      paths,
      preset: preset('Where left out, strict.'),
      timeoutMs,
      format: { type: 'string', enum: ['json', 'markdown'],
        description:
          'What report is in the result: data (schema/flakesniff-causes.schema.json) or Markdown to read. Where left out, json.' },
    }, ['paths']),
    outputSchema: envelope('format, and report: data or Markdown'),
    annotations: READS,
  },
]

const CONFIRM: ToolDefinition = {
  name: 'confirm',
  title: 'Run a test until it is known how it fails',
  description:
    "EXECUTES the project's tests, many times: alone, in the suite, in other orders, side by side and under perturbations. Tells whether a test is flaky, order-dependent, environment-sensitive or broken, with a failure rate and a command that reproduces it.",
  inputSchema: input({
    test: { type: 'string', minLength: 1, description: 'The test as its runner names it, or FILE:LINE.' },
    runner: { type: 'string', minLength: 1, description: 'pytest, vitest, go and so on, instead of the one that is recognised.' },
    runs: { type: 'integer', minimum: 1, maximum: 10_000, description: 'Runs alone. Where left out: 10, then 10 more where none failed.' },
    perturb: { type: 'array', minItems: 1, items: { type: 'string' },
      description: 'Only these shakes of the world, for example tz-shift or cpu-stress.' },
    budgetMs: { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_MS,
      description: 'End with what is known by then; never later than nine tenths of the time limit.' },
    timeoutMs,
  }, ['test']),
  outputSchema: envelope('what flakesniff confirm --format json prints (schema/flakesniff-confirm.schema.json)'),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
}

/** Nothing runs a project's tests unless the one who starts the server agrees. */
export const toolsWith = (confirm: boolean): readonly ToolDefinition[] => (confirm ? [...TOOLS, CONFIRM] : TOOLS)

/** What schema/mcp-tools.json holds. */
export const contract = () => ({ schemaVersion: CONTRACT_VERSION, tools: TOOLS, withEnableConfirm: [CONFIRM] })

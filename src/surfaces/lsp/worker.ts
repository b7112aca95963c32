// The thread that lints. It answers one request after the other, and keeps what it knows of the projects.

import { parentPort } from 'node:worker_threads'
import { isBaselineError, isConfigError, loadLanguages, makeLinter, type Linter } from '../../index.ts'
import type { Answers, Job, Reply, Request } from './jobs.ts'
import { silencingsOf } from './silence.ts'

const linters = new Map<string, Linter>()

function linterFor({ folder, preset }: Job): Linter {
  const key = `${preset} ${folder}`
  let linter = linters.get(key)
  if (!linter) linters.set(key, linter = makeLinter({ cwd: folder, asRun: true, ...(preset && { preset }) }))
  return linter
}

const WORK: { readonly [K in keyof Answers]: (linter: Linter, job: Job) => Answers[K] | Promise<Answers[K]> } = {
  lint: (linter, job) => linter.lint(job),
  fix: (linter, job) => linter.fix(job),
  silence: silencingsOf,
}

async function reply({ id, is, job }: Request): Promise<Reply> {
  try {
    await loadLanguages([job.language])
    return { id, value: await WORK[is](linterFor(job), job) }
  } catch (error) {
    const theirs = isConfigError(error) || isBaselineError(error)
    return { id, theirs, fault: theirs ? error.message : error instanceof Error ? error.stack ?? error.message : String(error) }
  }
}

parentPort!.on('message', (request: Request) => void reply(request).then(answer => parentPort!.postMessage(answer)))

// bats: each test is a process; with --jobs several of them run at the same time.

import { type Says, commands, flag, isScript } from './evidence.ts'

const VARIABLE = /\bBATS_NUMBER_OF_PARALLEL_JOBS\b["']?\s*[:?]?[:=]\s*["']?(?!1\b)[\w$]/

export const bashSays: Says = files => {
  const variable = files.filter(f => isScript(f.path) && VARIABLE.test(f.text)).map(f => f.path)
  return commands(files, 'bats').flatMap(c => {
    const jobs = flag(c.text, '--jobs', '-j') ?? (variable.includes(c.file) ? 'several' : undefined)
    if (jobs === undefined || jobs === '1') return []
    const grain = /--no-parallelize-within-files/.test(c.text) ? 'files' as const : 'tests' as const
    const parallel = { on: false, scope: 'processes' as const, grain, because: `${c.file} runs bats with --jobs ${jobs}` }
    return [{ folder: c.folder, weight: grain === 'tests' ? 2 : 1, parallel }]
  })
}

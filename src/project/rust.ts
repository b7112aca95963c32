// Cargo runs a crate's tests in threads unless told otherwise; nextest gives each test a process.

import { type RunnerFile, type Says, commands, folderOf, nameOf, section, valueIn } from './evidence.ts'
import type { Parallel } from './project.ts'

const ONE_THREAD = /--test-threads[=\s]+1(?!\d)/
const THREADS_VARIABLE = /\bRUST_TEST_THREADS\b["']?\s*[:=]+\s*["']?1["']?(?!\d)/

export const rustSays: Says = files => [...environments(files), ...runs(files)]

const serial = (because: string): Parallel => ({ on: false, because })
const threads = (because: string): Parallel => ({ on: true, scope: 'threads', grain: 'tests', because })
const processes = (because: string): Parallel => ({ on: false, scope: 'processes', grain: 'tests', because })

/** Cargo's own configuration reaches everybody who runs the tests; a plain `cargo test` elsewhere is serial by it too. */
function environments(files: readonly RunnerFile[]) {
  return files.filter(f => /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(f.path)).flatMap(f => {
    const value = valueIn(section(f.text, 'env') ?? '', 'RUST_TEST_THREADS')
    const one = value !== undefined && /^\s*(?:\{.*\bvalue\s*=\s*)?["']?1["']?(?!\d)/.test(value)
    return one ? [{ folder: folderOf(f.path), weight: 9, parallel: serial(`${f.path} sets RUST_TEST_THREADS to 1`) }] : []
  })
}

/** Who runs a crate's tests in threads anywhere must expect it: a serial run beside it does not help. */
function runs(files: readonly RunnerFile[]) {
  const quiet = new Set(files.filter(f => THREADS_VARIABLE.test(f.text)).map(f => f.path))
  const cargo = commands(files, String.raw`cargo(?:\s+\+\S+)?\s+(?:test|t)`).filter(c => !/\s--(?:doc|no-run)\b/.test(c.text))
  const isSerial = (c: { file: string; text: string }) => ONE_THREAD.test(c.text) || quiet.has(c.file)
  const nextest = commands(files, String.raw`cargo(?:\s+\+\S+)?\s+nextest`)
  return [
    ...cargo.map(c => (isSerial(c)
      ? { folder: c.folder, weight: 3, parallel: serial(`${c.file} runs cargo test with one thread`) }
      : { folder: c.folder, weight: 4, parallel: threads(`${c.file} runs cargo test, which runs the tests of a crate in threads`) })
    ),
    ...nextest.map(c => ({ folder: c.folder, weight: 2, parallel: processes(`${c.file} runs nextest, which gives each test a process`) })),
    ...files.filter(f => nameOf(f.path) === 'nextest.toml')
      .map(f => ({ folder: folderOf(f.path), weight: 1, parallel: processes(`${f.path}: nextest gives each test a process`) })),
  ]
}

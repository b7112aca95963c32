// Vitest, Jest, Playwright, Mocha and node:test: files in processes, as a rule; tests of one file at the same time only
// where a configuration asks for it. Scripts are read with regular expressions.

import { type RunnerFile, type Says, commands, folderOf, isManifest, isRecord, json, nameOf, withoutComments } from './evidence.ts'
import type { Parallel } from './project.ts'

export const javascriptSays: Says =
  files => [...files.flatMap(scripted), ...files.filter(f => isManifest(f.path)).flatMap(depended), ...started(files)]

interface Said {
  readonly folder: string
  readonly weight: number
  readonly parallel: Parallel
}

const files = (because: string): Parallel => ({ on: false, scope: 'processes', grain: 'files', because })
const serial = (because: string): Parallel => ({ on: false, because })
const together = (because: string): Parallel => ({ on: true, scope: 'threads', grain: 'tests', because })

// What runs tests of one file together weighs most: it is the one that asks for markers.
function scripted(file: RunnerFile): Said[] {
  const name = nameOf(file.path)
  const runner = /^(vitest|vite|jest|playwright)\b/.exec(name)?.[1] ?? (name.startsWith('.mocharc') ? 'mocha' : undefined)
  const parallel = runner && readers[runner]?.(file.path, withoutComments(file.text))
  return parallel ? [{ folder: folderOf(file.path), weight: parallel.on ? 9 : 5, parallel }] : []
}

const readers: Readonly<Record<string, (path: string, text: string) => Parallel | undefined>> = {
  vitest,
  vite: (path, text) => (/\btest["']?\s*:/.test(text) ? vitest(path, text) : undefined),
  jest: (path, text) => (/\bmaxWorkers["']?\s*:\s*["']?1\b(?!\d|%)/.test(text)
    ? serial(`${path} allows one worker`)
    : files(`${path}: Jest runs files in processes of their own`)),
  playwright,
  mocha: (path, text) => (/\bparallel["']?\s*:\s*true\b/.test(text)
    ? files(`${path} has Mocha run files in processes of their own`)
    : serial(`${path}: Mocha runs tests one after another`)),
}

function vitest(path: string, text: string): Parallel {
  if (/\bsequence["']?\s*:\s*\{[^}]{0,2000}\bconcurrent["']?\s*:\s*true\b/.test(text))
    return together(`${path} sets sequence.concurrent: the tests of a file run at the same time`)
  if (/\bfileParallelism["']?\s*:\s*false\b/.test(text)) return serial(`${path} turns file parallelism off`)
  return files(`${path}: Vitest runs files in workers of their own`)
}

function playwright(path: string, text: string): Parallel {
  if (/\bworkers["']?\s*:\s*1\s*[,}\n]/.test(text)) return serial(`${path} allows one worker`)
  if (/\bfullyParallel["']?\s*:\s*true\b/.test(text))
    return { on: false, scope: 'processes', grain: 'tests', because: `${path} sets fullyParallel: tests are spread over processes` }
  return files(`${path}: Playwright runs files in processes of their own`)
}

/** A runner without a file of its own. */
function depended({ path, text }: RunnerFile): Said[] {
  const manifest = json(text)
  if (!manifest) return []
  const has = (name: string) =>
    ['dependencies', 'devDependencies'].some(key => isRecord(manifest[key]) && Object.hasOwn(manifest[key], name))
  const keyed = (['jest', 'vitest', 'mocha'] as const).flatMap(runner => {
    const parallel = isRecord(manifest[runner]) ? readers[runner]!(path, JSON.stringify(manifest[runner])) : undefined
    return parallel ? [{ folder: folderOf(path), weight: 4, parallel }] : []
  })
  const runner = ['vitest', 'jest'].find(has)
  return runner
    ? [...keyed, { folder: folderOf(path), weight: 1, parallel: files(`${path}: ${runner} runs files in workers of their own`) }]
    : keyed
}

function started(all: readonly RunnerFile[]): Said[] {
  const say = (program: string, read: (text: string, file: string) => Parallel | undefined) =>
    commands(all, program).flatMap(c => {
      const parallel = read(c.text, c.file)
      return parallel ? [{ folder: c.folder, weight: parallel.on ? 8 : 6, parallel }] : []
    })
  return [
    ...say('vitest', (text, file) => (/--sequence\.concurrent(?!=false)\b/.test(text)
      ? together(`${file} runs vitest with --sequence.concurrent`)
      : /--no-file-parallelism|--fileParallelism=false/.test(text)
      ? serial(`${file} runs vitest without file parallelism`)
      : undefined)),
    ...say('jest', (text, file) => (/\s(?:-i|--runInBand)\b/.test(text) ? serial(`${file} runs jest in one process`) : undefined)),
    ...say('mocha', (text, file) => (/\s(?:-p|--parallel)\b/.test(text) ? files(`${file} runs mocha with --parallel`) : undefined)),
    ...say(String.raw`node(?=[^;&|\n]{0,300}\s--test\b)`, (text, file) => (/--test-concurrency=1(?!\d)/.test(text)
      ? serial(`${file} runs one test file at a time`)
      : files(`${file}: node --test runs files in processes of their own`))),
    ...say('bun test', (text, file) => (/--concurrent\b/.test(text) ? together(`${file} runs bun test with --concurrent`) : undefined)),
  ]
}

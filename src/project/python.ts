// pytest: xdist spreads tests over processes; a few plugins run them in threads.

import { type RunnerFile, type Says, commands, flag, folderOf, nameOf, section, valueIn } from './evidence.ts'
import type { Parallel } from './project.ts'

export const pythonSays: Says = files => {
  const commanded = started(files)
  // A file that asks for nothing holds against one in a folder above it, not against a command line.
  return [...configured(files).filter(s => s.parallel.scope || commanded.length === 0), ...commanded]
}

/** Where each file keeps pytest's options; where a folder has several, pytest takes the first of them. */
const SECTIONS: Readonly<Record<string, { readonly order: number; readonly names: readonly string[] }>> = {
  'pytest.ini': { order: 0, names: ['pytest'] },
  '.pytest.ini': { order: 1, names: ['pytest'] },
  'pyproject.toml': { order: 2, names: ['tool.pytest', 'tool.pytest.ini_options'] },
  'tox.ini': { order: 3, names: ['pytest'] },
  'setup.cfg': { order: 4, names: ['tool:pytest'] },
}

function configured(files: readonly RunnerFile[]) {
  const sections = files.flatMap(file => {
    const where = SECTIONS[nameOf(file.path)]
    const found = where?.names.map(n => section(file.text, n)).filter(s => s !== undefined) ?? []
    // pytest.ini counts even when it is empty.
    return where && (found.length > 0 || where.order < 2) ? [{ file, order: where.order, text: found.join('\n') }] : []
  })
  return sections.filter(s => !sections.some(o => folderOf(o.file.path) === folderOf(s.file.path) && o.order < s.order)).map(
    ({ file, text }) => {
      const options = valueIn(text, 'addopts') ?? ''
      const parallel = byOptions(options, file.path) ?? { on: false, because: `${file.path} asks for no parallel run` }
      return { folder: folderOf(file.path), weight: parallel.scope ? 3 : 1, parallel }
    },
  )
}

function started(files: readonly RunnerFile[]) {
  return commands(files, String.raw`pytest|py\.test`).flatMap(c => {
    const parallel = byOptions(c.text, c.file)
    return parallel?.scope ? [{ folder: c.folder, weight: 2, parallel }] : []
  })
}

function byOptions(options: string, file: string): Parallel | undefined {
  const threads = flag(options, '--parallel-threads', '--tests-per-worker')
  if (threads !== undefined && threads !== '1')
    return { on: true, scope: 'threads', grain: 'tests', because: `${file} has pytest run tests in ${threads} threads` }
  const workers = flag(options, '-n', '--numprocesses', '--workers')
  if (workers === undefined || !/^(?:\d+|auto|logical|no|[${].*)$/.test(workers) || /-p\s*no:xdist/.test(options)) return undefined
  if (workers === '0' || workers === 'no') return { on: false, because: `${file} turns pytest-xdist off` }
  // A module or file is the least that these hand out, so its tests stay in order.
  const whole = /^load(?:scope|file|group)$/.test(flag(options, '--dist') ?? '')
  return { on: false, scope: 'processes', grain: whole ? 'files' : 'tests',
    because: `${file} has pytest-xdist spread tests over ${workers} processes` }
}

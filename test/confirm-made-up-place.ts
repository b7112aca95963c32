// A place without a disk: files are given, commands are answered by a function that may write into the temporary folder.

import { dirname, join, relative, resolve } from 'node:path'
import type { Command, Finished, Place } from '../src/confirm/runner.ts'

export const ENDED: Finished = { code: 0, signal: null, timedOut: false, stdout: '', stderr: '', ms: 1 }

export interface MadeUpPlace extends Place {
  readonly commands: readonly Command[]
  readonly files: Map<string, string>
}

type Answer = (command: Command, say: (name: string, ...lines: readonly object[]) => void) => Partial<Finished>

export function madeUpPlace(project: Readonly<Record<string, string>>, answer: Answer = () => ({})): MadeUpPlace {
  const root = '/project', temp = '/temp'
  const files = new Map(Object.entries(project).map(([path, text]) => [resolve(root, path), text]))
  const commands: Command[] = []
  const say = (name: string, ...lines: readonly object[]) =>
    void files.set(join(temp, name), lines.map(l => `${JSON.stringify(l)}\n`).join(''))
  return {
    root,
    temp,
    env: {},
    commands,
    files,
    exec: async command => {
      commands.push(command)
      return { ...ENDED, ...answer(command, say) }
    },
    read: path => files.get(resolve(root, path)),
    names: folder => {
      const inside = [...files.keys()].map(path => relative(resolve(root, folder), path)).filter(path =>
        !path.startsWith('..') && path !== ''
      )
      return [...new Set(inside.map(path => path.split('/')[0]!))].sort()
    },
    write: (name, text) => {
      const path = join(temp, name)
      if (dirname(path).startsWith(temp)) files.set(path, text)
      return path
    },
  }
}

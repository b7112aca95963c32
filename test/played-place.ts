// A place that plays a runner: files are given, and an answer for every command; nothing is started and nothing touches the disk.

import { posix } from 'node:path'
import type { Command, Finished, Place } from '../src/confirm/runner.ts'

export interface Played extends Place {
  readonly commands: Command[]
  /** Files of the project and of the temporary folder by absolute path: an answer may add to it, as a runner would. */
  readonly files: Map<string, string>
}

type Answer = Partial<Finished> | undefined

export function playedPlace(files: Readonly<Record<string, string>>,
  answer: (command: Command, place: Played) => Answer = () => undefined): Played
{
  const root = '/project', temp = '/temp'
  const at = (path: string) => posix.resolve(root, path)
  const held = new Map(Object.entries(files).map(([path, text]) => [at(path), text]))
  const place: Played = {
    root,
    temp,
    env: {},
    commands: [],
    files: held,
    exec: command => {
      place.commands.push(command)
      return Promise.resolve({ code: 0, signal: null, timedOut: false, stdout: '', stderr: '', ms: 1, ...answer(command, place) })
    },
    read: path => held.get(at(path)),
    names: folder => {
      const inside = `${at(folder).replace(/\/$/, '')}/`
      return [...new Set([...held.keys()].filter(path => path.startsWith(inside)).map(path => path.slice(inside.length).split('/')[0]!))]
        .sort()
    },
    write: (name, text) => {
      const path = posix.resolve(temp, name)
      held.set(path, text)
      return path
    },
  }
  return place
}

// Test binaries, compiled once for each package into the temporary folder of the whole confirmation, and only when they are needed.

import { join } from 'node:path'
import { runnerError, type Place } from '../../runner.ts'
import { probe } from '../probe.ts'
import type { Package } from './packages.ts'

export interface Kind {
  readonly race: boolean
  /** With the file that lets the environment choose the order. */
  readonly ordered: boolean
}

export type Compile = (of: Package, kind: Kind) => Promise<string>

export function compiler(place: Place, folder: string): Compile {
  const built = new Map<string, Promise<string>>()
  return (of, kind) => {
    const key = JSON.stringify([of.path, kind.race, kind.ordered])
    return built.get(key) ?? built.set(key, compile(place, folder, of, kind, `go-${built.size}`)).get(key)!
  }
}

async function compile(place: Place, folder: string, of: Package, kind: Kind, name: string): Promise<string> {
  const binary = join(place.temp, `${name}.test`)
  const overlay = kind.ordered ? ['-overlay', overlayOf(place, of, name)] : []
  const finished = await place.exec({
    argv: ['go', 'test', '-c', '-vet=off', ...(kind.race ? ['-race'] : []), ...overlay, '-o', binary, of.path],
    cwd: folder,
  })
  if (finished.code === 0) return binary
  throw runnerError(
    `${of.path} does not build for tests${kind.race ? ' with the race detector' : ''}: ${
      finished.stderr.trim().split('\n').slice(0, 6).join('\n')
    }`,
  )
}

/** A package has one TestMain at most: where it has its own, that one is renamed and called from ours. */
function overlayOf(place: Place, of: Package, name: string): string {
  const texts = of.files.map(file => ({ path: join(place.root, of.dir, file), text: place.read(join(of.dir, file)) ?? '' }))
  const own = texts.find(t => /^func TestMain\(/m.test(t.text))
  const beside = own ?? texts[0]!
  const ours = probe('go', 'flakesniff_order_test.go').replace(/^package .*/m, `package ${/^package\s+(\S+)/m.exec(beside.text)?.[1]}`)
  const replace: Record<string, string> = {
    [join(place.root, of.dir, 'flakesniff_order_test.go')]: place.write(`${name}/flakesniff_order_test.go`,
      own ? ours.replace('os.Exit(m.Run())', 'flakesniffTestMain(m)') : ours),
  }
  if (own) replace[own.path] = place.write(`${name}/test_main_test.go`, own.text.replace(/^func TestMain\(/m, 'func flakesniffTestMain('))
  return place.write(`${name}/overlay.json`, JSON.stringify({ Replace: replace }))
}

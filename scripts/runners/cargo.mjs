import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { demand } from './run.mjs'

export function cargoTests(copy, tools) {
  const { stdout, stderr } = demand('cargo', ['test', '--offline', '--', '--list'], { cwd: copy,
    env: { CARGO_TARGET_DIR: join(tools, 'target') } })
  // The names of the programs go to stderr, their lists to stdout, both in the same order.
  const programs = [...stderr.matchAll(/^ *(?:Running (unittests )?(\S+) \(|Doc-tests )/gm)]
  const lists = stdout.split(/^\d+ tests?, \d+ benchmarks?$/m).slice(0, -1)
  if (programs.length !== lists.length) throw new Error(`cargo test ran ${programs.length} programs and printed ${lists.length} lists`)
  return programs.flatMap(([, unit, path], i) =>
    path ? namesIn(lists[i]).map(name => unit ? unitPair(copy, path, name) : [path, name]) : []
  )
}

function namesIn(list) {
  return [...list.matchAll(/^(\S+): test$/gm)].map(match => match[1])
}

// A unit test is named by its modules: the first ones are files, as far as there are such files.
function unitPair(copy, crate, name) {
  const steps = name.split('::')
  for (let n = steps.length - 1; n > 0; n--) {
    const module = join(dirname(crate), ...steps.slice(0, n))
    const path = [`${module}.rs`, `${module}/mod.rs`].find(path => existsSync(join(copy, path)))
    if (path) return [path, steps.slice(n).join('::')]
  }
  return [crate, name]
}

// The fixture projects for JavaScript are the same tests in the words of each runner.

import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunnerFixture } from './runners/fixture.ts'

/** From the registry, beside the project: its working tree stays as it is. */
export const fromNpm = (...packages: readonly string[]): RunnerFixture['install'] => async (_, temp) => {
  execFileSync('npm', [
    'install',
    '--prefix',
    temp,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    ...packages,
  ], { stdio: ['ignore', 'ignore', 'inherit'] })
  return []
}

/** What this repository itself has installed. */
export const ourOwn: RunnerFixture['install'] = async (_, temp) => {
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(temp, 'node_modules'))
  return []
}

const NAMES = [
  'with space',
  `it's "quoted"`,
  'a;b',
  '$(touch pwned)',
  '`touch pwned`',
  'new\nline',
  'a/b',
  'grün',
  '[param-0]',
  'a.*b|c^$(?:x)',
  'a > b',
  '-t nothing',
  '--grep=x',
  '{test}',
  '%s %d',
  '#2',
]

/** Ids, for test files in this folder with this ending. */
export function javascriptTests(folder: string, ending: string, twice = true): RunnerFixture['tests'] {
  const id = (file: string, ...titles: readonly string[]) => [`${folder}/${file}${ending}`, ...titles].join(' > ')
  return {
    passing: id('a_plain', 'passes'),
    broken: id('a_plain', 'is broken'),
    flaky: id('a_plain', 'fails every third time'),
    victim: id('b_many', 'sells at full price'),
    polluter: id('b_many', 'gives a discount'),
    brittle: id('b_many', 'finds tea'),
    setter: id('b_many', 'sets up the catalogue'),
    slowSetUp: id('a_plain', 'with a set-up', 'is slow now and then'),
    parallelOnly: id('c_parallel', 'minds company'),
    timeZone: id('a_plain', 'minds the time zone'),
    exits: `exits${ending} > ends the process`,
    hostile: [
      ...NAMES.map(name => id('e_names', name)),
      ...(twice ? [id('e_names', 'twice', 'the same'), id('e_names', 'twice', 'the same #2')] : []),
    ],
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bareEnvironment } from '../environment.ts'
import type { Shake } from './perturbation.ts'

/** Toolchains keep things in the home folder that are not the test's: where HOME moves, these are told to stay. */
const CACHES: Readonly<Record<string, string>> = {
  CARGO_HOME: '.cargo',
  RUSTUP_HOME: '.rustup',
  GOPATH: 'go',
  GOCACHE: '.cache/go-build',
  PYENV_ROOT: '.pyenv',
  NVM_DIR: '.nvm',
  npm_config_cache: '.npm',
  GRADLE_USER_HOME: '.gradle',
  PLAYWRIGHT_BROWSERS_PATH: '.cache/ms-playwright',
}

export const envScrub: Shake = {
  name: 'env-scrub',
  reveals: 'variables of this machine and files in the home folder that the test leans on',
  sure: true,
  variants: async world => {
    const bare = bareEnvironment(world.env, world.passed)
    const home = world.folder('home'), old = world.env['HOME'] ?? ''
    const caches = Object.fromEntries(
      Object.entries(CACHES).filter(([name, path]) => world.env[name] === undefined && existsSync(join(old, path))).map((
        [name, path],
      ) => [name, join(old, path)]),
    )
    return [
      { title: `without ${bare.dropped.length === 0 ? 'anything unusual' : listed(bare.dropped)}`, wholeEnv: bare.env },
      { title: 'HOME is an empty folder',
        env: { ...caches, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: join(home, '.local/share'),
          XDG_CACHE_HOME: join(home, '.cache') } },
    ]
  },
}

const MOST = 8
const listed = (
  names: readonly string[],
): string => names.length <= MOST ? names.join(', ') : `${names.slice(0, MOST).join(', ')} and ${names.length - MOST} more variables`

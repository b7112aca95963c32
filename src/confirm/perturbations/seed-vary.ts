import { fileURLToPath } from 'node:url'
import { familyOf, type Shake } from './perturbation.ts'

const SEEDS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const
const PRELOAD = fileURLToPath(new URL('../../../src/confirm/perturbations/seeded-random.cjs', import.meta.url))

export const seedVary: Shake = {
  name: 'seed-vary',
  reveals: 'random numbers whose value decides the outcome',
  sure: true,
  variants: async world => {
    if (world.runner === 'pytest') return SEEDS.map(seed => ({ title: `random.seed(${seed})`, env: { FLAKESNIFF_RANDOM_SEED: seed } }))
    if (familyOf(world.runner) === 'node')
      return SEEDS.map(seed => ({ title: `Math.random from seed ${seed}`,
        env: { FLAKESNIFF_RANDOM_SEED: seed, NODE_OPTIONS: `--require=${JSON.stringify(PRELOAD)}` } })
      )
    return `random numbers cannot be seeded from outside with ${world.runner}; every run draws new ones, so --perturb repeat shows as much`
  },
}

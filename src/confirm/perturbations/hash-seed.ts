import { familyOf, type Shake } from './perturbation.ts'

export const hashSeed: Shake = {
  name: 'hash-seed',
  reveals: 'the order of sets and of dictionaries keyed by text',
  sure: true,
  variants: async world =>
    familyOf(world.runner) === 'python'
      ? ['0', '1', '2', '3', '4', '5'].map(seed => ({ title: `PYTHONHASHSEED=${seed}`, env: { PYTHONHASHSEED: seed } }))
      : 'only Python takes a hash seed from outside; Go and Rust choose a new one for every run, so --perturb repeat shows as much',
}

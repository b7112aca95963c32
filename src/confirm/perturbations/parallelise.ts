import type { Shake } from './perturbation.ts'

const COPIES = 4

export const parallelise: Shake = {
  name: 'parallelise',
  reveals: 'ports, file names, rows and folders that two runs share',
  sure: false,
  variants: async () => [{ title: `${COPIES} of it at the same time`, asks: { copies: COPIES } }],
}

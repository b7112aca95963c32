import type { Shake } from './perturbation.ts'

export const unskip: Shake = {
  name: 'unskip',
  reveals: 'what a skipped test would say',
  sure: false,
  variants: async world => (world.can.unskip
    ? [{ title: 'run in spite of its skip mark', request: { unskip: true } }]
    : `${world.runner} cannot run what is marked as skipped: take the mark away and confirm again`),
}

import type { Shake } from './perturbation.ts'

export const cwdChange: Shake = {
  name: 'cwd-change',
  reveals: 'paths that are relative to wherever the runner was started',
  sure: true,
  variants: async world => (world.can.cwd
    ? [{ title: 'started in an empty folder', request: { cwd: world.folder('elsewhere') } }]
    : `${world.runner} always starts tests in the same folder, or cannot be started in another`),
}

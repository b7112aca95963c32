import { fileURLToPath } from 'node:url'
import type { Shake } from './perturbation.ts'

const LOOPBACK = fileURLToPath(new URL('../../../src/confirm/perturbations/with-loopback.mjs', import.meta.url))

export const netOff: Shake = {
  name: 'net-off',
  reveals: 'hidden use of the network',
  sure: true,
  variants: async world => {
    const prefix = ['unshare', '-rn', process.execPath, LOOPBACK]
    const tried = await world.exec({ argv: [...prefix, process.execPath, '-e', ''] })
    return tried.code === 0
      ? [{ title: 'no network but the loopback', prefix }]
      : `needs Linux with user namespaces, \`unshare\` and \`ip\` (${tried.stderr.trim().split('\n')[0] || `exit status ${tried.code}`})`
  },
}

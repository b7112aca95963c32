import type { Shake } from './perturbation.ts'

export const tmpMove: Shake = {
  name: 'tmp-move',
  reveals: 'fixed paths in the folder for temporary files, or leftovers in it',
  sure: true,
  variants: async world => {
    const folder = world.folder('tmp with a space')
    return [{ title: 'TMPDIR is an empty folder', env: { TMPDIR: folder, TMP: folder, TEMP: folder } }]
  },
}

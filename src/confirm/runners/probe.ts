// The small scripts that runners hand to their test frameworks: real files beside their runner, shipped as they are.

import { readFileSync } from 'node:fs'

/** The text of `src/confirm/runners/RUNNER/NAME`, in the package as in the checkout. */
export const probe = (runner: string, name: string): string =>
  readFileSync(new URL(`../../../src/confirm/runners/${runner}/${name}`, import.meta.url), 'utf8')

// The names that `node:test` exports, for modules that import them.

import { createRequire } from 'node:module'

const { exported } = createRequire(import.meta.url)('./face.cjs')

export default exported
export const { after, afterEach, assert, before, beforeEach, describe, getTestContext, it, mock, only, run, skip, snapshot, suite, test,
  todo } = exported

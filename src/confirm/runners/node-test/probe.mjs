// Imported by Node before a test file: whoever asks for `node:test` is given our face of it (face.cjs).

import { realpathSync } from 'node:fs'
import Module, { createRequire, register } from 'node:module'
import { pathToFileURL } from 'node:url'

const face = createRequire(import.meta.url)('./face.cjs')

const load = Module._load
Module._load = function (request, ...rest) {
  return request === 'node:test' ? face.exported : load.call(this, request, ...rest)
}
register('./resolve.mjs', import.meta.url)

// The file is loaded once, whoever asks first: this only waits until it has told all its tests.
if (face.deferred) setImmediate(() => import(pathToFileURL(realpathSync(process.argv[1])).href).then(face.begin, () => {}))

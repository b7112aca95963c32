// go test: packages are processes side by side, and a test runs beside others where it calls t.Parallel(), which facts
// tell. What is left to say is whether a flag forbids it.

import { type Says, commands } from './evidence.ts'

export const goSays: Says = files => commands(files, String.raw`go\s+test`).flatMap(c => {
  if (!/\s-p[=\s]+1(?!\d)/.test(c.text)) return []
  return [{ folder: c.folder, weight: 1, parallel: { on: false, because: `${c.file} runs packages one after another (-p 1)` } }]
})

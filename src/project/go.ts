// go test: packages are processes side by side, and a test runs beside others where it calls t.Parallel(), which facts
// tell. What is left to say is whether a flag forbids it.

import { type RunnerFile, type Says, commands, folderOf, nameOf } from './evidence.ts'

export interface GoModule {
  readonly folder: string
  /** The 20 of `go 1.20`. */
  readonly minor: number
}

export const goModules = (files: readonly RunnerFile[]): GoModule[] =>
  files.flatMap(f => {
    const minor = nameOf(f.path) === 'go.mod' ? /^go[ \t]+1\.(\d+)/m.exec(f.text)?.[1] : undefined
    return minor === undefined ? [] : [{ folder: folderOf(f.path), minor: Number(minor) }]
  })

export const goSays: Says = files =>
  commands(files, String.raw`go\s+test`).flatMap(c => {
    if (!/\s-p[=\s]+1(?!\d)/.test(c.text)) return []
    return [{ folder: c.folder, weight: 1, parallel: { on: false, because: `${c.file} runs packages one after another (-p 1)` } }]
  })

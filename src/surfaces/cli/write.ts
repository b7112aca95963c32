// Files that are written whole or not at all.

import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A reader never sees half a report: written beside its place, then moved there. Devices and pipes are written as they are. */
export function writeWhole(file: string, text: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) return writeFileSync(file, text)
  let scratch: string
  try {
    scratch = mkdtempSync(join(dirname(file), '.flakesniff-'))
  } catch (error) {
    throw Object.assign(new Error(`--output ${file}: cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`), {
      name: 'UsageError',
    })
  }
  try {
    const whole = join(scratch, basename(file))
    writeFileSync(whole, text)
    renameSync(whole, file)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

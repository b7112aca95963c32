// Applies safe fixes: in rounds, each on what the last one left, until nothing more is offered. A file is written whole or not at
// all, and only while it is still what was looked at.

import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, statSync,
  writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openable, type FoundFile } from '../discover/discover.ts'
import type { Language } from '../facts/facts.ts'
import { applyFixes } from '../fixes/apply.ts'
import type { FindingFix, Notice } from '../rules/rule.ts'
import type { Analyser, FileResult } from './analyse.ts'
import { readSource } from './read.ts'

/** Rounds that may pass without fewer fixes being left. */
const PATIENCE = 10

export interface FixedFile {
  readonly path: string
  readonly before: string
  readonly after: string
  readonly fixes: number
}

export interface Repair {
  readonly fixed: readonly FixedFile[]
  /** What the fixed files are now. */
  readonly results: ReadonlyMap<string, FileResult>
  readonly notices: readonly Notice[]
}

const safeFixes = ({ findings }: FileResult): FindingFix[] => findings.flatMap(f => f.fixes?.find(x => x.safe) ?? [])

/** Fixes a text; a round after which less of it can be parsed is taken back. */
export async function fixText(path: string, text: string, language: Language,
  analyser: Pick<Analyser, 'analyse'>): Promise<FixedFile & { readonly result: FileResult }>
{
  let at = text
  let result = await analyser.analyse(path, at, language)
  let fixes = 0
  for (let least = Infinity, patience = PATIENCE; patience > 0;) {
    const offered = safeFixes(result)
    if (offered.length === 0) break
    const applied = applyFixes(at, offered)
    if (applied.text === at) break
    const next = await analyser.analyse(path, applied.text, language)
    if (next.problems > result.problems || next.notices.some(n => n.id === 'internal')) break
    at = applied.text
    result = next
    fixes += applied.fixes
    if (offered.length < least) least = offered.length
    else patience--
  }
  return { path, before: text, after: at, fixes, result }
}

/** Fixes the files in which something safe was offered. Without `write` nothing is touched. */
export async function fixFiles(found: readonly FileResult[], files: ReadonlyMap<string, FoundFile>, analyser: Analyser,
  write: boolean): Promise<Repair>
{
  const fixed: FixedFile[] = []
  const results = new Map<string, FileResult>()
  const notices: Notice[] = []
  for (const { path, language } of found.filter(r => safeFixes(r).length > 0).sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const file = files.get(path)
    const reading = file && readSource(file)
    if (!file || !reading || !('text' in reading)) continue
    const { result, ...done } = await fixText(path, reading.text, language, analyser)
    if (done.after === done.before) continue
    const refused = write ? writeWhole(openable(file), done) : undefined
    if (refused !== undefined)
      notices.push({ level: 'warning', id: 'left-out', file: path, line: null, message: `was not fixed: ${refused}` })
    else fixed.push(done), results.set(path, result)
  }
  return { fixed, results, notices }
}

/** Says why it was not written. */
function writeWhole(path: string | Buffer, { before, after }: FixedFile): string | undefined {
  if (typeof path !== 'string') return 'its name is no UTF-8'
  let scratch: string | undefined
  try {
    // Through a link, the file it leads to is written, and the link stays.
    const file = realpathSync(path)
    accessSync(file, constants.W_OK)
    const { mode, uid, gid } = statSync(file)
    scratch = mkdtempSync(join(dirname(file), '.flakesniff-'))
    const whole = join(scratch, basename(file))
    writeFileSync(whole, after)
    chmodSync(whole, mode)
    if (process.getuid?.() === 0) chownSync(whole, uid, gid)
    const now = readFileSync(file)
    if (!now.equals(Buffer.from(before)))
      return now.toString('utf8') === before
        ? 'it holds bytes that are no UTF-8'
        : 'it was changed in the meantime; run it again'
    renameSync(whole, file)
    return undefined
  } catch (error) {
    return `it cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`
  } finally {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
  }
}

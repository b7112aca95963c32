// Where a configuration gives every test, hook or assertion less time than a busy machine needs.

import type { Span } from '../facts/facts.ts'
import { type RunnerFile, isManifest, isRecord, isSample, json, nameOf } from './evidence.ts'

export interface TestLimit {
  /** Relative to the root, with `/`. */
  readonly file: string
  readonly span: Span
  /** Who has that long: `every test`, `every assertion`. */
  readonly whom: string
  readonly ms: number
}

interface Pattern {
  readonly of: RegExp
  /** The first group is the number, the second its unit where it has one. */
  readonly find: RegExp
  readonly whom: string
  readonly unit?: number
}

const NUMBER = String.raw`["']?\s*[:=]\s*["']?(\d[\d_]{0,9})\b(?!\s*[*.])`
const SCRIPTED = /^(?:jest|vitest|vite)[\w.-]*\.config\./

const JUNIT = /^[ \t]*junit\.jupiter\.execution\.timeout\.(?:[\w.]{1,80}\.)?default\s*[=:][ \t]*(\d{1,9})[ \t]*(ms|[nμ]s|s|m|h|d)?[ \t]*$/gm

const PATTERNS: readonly Pattern[] = [
  { of: SCRIPTED, find: new RegExp(String.raw`\btestTimeout${NUMBER}`, 'g'), whom: 'every test' },
  { of: SCRIPTED, find: new RegExp(String.raw`\bhookTimeout${NUMBER}`, 'g'), whom: 'every hook' },
  { of: /^playwright[\w.-]*\.config\./, find: new RegExp(String.raw`\bexpect["']?\s*:\s*\{[^{}]{0,300}?\btimeout${NUMBER}`, 'g'),
    whom: 'every assertion' },
  { of: /^playwright[\w.-]*\.config\./, find: new RegExp(String.raw`\b(?:actionTimeout|navigationTimeout)${NUMBER}`, 'g'),
    whom: 'every action' },
  { of: /^\.mocharc\./, find: new RegExp(String.raw`^[ \t{]*["']?timeout${NUMBER}`, 'gm'), whom: 'every test' },
  { of: /^junit-platform\.properties$/, find: JUNIT, whom: 'every test', unit: 1000 },
  { of: /^\.?pytest\.ini$/, find: /^timeout[ \t]*=[ \t]*(0?\.\d{1,4})[ \t]*$/gm, whom: 'every test', unit: 1000 },
]

const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Nobody needs longer on a machine that does nothing else. */
const TIGHT_MS = 500

export function readLimits(files: readonly RunnerFile[]): TestLimit[] {
  return files.filter(f => !isSample(f.path)).flatMap(
    file => [...PATTERNS.filter(p => p.of.test(nameOf(file.path))).flatMap(p => found(file, p)), ...inManifest(file)],
  )
}

function found({ path, text }: RunnerFile, { find, whom, unit = 1 }: Pattern): TestLimit[] {
  return [...text.matchAll(find)].flatMap(m => {
    const ms = Number(m[1]!.replaceAll('_', '')) * (UNITS[m[2] ?? ''] ?? unit)
    const start = m.index + m[0].lastIndexOf(m[1]!), line = text.slice(text.lastIndexOf('\n', start) + 1, start)
    // Zero stands for no limit.
    return ms > 0 && ms < TIGHT_MS && !/^\s*(?:\/\/|#|\*)/.test(line)
      ? [{ file: path, span: { start, end: start + m[1]!.length }, whom, ms }]
      : []
  })
}

/** `"jest": { "testTimeout": 50 }` in package.json. */
function inManifest({ path, text }: RunnerFile): TestLimit[] {
  if (!isManifest(path) || !/"(?:testTimeout|timeout)"/.test(text)) return []
  const manifest = json(text)
  return [['jest', 'testTimeout'], ['mocha', 'timeout']].flatMap(([runner = '', key = '']) => {
    const settings = manifest?.[runner], ms = isRecord(settings) ? Number(settings[key]) : NaN
    const start = text.indexOf(`"${key}"`, text.indexOf(`"${runner}"`))
    return ms > 0 && ms < TIGHT_MS && start >= 0
      ? [{ file: path, span: { start, end: start + key.length + 2 }, whom: 'every test', ms }]
      : []
  })
}

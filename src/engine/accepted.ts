// Finds the baseline of a run, and takes what it accepts out of the findings.

import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { compare, type Comparison } from '../baseline/compare.ts'
import { BASELINE_FILE, readEntries, wrong, type Entry } from '../baseline/entries.ts'
import type { Config } from '../config/config.ts'
import { exists, repositoryTop, slashed } from '../discover/places.ts'
import { rules } from '../rules/registry.ts'
import type { Finding } from '../rules/rule.ts'
import { PRESET_CONFIDENCE, isOff, levelIn, presetIn, type Settings } from './settings.ts'

export interface Baseline extends Comparison {
  /** Where it stands, or would be written. */
  readonly file: string
  /** As seen from the root. */
  readonly shown: string
  readonly there: boolean
}

/** The configured file, or the nearest of that name from the root up to the top of the repository. */
export function baselineFile(root: string, config: Config): string {
  if (config.baseline !== undefined) return resolve(config.base, config.baseline)
  const top = repositoryTop(root) ?? root
  for (let at = root;; at = dirname(at)) {
    if (exists(join(at, BASELINE_FILE))) return join(at, BASELINE_FILE)
    if (at === top) return join(top, BASELINE_FILE)
  }
}

/** `covers` tells whether the run looked at everything in a folder: only then is what it did not find gone. */
export function againstBaseline(findings: readonly Finding[], root: string, settings: Settings, wanted: boolean,
  covers: (folder: string) => boolean): Baseline
{
  const file = baselineFile(root, settings.config)
  const folder = dirname(file), shown = slashed(relative(root, file)), there = wanted && exists(file)
  const whole = covers(folder)
  const compared = compare(findings.filter(f => !f.suppressed), there ? read(file, shown) : [], {
    fileOf: f => slashed(relative(folder, join(root, f.file))),
    exists: path => exists(join(folder, path)),
    judges: entry => whole && isAsked(entry, slashed(relative(root, join(folder, entry.file))), settings),
  })
  return { ...compared, file, shown, there }
}

/** With fewer rules or less confidence than the baseline was written with, silence proves nothing. */
function isAsked({ rule, confidence }: Entry, path: string, settings: Settings): boolean {
  const meta = rules.find(r => r.meta.id === rule)?.meta
  if (!meta) return true
  return !isOff(settings, meta) && levelIn(settings, meta, path).level !== 'off'
    && PRESET_CONFIDENCE[presetIn(settings, path)].includes(confidence)
}

function read(file: string, shown: string): Entry[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return wrong(`${shown}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}); --no-baseline does without it`)
  }
  return readEntries(text, shown)
}

// What is put back for every test without its asking: by the configuration of a runner, by set-up files and by fixtures
// that everyone gets. Read as text.

import type { Language } from '../facts/facts.ts'
import { type RunnerFile, folderOf, isManifest, isRecord, json, nameOf, withoutComments } from './evidence.ts'

export type Restored = 'mocks' | 'env' | 'globals' | 'clock' | 'cwd'

export interface Restores {
  readonly language: Language
  readonly folder: string
  readonly what: readonly Restored[]
}

const CONFIG: Readonly<Record<Restored, RegExp>> = {
  mocks: /\b(?:restoreMocks|resetMocks|mockReset)["']?\s*:\s*true\b/,
  env: /\bunstubEnvs["']?\s*:\s*true\b/,
  globals: /\bunstubGlobals["']?\s*:\s*true\b/,
  clock: /\b(?:enableGlobally["']?\s*:\s*true|timers["']?\s*:\s*["'](?:fake|modern|legacy))/,
  cwd: /(?!)/,
}

/** In a set-up file beside `afterEach` or `beforeEach`. */
const HOOKED: Readonly<Record<Restored, RegExp>> = {
  mocks: /\b(?:restoreAllMocks|resetAllMocks|sinon\.restore|sandbox\.restore|verifyAndRestore|td\.reset)\b/,
  env: /\bunstubAllEnvs\b|\bprocess\.env\s*=(?!=)/,
  globals: /\bunstubAllGlobals\b/,
  clock: /\buseRealTimers\b|\bclock\.restore\b|\bsinon\.restore\b|\bsandbox\.restore\b|\bMockDate\.reset\b/,
  cwd: /\bprocess\.chdir\b/,
}

/** In a fixture that everyone gets. */
const AUTOUSED: Readonly<Record<Restored, RegExp>> = {
  mocks: /\bpatch\.stopall\b/,
  env: /\bos\.environ\b/,
  globals: /(?!)/,
  clock: /\btzset\b/,
  cwd: /\bos\.chdir\b|\bmonkeypatch\.chdir\b/,
}

export function restoresIn(files: readonly RunnerFile[]): Restores[] {
  return files.flatMap(file => {
    const found = read(file)
    return found && found.what.length > 0 ? [{ ...found, folder: folderOf(file.path) }] : []
  })
}

const named = (text: string, table: Readonly<Record<Restored, RegExp>>): Restored[] => (Object.keys(table) as Restored[]).filter(k => table[k].test(text))

function read(file: RunnerFile): Omit<Restores, 'folder'> | undefined {
  const name = nameOf(file.path)
  if (name === 'conftest.py') return { language: 'python', what: /\bautouse\s*=\s*True\b/.test(file.text) ? named(file.text, AUTOUSED) : [] }
  if (isManifest(file.path)) {
    const manifest = json(file.text)
    return manifest && isRecord(manifest.jest) ? { language: 'typescript', what: named(JSON.stringify(manifest.jest), CONFIG) } : undefined
  }
  if (/^(?:vitest|vite|jest)\b.*\bconfig\b/.test(name)) return { language: 'typescript', what: named(withoutComments(file.text), CONFIG) }
  if (!isSetupFile(name)) return undefined
  const text = withoutComments(file.text)
  return { language: 'typescript', what: /\b(?:afterEach|beforeEach)\b/.test(text) ? named(text, HOOKED) : [] }
}

/** Of the files that a project is read from, only set-up files are scripts of this name. */
const isSetupFile = (name: string): boolean => /set-?up.*\.[cm]?[jt]sx?$/i.test(name)

// The languages of the house. Each is loaded on the first file that needs it.

import type { Language } from '../facts/facts.ts'
import type { Frontend } from './frontend.ts'
import { table } from './table.ts'

const LOADERS: Readonly<Record<Language, () => Promise<{ frontend: Frontend }>>> = {
  python: () => import('./python/index.ts'),
  typescript: () => import('./typescript/index.ts'),
  java: () => import('./java/index.ts'),
  go: () => import('./go/index.ts'),
  rust: () => import('./rust/index.ts'),
  bash: () => import('./bash/index.ts'),
}

export const LANGUAGES = Object.keys(LOADERS) as Language[]

const loaded = new Map<Language, Promise<Frontend>>()
const ready = new Map<Language, Frontend>()

/** The frontend's data: what it calls a test file, its catalog. No parser yet. */
export function frontendOf(language: Language): Promise<Frontend> {
  const known = loaded.get(language)
  if (known) return known
  const loading = LOADERS[language]().then(module => module.frontend)
  loaded.set(language, loading)
  return loading
}

/** Loads frontends with their parsers, so that `readyFrontend` gives them at once. */
export async function loadLanguages(languages: readonly Language[]): Promise<void> {
  for (const language of languages) {
    const frontend = await frontendOf(language)
    await frontend.load()
    ready.set(language, frontend)
  }
}

/** The frontend of a language that `loadLanguages` has loaded. */
export const readyFrontend = (language: Language): Frontend | undefined => ready.get(language)

const EXTENSIONS: Readonly<Record<string, Language>> = {
  '.py': 'python',
  '.ts': 'typescript',
  '.tsx': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.js': 'typescript',
  '.jsx': 'typescript',
  '.mjs': 'typescript',
  '.cjs': 'typescript',
  '.java': 'java',
  '.go': 'go',
  '.rs': 'rust',
  '.sh': 'bash',
  '.bash': 'bash',
  '.bats': 'bash',
  '.ksh': 'bash',
}

const PROGRAMS: Readonly<Record<string, Language>> = table({
  python: 'python',
  python2: 'python',
  python3: 'python',
  node: 'typescript',
  deno: 'typescript',
  bun: 'typescript',
  sh: 'bash',
  bash: 'bash',
  bats: 'bash',
  dash: 'bash',
  ksh: 'bash',
})

/** By extension, or by the `#!` line of a file whose name does not say it. */
export function languageOf(path: string, head: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (!isScriptName(name)) return EXTENSIONS[name.slice(name.lastIndexOf('.'))]
  const program = programOf(head)
  // `python3.11` is python3.
  return program === undefined ? undefined : PROGRAMS[program] ?? PROGRAMS[program.replace(/\.[\d.]+$/, '')]
}

/** No extension, or the `.t` by which `prove` knows a test in whatever language. */
export const isScriptName = (name: string): boolean => name.lastIndexOf('.') <= 0 || name.endsWith('.t')

/** The program of a `#!` line: `/usr/bin/env -S FOO=1 python3 -u` runs python3. */
export function programOf(head: string): string | undefined {
  const line = /^#!\s*([^\r\n]+)/.exec(head)?.[1]
  if (line === undefined) return undefined
  const [first, ...rest] = line.trim().split(/\s+/).map(word => word.slice(word.lastIndexOf('/') + 1))
  return first === 'env' ? rest.find(word => !word.startsWith('-') && !word.includes('=')) : first
}

// The languages of the house. Each is loaded on the first file that needs it.

import type { Language } from '../facts/facts.ts'
import type { Frontend } from './frontend.ts'

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

/** The frontend's data: what it calls a test file, its catalog. No parser yet. */
export function frontendOf(language: Language): Promise<Frontend> {
  const known = loaded.get(language)
  if (known) return known
  const loading = LOADERS[language]().then(module => module.frontend)
  loaded.set(language, loading)
  return loading
}

const EXTENSIONS: Readonly<Record<string, Language>> = {
  '.py': 'python',
  '.ts': 'typescript', '.tsx': 'typescript', '.mts': 'typescript', '.cts': 'typescript',
  '.js': 'typescript', '.jsx': 'typescript', '.mjs': 'typescript', '.cjs': 'typescript',
  '.java': 'java', '.go': 'go', '.rs': 'rust',
  '.sh': 'bash', '.bash': 'bash', '.bats': 'bash',
}

const PROGRAMS: Readonly<Record<string, Language>> = {
  python: 'python', python2: 'python', python3: 'python', node: 'typescript', deno: 'typescript', bun: 'typescript',
  sh: 'bash', bash: 'bash', bats: 'bash', dash: 'bash', ksh: 'bash',
}

/** By extension, or by the `#!` line of a file without one. */
export function languageOf(path: string, firstLine: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  if (dot > 0) return EXTENSIONS[name.slice(dot)]
  const program = /^#!\s*\S*?([\w.-]+)(?:\s+(?:-\S+\s+)*([\w.-]+))?/.exec(firstLine)
  if (!program) return undefined
  const word = program[1] === 'env' ? program[2] : program[1]
  return PROGRAMS[(word ?? '').replace(/[\d.]+$/, m => (m.startsWith('3') || m.startsWith('2') ? m[0]! : ''))] ?? PROGRAMS[word ?? '']
}

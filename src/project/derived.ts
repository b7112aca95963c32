// Configurations of JavaScript runners that are built on others: spread, merged, named as a preset. What the other file says
// holds where this one stands. It is read as text, like all of them.

import { type RunnerFile, isManifest, isRecord, json, nameOf, withoutComments } from './evidence.ts'

const RUNNER = /^(?:vitest|vite|jest|playwright)\b.*\.(?:[cm]?[jt]s|json)$/
const ENDINGS = ['', '.js', '.ts', '.cjs', '.mjs', '.mts', '.cts', '.json', '/index.js', '/index.ts', '/jest-preset.js',
  '/jest-preset.json']
/** One that is built on another that is built on a third is enough for the largest repository. */
const MOST = 3

/** The same files, with those that they are built on. `read` tells the text of a path from the root, if there is such a file. */
export function withBases(files: readonly RunnerFile[], read: (path: string) => string | undefined): RunnerFile[] {
  const texts = new Map<string, string | undefined>(files.map(f => [f.path, f.text]))
  const textOf = (path: string) => {
    if (!texts.has(path)) texts.set(path, read(path))
    return texts.get(path)
  }
  const basesOf = (file: RunnerFile, depth: number, known: readonly string[]): RunnerFile[] =>
    depth === 0 ? [] : namedIn(file).flatMap(name => {
      const path = ENDINGS.map(e => joined(file.path, name) + e).find(p => !known.includes(p) && textOf(p) !== undefined)
      const base = path === undefined ? undefined : { path, text: textOf(path)! }
      return base ? [base, ...basesOf(base, depth - 1, [...known, base.path])] : []
    })
  return files.map(file => {
    const bases = RUNNER.test(nameOf(file.path)) || isManifest(file.path) ? basesOf(file, MOST, [file.path]) : []
    return bases.length > 0 ? { ...file, bases } : file
  })
}

const PATH = String.raw`\s*["']([^"'\n]{1,300})["']`
const NAMED = new RegExp(
  String.raw`\b(?:preset|extends)["']?\s*:\s*\[?${PATH}|\.\.\.\s*\(?\s*require\(${PATH}|\bmodule\.exports\s*=\s*require\(${PATH}`,
  'g',
)
const NAMES = String.raw`([\w$]+|\{[^}\n]{1,300}\})`
const IMPORTS = new RegExp(
  String.raw`\bimport\s+(?:\*\s*as\s+)?${NAMES}\s*from${PATH}|\b(?:const|let|var)\s+${NAMES}\s*=\s*require\(${PATH}`,
  'g',
)

/** Paths of files that a configuration takes over. What it only calls is none of them. */
function namedIn(file: RunnerFile): string[] {
  if (isManifest(file.path)) {
    const jest = file.text.includes('"preset"') ? json(file.text)?.['jest'] : undefined
    return isRecord(jest) && typeof jest['preset'] === 'string' && isPath(jest['preset']) ? [jest['preset']] : []
  }
  const text = withoutComments(file.text)
  const named = Array.from(text.matchAll(NAMED), m => m[1] ?? m[2] ?? m[3]!)
  const imports = Array.from(text.matchAll(IMPORTS))
  const taken = imports.filter(m => ((m[1] ?? m[3])!.match(/[\w$]+/g) ?? []).some(name => isTaken(name, text))).map(m => (m[2] ?? m[4])!)
  return [...named.map(n => n.replace(/^<rootDir>\//, './')), ...taken].filter(isPath)
}

const isPath = (name: string): boolean => /^\.{1,2}(?:\/|$)/.test(name)

function isTaken(name: string, text: string): boolean {
  const own = name.replaceAll('$', '\\$')
  const handed = String.raw`\b(?:mergeConfig|merge|Object\.assign|defineConfig)\(\s*(?:\{\s*\}\s*,\s*|[\w.]{1,80}\s*,\s*)?`
  return new RegExp(String.raw`(?:\.\.\.\(?\s*|${handed}|(?:export default|module\.exports\s*=)\s*)${own}\b`).test(text)
}

/** A path from the root, of one that a file names. */
function joined(from: string, path: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const piece of path.split('/'))
    piece === '..'
      ? parts.length > 0 && parts.at(-1) !== '..' ? parts.pop() : parts.push('..')
      : piece !== '.' && piece !== '' && parts.push(piece)
  return parts.join('/')
}

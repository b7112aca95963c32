// The globs of a configuration: lists of patterns against a path with `/`.

import picomatch from 'picomatch'

/** A glob without a slash holds in every folder; one that begins with `!` takes back. */
export function globs(patterns: readonly string[]): (path: string) => boolean {
  const anywhere = (p: string) => (p.includes('/') ? p.replace(/^\.?\//, '') : `**/${p}`)
  const yes = patterns.filter(p => !p.startsWith('!')), no = patterns.filter(p => p.startsWith('!'))
  const matches = yes.length > 0 ? picomatch(yes.map(anywhere), { dot: true }) : () => true
  const refuses = no.length > 0 ? picomatch(no.map(p => anywhere(p.slice(1))), { dot: true }) : () => false
  return path => matches(path) && !refuses(path)
}

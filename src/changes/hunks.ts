// Which lines a patch adds or changes, by file. Read by the counts that each hunk announces, so that no line of a file
// can pass for a header.

export type Lines = readonly (readonly [first: number, last: number])[]

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Of a patch with the prefix `b/` and without context. Paths come as git quotes them. */
export function changedLines(patch: Buffer, shown: (path: Buffer) => string): Map<string, Lines> {
  const found = new Map<string, (readonly [number, number])[]>()
  let current: (readonly [number, number])[] | undefined
  // Latin-1 keeps every byte, so that a path can be turned back into what it was.
  const lines = patch.toString('latin1').split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const hunk = HUNK.exec(line)
    if (hunk) {
      const [removed, first, added] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)]
      if (added > 0) current?.push([first, first + added - 1])
      i += removed + added
    } else if (line.startsWith('diff --git ')) current = undefined
    else if (line.startsWith('+++ ') && line !== '+++ /dev/null') found.set(shown(unquoted(line.slice(4))), current = [])
  }
  return found
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', '"': '"', '\\': '\\' }

/** `b/a path` and a tab, or `"b/a\npath"`: the path itself. */
function unquoted(name: string): Buffer {
  const bare = name.replace(/\t$/, '')
  const plain = bare.startsWith('"')
    ? bare.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_, e: string) => ESCAPES[e] ?? String.fromCharCode(parseInt(e, 8)))
    : bare
  return Buffer.from(plain.slice('b/'.length), 'latin1')
}

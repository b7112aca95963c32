// A unified diff of one file, as `git apply` and `patch` read it. The library is loaded only where a diff is asked for.

const CONTEXT = 3

export async function unifiedDiff(path: string, before: string | null, after: string): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  const patch = createTwoFilesPatch(before === null ? '/dev/null' : `a/${path}`, `b/${path}`, before ?? '', after, undefined, undefined, { context: CONTEXT })
  return patch.replace(/^=+\n/, '')
}

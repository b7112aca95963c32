// What a process prints, of which only the head and the tail are kept: it is always read on, or the process would wait for us.

const KEEP = 4 * 2 ** 20

export interface Kept {
  readonly add: (chunk: Buffer) => void
  readonly text: () => string
}

export function keepEnds(limit = KEEP): Kept {
  const head: Buffer[] = []
  let headSize = 0
  let tail: Buffer[] = []
  let tailSize = 0
  let dropped = 0
  const add = (chunk: Buffer): void => {
    const room = limit - headSize
    if (room > 0) {
      const first = chunk.subarray(0, room)
      head.push(first)
      headSize += first.length
      chunk = chunk.subarray(first.length)
    }
    if (chunk.length === 0) return
    tail.push(chunk)
    tailSize += chunk.length
    while (tailSize - tail[0]!.length >= limit) {
      tailSize -= tail[0]!.length
      dropped += tail.shift()!.length
    }
  }
  return { add,
    text: () =>
      Buffer.concat([...head, ...(dropped > 0 ? [Buffer.from(`\n… ${dropped} bytes left out …\n`)] : []), ...tail]).toString('utf8') }
}

// One line on a terminal that is rewritten while a run takes longer than a second.

const PATIENCE_MS = 1000

export interface Progress {
  readonly tell: (done: number, all: number) => void
  readonly end: () => void
}

export function progressLine(stream: NodeJS.WriteStream, quiet: boolean): Progress {
  if (!stream.isTTY || quiet) return { tell: () => {}, end: () => {} }
  const started = performance.now()
  let shown = false
  return {
    tell: (done, all) => {
      if (performance.now() - started < PATIENCE_MS) return
      shown = true
      stream.write(`\r\u001b[K${done} of ${all} files`)
    },
    end: () => {
      if (shown) stream.write('\r\u001b[K')
    },
  }
}

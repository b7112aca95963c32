// What the command says, and the exit status that goes with it.

/** `flakesniff | head`: who has read enough is no fault. The exit status still tells what was found. */
export function letReadersLeave(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

export function print(text: string): 0 {
  process.stdout.write(text)
  return 0
}

export function complain(message: string): 2 {
  process.stderr.write(`flakesniff: ${message}\n`)
  return 2
}

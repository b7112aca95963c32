// What the command says, and the exit status that goes with it.

export function print(text: string): 0 {
  process.stdout.write(text)
  return 0
}

export function complain(message: string): 2 {
  process.stderr.write(`flakesniff: ${message}\n`)
  return 2
}

/** Something the user can put right; the message says how. */
export interface ConfirmError extends Error {
  readonly name: 'ConfirmError'
}

export const confirmError = (message: string): ConfirmError => Object.assign(new Error(message), { name: 'ConfirmError' as const })
export const isConfirmError = (error: unknown): error is ConfirmError => error instanceof Error && error.name === 'ConfirmError'

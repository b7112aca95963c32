import type { Frontend } from '../frontend.ts'

export const frontend: Frontend = undefined as never

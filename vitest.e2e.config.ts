import { defineConfig } from 'vitest/config'

// With the real counterparts, installed for the occasion: slow, and one file after another.
export default defineConfig({
  test: { include: ['test/e2e/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 900_000, fileParallelism: false },
})

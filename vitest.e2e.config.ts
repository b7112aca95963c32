// The slow part: real runners and other counterparts, installed into temporary folders.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/e2e/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 900_000, maxWorkers: 2 },
})

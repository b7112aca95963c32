import { defineConfig } from 'vitest/config'

// The real counterparts: installed from their registries, so it takes minutes. One after the other, since each wants the machine.
export default defineConfig({
  test: { include: ['test/e2e/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 900_000, fileParallelism: false },
})

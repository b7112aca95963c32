// The slow part: real runners and other counterparts, installed into temporary folders.
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest comes first: a file that starts last would run alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => ['javascript', 'maven', 'gradle', 'others', 'pytest'].findIndex(name => moduleId.endsWith(`confirm-${name}.test.ts`)) >>> 0
    return files.toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: { include: ['test/e2e/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 900_000, maxWorkers: 3, sequence: { sequencer: LongestFirst } },
})

// The runners we know, each loaded only when it is asked. Where several recognise a project, the first that knows the test wins.

import type { Runner } from '../runner.ts'

export interface RunnerEntry {
  readonly id: string
  /** The files its tests stand in, by their path. */
  readonly files: RegExp
  readonly load: () => Promise<Runner>
}

const SCRIPT = /\.[cm]?[jt]sx?$/

export const RUNNERS: readonly RunnerEntry[] = [
  { id: 'pytest', files: /\.py$/, load: async () => (await import('./pytest/pytest.ts')).pytest },
  { id: 'unittest', files: /\.py$/, load: async () => (await import('./unittest/unittest.ts')).unittest },
  { id: 'vitest', files: SCRIPT, load: async () => (await import('./vitest/vitest.ts')).vitest },
  { id: 'jest', files: SCRIPT, load: async () => (await import('./jest/jest.ts')).jest },
  { id: 'mocha', files: SCRIPT, load: async () => (await import('./mocha/mocha.ts')).mocha },
  { id: 'playwright', files: SCRIPT, load: async () => (await import('./playwright/playwright.ts')).playwright },
  { id: 'node-test', files: SCRIPT, load: async () => (await import('./node-test/node-test.ts')).nodeTest },
  { id: 'go', files: /\.go$/, load: async () => (await import('./go/go.ts')).go },
  { id: 'nextest', files: /\.rs$/, load: async () => (await import('./nextest/nextest.ts')).nextest },
  { id: 'cargo', files: /\.rs$/, load: async () => (await import('./cargo/cargo.ts')).cargo },
  { id: 'surefire', files: /\.(?:java|kt|groovy)$/, load: async () => (await import('./surefire/surefire.ts')).surefire },
  { id: 'gradle', files: /\.(?:java|kt|groovy)$/, load: async () => (await import('./gradle/gradle.ts')).gradle },
  { id: 'bats', files: /\.bats$/, load: async () => (await import('./bats/bats.ts')).bats },
]

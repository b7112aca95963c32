// The runners of Python, Go, Rust, the JVM and BATS, each with its fixture project. In a file of their own, so that they run beside the others.

import { expect, test } from 'vitest'
import { RUNNERS } from '../../src/confirm/runners/registry.ts'
import { holdToContract, runnerFixtures } from './runner-contract.ts'
import { JAVASCRIPT } from './runners/fixture.ts'

const fixtures = await runnerFixtures()

test('those that are left to the other file are runners that there are', () => {
  expect(JAVASCRIPT.filter(id => !RUNNERS.some(r => r.id === id))).toEqual([])
})

holdToContract(fixtures.filter(f => !JAVASCRIPT.includes(f.runner)))

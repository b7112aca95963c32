// The runners of Go, Rust and the JVM, each with its fixture project. In a file of their own, so that they run beside the others.

import { expect, test } from 'vitest'
import { RUNNERS } from '../../src/confirm/runners/registry.ts'
import { holdToContract, runnerFixtures } from './runner-contract.ts'
import { COMPILED } from './runners/fixture.ts'

const fixtures = (await runnerFixtures()).filter(f => COMPILED.includes(f.runner))

test('those that compile are runners that there are', () => {
  expect(COMPILED.filter(id => !RUNNERS.some(r => r.id === id))).toEqual([])
})

holdToContract(fixtures)

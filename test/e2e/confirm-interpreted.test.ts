// The runners of Python, JavaScript and shells, each with its fixture project.

import { expect, test } from 'vitest'
import { expectedRunners, holdToContract, runnerFixtures } from './runner-contract.ts'
import { COMPILED } from './runners/fixture.ts'

const fixtures = await runnerFixtures()

test('every runner has a fixture', () => {
  expect(fixtures.map(f => f.runner).sort()).toEqual(expectedRunners())
})

holdToContract(fixtures.filter(f => !COMPILED.includes(f.runner)))

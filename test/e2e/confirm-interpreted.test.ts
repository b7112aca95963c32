// The runners of Python, JavaScript and shells, each with its fixture project.

import { expect, test } from 'vitest'
import { holdToContract, runnerFixtures, runnersWithout } from './runner-contract.ts'
import { COMPILED } from './runners/fixture.ts'

const fixtures = await runnerFixtures()

test('every runner has a fixture', () => {
  expect(runnersWithout()).toEqual([])
})

holdToContract(fixtures.filter(f => !COMPILED.includes(f.runner)))

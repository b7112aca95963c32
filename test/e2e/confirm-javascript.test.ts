// The runners of JavaScript, each with its fixture project.

import { expect, test } from 'vitest'
import { holdToContract, runnerFixtures, runnersWithout } from './runner-contract.ts'
import { JAVASCRIPT } from './runners/fixture.ts'

const fixtures = await runnerFixtures()

test('every runner has a fixture', () => {
  expect(runnersWithout()).toEqual([])
})

holdToContract(fixtures.filter(f => JAVASCRIPT.includes(f.runner)))

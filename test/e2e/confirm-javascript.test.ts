// The runners of JavaScript, each with its fixture project.

import { holdToContract } from './runner-contract.ts'

await holdToContract('jest', 'mocha', 'node-test', 'playwright', 'vitest')

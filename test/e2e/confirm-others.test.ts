// The runners of Python, Go, Rust and BATS, each with its fixture project.

import { holdToContract } from './runner-contract.ts'

await holdToContract('bats', 'cargo', 'go', 'nextest', 'pytest', 'unittest')

// Gradle. Every run is a start of Gradle and of the tests' own JVM.

import { holdToContract } from './runner-contract.ts'

await holdToContract('gradle')

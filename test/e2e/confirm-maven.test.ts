// Maven Surefire with JUnit 5 and JUnit 4. Every run is a start of Maven and of the tests' own JVM.

import { holdToContract } from './runner-contract.ts'

await holdToContract('surefire')

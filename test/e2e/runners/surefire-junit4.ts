import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fixture as gradle } from './gradle.ts'
import type { RunnerFixture } from './fixture.ts'
import { fixture as surefire } from './surefire.ts'

const JUPITER = /<groupId>org\.junit\.jupiter<\/groupId>\s*<artifactId>junit-jupiter<\/artifactId>\s*<version>[^<]+/

/** The project that Gradle has, with Maven's file for the same tests in JUnit 4. */
export const fixture: RunnerFixture = {
  ...gradle,
  runner: 'surefire',
  title: 'surefire with JUnit 4',
  project: 'confirm-gradle',
  install: async (project, temp) => {
    for (const folder of ['', 'exits']) {
      const pom = readFileSync(fileURLToPath(new URL(join('../../../fixtures/confirm-surefire', folder, 'pom.xml'), import.meta.url)),
        'utf8')
      writeFileSync(join(project, folder, 'pom.xml'),
        pom.replace(JUPITER, '<groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2'))
    }
    return surefire.install(project, temp)
  },
  lacks: surefire.lacks!,
  listsByRunning: true,
  // Where JUnit 4 is run otherwise than JUnit 5: its order, its threads, its list.
  verdicts: ['order', 'parallel', 'exit'],
}

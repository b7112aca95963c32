// Calls Maven with a small extension that moves all it writes, so that the project's folders stay as they are.

import { join } from 'node:path'
import { runnerError, type Finished, type Place } from '../../runner.ts'
import { probe } from '../probe.ts'

export interface Maven {
  readonly mvn: string
  readonly args: readonly string[]
}

/** The sources and the class path of the tests, over all modules. */
export interface TestSources {
  readonly roots: readonly string[]
  readonly classpath: readonly string[]
}

export async function mavenOf(place: Place, folder: string): Promise<Maven> {
  const mvn = place.names(folder || '.').includes('mvnw') ? join(place.root, folder, 'mvnw') : 'mvn'
  const asked = await place.exec({ argv: [mvn, '-B', '-v'], cwd: folder })
  const home = /^Maven home: (.*?)\s*$/m.exec(asked.stdout.replace(/\x1b\[[\d;]*m/g, ''))?.[1]
  if (asked.code !== 0 || home === undefined)
    throw runnerError(`${mvn} does not run: install Maven and a JDK, or commit the project's wrapper (mvnw)`)
  return { mvn,
    args: ['-B', '-ntp', '-nsu', '-fae', `-Dmaven.ext.class.path=${await extension(place, home)}`,
      `-Dflakesniff.build=${join(place.temp, 'build')}`] }
}

async function extension(place: Place, home: string): Promise<string> {
  const source = place.write('maven/Redirect.java', probe('surefire', 'Redirect.java'))
  place.write('maven/classes/META-INF/plexus/components.xml', probe('surefire', 'components.xml'))
  const out = join(place.temp, 'maven/classes')
  const javac = place.env['JAVA_HOME'] ? join(place.env['JAVA_HOME'], 'bin/javac') : 'javac'
  const done = await place.exec({ argv: [javac, '-nowarn', '-encoding', 'UTF-8', '-proc:none', '-d', out, '-cp', `${home}/lib/*`, source] })
  if (done.code !== 0)
    throw runnerError(done.code === 127
      ? `${javac} does not run: a JDK is needed, not only a JRE; set JAVA_HOME to one`
      : `the extension does not compile against Maven in ${home}: ${errorsOf(done)}`)
  return out
}

export async function compileTests(place: Place, folder: string, { mvn, args }: Maven): Promise<TestSources> {
  const file = join(place.temp, 'maven/classpath')
  const done = await place.exec({ argv: [mvn, ...args, '-q', `-Dflakesniff.classpath=${file}`, 'test-compile'], cwd: folder })
  if (done.code !== 0) throw runnerError(`the tests do not compile: ${errorsOf(done)}`)
  const lines = (place.read(file) ?? '').split('\n').map(l => l.split('\t'))
  const of = (word: string): string[] => [...new Set(lines.filter(l => l[0] === word).map(l => l[1]!))]
  const roots = of('source')
  // Sources in Kotlin and Groovy stand beside those in Java, whether or not their plugins tell.
  return {
    roots: [...roots, ...roots.flatMap(r => (r.endsWith('/java') ? [r.replace(/java$/, 'kotlin'), r.replace(/java$/, 'groovy')] : []))],
    classpath: of('classpath'),
  }
}

/** The first lines that Maven itself marks as errors. */
export const errorsOf = ({ stdout, stderr }: Finished): string => {
  const marked = stdout.replace(/\x1b\[[\d;]*m/g, '').split('\n').filter(l => /^\[(?:ERROR|FATAL)\] \S/.test(l)).map(l =>
    l.replace(/^\[\w+\] /, '')
  )
  return (marked.length > 0 ? marked : (stderr || stdout).trim().split('\n')).slice(0, 4).join('\n')
}

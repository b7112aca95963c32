// JUnit, surefire, Gradle and TestNG: serial unless one of them is told otherwise.

import { type RunnerFile, type Says, folderOf, nameOf, withoutComments, withoutXmlComments } from './evidence.ts'
import type { Parallel } from './project.ts'

export const javaSays: Says = files =>
  files.flatMap(file => {
    const parallel = readers[nameOf(file.path)]?.(file)
    // Settings of the platform itself outrank how a build starts it.
    return parallel ? [{ folder: folderOf(file.path), weight: parallel.on ? 3 : parallel.scope ? 2 : 1, parallel }] : []
  })

const threads = (because: string): Parallel => ({ on: true, scope: 'threads', grain: 'tests', because })
const forks = (because: string): Parallel => ({ on: false, scope: 'processes', grain: 'files', because })

const readers: Readonly<Record<string, (file: RunnerFile) => Parallel | undefined>> = {
  'junit-platform.properties': ({ path, text }) => jupiter(path, text.replace(/^[ \t]*[#!].*$/gm, '')),
  'gradle.properties': ({ path, text }) => jupiter(path, text.replace(/^[ \t]*[#!].*$/gm, '')),
  'pom.xml': ({ path, text }) => maven(path, withoutXmlComments(text)),
  'build.gradle': ({ path, text }) => gradle(path, withoutComments(text)),
  'build.gradle.kts': ({ path, text }) => gradle(path, withoutComments(text)),
  'testng.xml': ({ path, text }) => testng(path, withoutXmlComments(text)),
}

const PREFIX = String.raw`junit\.jupiter\.execution\.parallel\.`

/** A property in whatever spelling: `a=b`, `"a", "b"`, `'a': 'b'`, `-Da=b`, `<a>b</a>`. */
const property = (text: string, name: string) =>
  new RegExp(String.raw`${PREFIX}${name}["'\]]*\s*(?:[=:,>]|to\b)+\s*["']?([\w]+)`).exec(text)?.[1]?.toLowerCase()

function jupiter(path: string, text: string): Parallel | undefined {
  const enabled = property(text, 'enabled')
  if (enabled === undefined) return undefined
  if (enabled !== 'true') return { on: false, because: `${path} turns JUnit's parallel execution off` }
  if (property(text, String.raw`mode\.default`) === 'concurrent') return threads(`${path} lets JUnit run tests at the same time`)
  if (property(text, String.raw`mode\.classes\.default`) === 'concurrent')
    return { ...threads(`${path} lets JUnit run classes at the same time`), grain: 'files' }
  return { on: false, because: `${path} allows parallel execution, but only what asks for it by @Execution(CONCURRENT) gets it` }
}

function maven(path: string, text: string): Parallel | undefined {
  const by = jupiter(path, text)
  if (by?.on) return by
  const mode = /<parallel>\s*(\w+)\s*<\/parallel>/.exec(text)?.[1]
  if (mode && mode !== 'none' && mode !== 'false')
    return { ...threads(`${path} has surefire run ${mode} at the same time`),
      grain: /^(?:classes|suites|suitesAndClasses)$/.test(mode) ? 'files' : 'tests' }
  const fork = /<forkCount>\s*([\w.${}]+)\s*<\/forkCount>/.exec(text)?.[1]
  return fork && /^(?:[2-9]|[1-9]\d+|[\d.]+C)$/.test(fork) ? forks(`${path} has surefire fork ${fork} processes`) : by
}

function gradle(path: string, text: string): Parallel | undefined {
  const by = jupiter(path, text)
  if (by?.on) return by
  const mode = /\bparallel\s*=\s*["'](methods|classes|tests|instances)["']/.exec(text)?.[1]
  if (mode) return { ...threads(`${path} has TestNG run ${mode} at the same time`), grain: mode === 'classes' ? 'files' : 'tests' }
  const forked = /\bmaxParallelForks\s*(?:=|\.set\()?\s*([^\n;]+)/.exec(text)?.[1]?.trim()
  return forked && !/^1\)?$/.test(forked) ? forks(`${path} sets maxParallelForks: test classes run in several processes`) : by
}

function testng(path: string, text: string): Parallel | undefined {
  const mode = /<suite\b[^>]{0,2000}\bparallel\s*=\s*["'](\w+)["']/.exec(text)?.[1]
  if (!mode || mode === 'none' || mode === 'false') return undefined
  return { ...threads(`${path} has TestNG run ${mode} at the same time`), grain: mode === 'classes' ? 'files' : 'tests' }
}

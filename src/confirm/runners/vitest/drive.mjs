// Starts the project's own Vitest with its own configuration, through its programming interface: the command line cannot set a
// runner, and files would run as a cache of earlier runs says.

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const { plan, write, fromRoot, words } = createRequire(import.meta.url)('./journal.cjs')
const { createVitest } = await import(pathToFileURL(plan.node).href)

const fileOf = spec => fromRoot(spec.moduleId ?? spec[1])
const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

/** A file runs once in a round; where the plan comes back to it, another round begins. */
const rounds = []
for (const part of plan.parts ?? []) {
  if (!rounds.length || rounds.at(-1).some(other => other.file === part.file)) rounds.push([])
  rounds.at(-1).push(part)
}
let round = []

/** As the round says, or else by their path: the order that a list shows. */
class ByPlan {
  shard(specs) {
    return specs
  }

  sort(specs) {
    const place = new Map(round.map((part, at) => [part.file, at]))
    return [...specs].sort((a, b) => (place.get(fileOf(a)) ?? 0) - (place.get(fileOf(b)) ?? 0) || byText(fileOf(a), fileOf(b)))
  }
}

const vitest = await createVitest('test', {
  watch: false,
  run: true,
  reporters: [{}],
  bail: 0,
  cache: false,
  includeTaskLocation: true,
  coverage: { enabled: false },
  typecheck: { enabled: false },
  api: false,
  fileParallelism: plan.parallel,
  ...(plan.parallel ? { maxWorkers: plan.workers, minWorkers: 1 } : {}),
  sequence: plan.seed === undefined ? { shuffle: false, sequencer: ByPlan } : { shuffle: { files: true, tests: true }, seed: plan.seed },
})
try {
  // Every project of a workspace has a configuration of its own; its own runner stays the one that ours builds upon.
  for (const project of vitest.projects) {
    if (project.config.runner) process.env.FLAKESNIFF_VITEST_RUNNER = project.config.runner
    project.config.runner = fileURLToPath(new URL('./probe.mjs', import.meta.url))
  }
  const specs = (await vitest.globTestSpecifications()).filter(spec => spec.pool !== 'typescript' && !spec.project.config.browser?.enabled)
  if (!plan.parts) tell(await vitest.runTestSpecifications(specs, true))
  for (round of rounds) {
    writeFileSync(new URL('./round.json', import.meta.url), JSON.stringify(round))
    const wanted = specs.filter(spec => round.some(part => part.file === fileOf(spec)))
    if (wanted.length > 0) tell(await vitest.runTestSpecifications(wanted, false))
  }
} finally {
  await vitest.close()
}

/** Errors that no test caught fail the run, and Vitest guesses whose they are. */
function tell(result) {
  for (const error of result?.unhandledErrors ?? []) {
    if (error.VITEST_TEST_PATH && plan.mode === 'run')
      write({ stray: fromRoot(error.VITEST_TEST_PATH), name: error.VITEST_TEST_NAME, message: words(error) })
  }
}
// Handles that the configuration left open are nobody's business any more.
process.exit(0)

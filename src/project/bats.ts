// BATS suites as wholes: which files stand beside each other, and the contract that the numbered ones of them keep.

/** The functions and the environment that files named `NN-….bats` share. */
export interface SequentialContract {
  /** Called in setup_file with the file's own name and its prerequisites. */
  readonly setup: string
  /** Called in setup with the environment's name. */
  readonly load: string
  /** Called in teardown_file with the file's own name. */
  readonly complete: string
  readonly environment: string
}

export interface BatsSuite {
  /** File names in the folder, sorted. */
  readonly files: readonly string[]
  /** Null where the suite has no helpers of that kind: numbers alone promise nothing. */
  readonly contract: SequentialContract | null
}

const NUMBERED = /(^|\/)\d\d-[^/]*\.bats$/
const DEFINITION = /^[ \t]*(?:function[ \t]+)?([\w:-]+)[ \t]*\(\)/gm

/**
 * Suites by folder, only where numbered files stand. The contract's names come from the configuration or from what the
 * folder's helpers define.
 */
export function readBatsSuites(paths: readonly string[], read: (path: string) => string | undefined,
  configured: Partial<SequentialContract> = {}): Record<string, BatsSuite>
{
  const suites: Record<string, BatsSuite> = {}
  const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
  for (const folder of new Set(paths.filter(p => NUMBERED.test(p)).map(folderOf))) {
    const beside = paths.filter(p => folderOf(p) === folder)
    const helpers = paths.filter(p => /\.(bash|sh)$/.test(p) && (folderOf(p) === folder || folderOf(folderOf(p)) === folder))
    const defined = helpers.flatMap(p => [...(read(p) ?? '').matchAll(DEFINITION)].map(m => m[1]!))
    suites[folder] = { files: beside.map(p => p.slice(p.lastIndexOf('/') + 1)).filter(f => f.endsWith('.bats')).sort(),
      contract: contractOf(defined, configured) }
  }
  return suites
}

function contractOf(defined: readonly string[], configured: Partial<SequentialContract>): SequentialContract | null {
  const find = (pattern: RegExp) => defined.find(name => pattern.test(name))
  const setup = configured.setup ?? find(/^(setup|start|begin|init)_.*sequen|^sequen.*_(setup|start|begin|init)/)
  const load = configured.load ?? find(/^(load|use|enter)_.*env/)
  const complete = configured.complete ?? find(/^(mark|finish|set)_.*(complete|done|finished)/)
  return setup && load && complete ? { setup, load, complete, environment: configured.environment ?? 'sequential' } : null
}

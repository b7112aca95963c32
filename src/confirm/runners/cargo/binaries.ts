// The test binaries that `cargo test --no-run` built, and what cargo would set for each when it ran it.

import { dirname, relative } from 'node:path'

export interface Binary {
  /** As nextest names it: `shop` for the library, `shop::api` for tests/api.rs, `shop::bin/till` for a program. */
  readonly id: string
  readonly executable: string
  /** The folder of its package, from the project's root. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  /** How `cargo test` chooses it. */
  readonly choose: readonly string[]
}

interface Artifact {
  readonly reason: string
  readonly package_id: string
  readonly manifest_path?: string
  readonly target?: { readonly kind: readonly string[]; readonly name: string }
  readonly profile?: { readonly test: boolean }
  readonly executable?: string | null
  readonly message?: { readonly level: string; readonly rendered: string }
  readonly linked_paths?: readonly string[]
  readonly env?: readonly (readonly [string, string])[]
  readonly out_dir?: string
}

export interface Metadata {
  readonly workspace_root: string
  readonly packages: readonly { readonly id: string; readonly name: string; readonly version: string; readonly manifest_path: string }[]
}

export const readMessages = (stdout: string): Artifact[] =>
  stdout.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line) as Artifact]
    } catch {
      return []
    }
  })

export const compilerErrors = (messages: readonly Artifact[]): string[] =>
  messages.flatMap(m => (m.message?.level === 'error' ? [m.message.rendered] : []))

export function binariesOf(messages: readonly Artifact[], metadata: Metadata, root: string, libraries: readonly string[]): Binary[] {
  // Messages come as builds end; cargo itself runs libraries first, then programs, then tests/, each by name.
  const rank = (b: Binary): string =>
    `${metadata.packages.findIndex(p => b.choose[1] === p.name).toString().padStart(6, '0')} ${
      ['--lib', '--bin', '--example', '--test', '--bench'].indexOf(b.choose[2]!)
    } ${b.id}`
  return messages.flatMap((message): Binary[] => {
    const of = metadata.packages.find(p => p.id === message.package_id)
    if (message.reason !== 'compiler-artifact' || !message.profile?.test || !message.executable || !message.target || !of) return []
    const script = messages.find(m => m.reason === 'build-script-executed' && m.package_id === of.id)
    const deps = dirname(message.executable)
    const paths = [...(script?.linked_paths ?? []).map(p => p.replace(/^[a-z]+=/, '')), deps, dirname(deps), ...libraries]
    return [{
      ...namesOf(of.name, message.target),
      executable: message.executable,
      dir: relative(root, dirname(of.manifest_path)),
      env: {
        CARGO_MANIFEST_DIR: dirname(of.manifest_path),
        CARGO_MANIFEST_PATH: of.manifest_path,
        CARGO_PKG_NAME: of.name,
        CARGO_PKG_VERSION: of.version,
        ...Object.fromEntries(script?.env ?? []),
        ...(script?.out_dir !== undefined && { OUT_DIR: script.out_dir }),
        [process.platform === 'darwin' ? 'DYLD_FALLBACK_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: paths.join(':'),
      },
    }]
  }).sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

function namesOf(of: string, { kind, name }: { readonly kind: readonly string[]; readonly name: string }): Pick<Binary, 'id' | 'choose'> {
  if (kind.includes('test')) return { id: `${of}::${name}`, choose: ['-p', of, '--test', name] }
  const program = (['bin', 'example', 'bench'] as const).find(k => kind.includes(k))
  return program ? { id: `${of}::${program}/${name}`, choose: ['-p', of, `--${program}`, name] } : { id: of, choose: ['-p', of, '--lib'] }
}

// `flakesniff/eslint`: JavaScript and TypeScript, in whatever tree ESLint's parser or oxlint made of them.

import { loadLanguages } from '../../index.ts'
import { configsFor, plugin } from './plugin.ts'

// Rules cannot wait; for a tree that cannot be used, the text is parsed by ourselves.
await loadLanguages(['typescript'])

/** Without `files`: the other configurations say which files are linted at all. The other languages have presets of their own. */
const configs = configsFor('', { ignores: ['**/*.{py,java,go,rs,sh,bash,bats,ksh}'] })

export type { Configs } from './plugin.ts'
export default Object.assign(plugin, { configs })

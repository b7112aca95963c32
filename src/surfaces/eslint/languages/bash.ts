// `flakesniff/bash`

import { languagePlugin } from './language.ts'

export default await languagePlugin('bash', ['**/*.{bats,bash,sh,ksh}'])

// `flakesniff/go`

import { languagePlugin } from './language.ts'

export default await languagePlugin('go', ['**/*.go'])

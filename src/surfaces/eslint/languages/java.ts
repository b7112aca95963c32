// `flakesniff/java`

import { languagePlugin } from './language.ts'

export default await languagePlugin('java', ['**/*.java'])

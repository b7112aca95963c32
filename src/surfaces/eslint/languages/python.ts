// `flakesniff/python`

import { languagePlugin } from './language.ts'

export default await languagePlugin('python', ['**/*.py'])

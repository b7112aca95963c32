// `flakesniff/rust`

import { languagePlugin } from './language.ts'

export default await languagePlugin('rust', ['**/*.rs'])

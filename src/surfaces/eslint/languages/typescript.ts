// `flakesniff/typescript`: for projects whose ESLint has no parser for TypeScript. Where typescript-eslint lints these files
// already, this is not needed, and would take its place.

import { languagePlugin } from './language.ts'

export default await languagePlugin('typescript', ['**/*.{ts,tsx,mts,cts}'])

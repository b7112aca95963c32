// Writes the source in one form; with --check only says which files are not in it.
// What fits on a line stays as it was written: the form is about what does not.

import { createFromBuffer } from '@dprint/formatter'
import { getPath } from '@dprint/typescript'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const check = process.argv.includes('--check')
const formatter = createFromBuffer(readFileSync(getPath()))
formatter.setConfig({ lineWidth: 140, indentWidth: 2 }, {
  semiColons: 'asi',
  quoteStyle: 'preferSingle',
  trailingCommas: 'onlyMultiLine',
  operatorPosition: 'nextLine',
  nextControlFlowPosition: 'sameLine',
  useBraces: 'maintain',
  singleBodyPosition: 'maintain',
  'arrowFunction.useParentheses': 'preferNone',
  'function.spaceAfterFunctionKeyword': true,
  'functionExpression.spaceAfterFunctionKeyword': true,
  'module.sortImportDeclarations': 'maintain',
  'module.sortExportDeclarations': 'maintain',
  'importDeclaration.sortNamedImports': 'maintain',
  'exportDeclaration.sortNamedExports': 'maintain',
  // Tables of names fill their lines: one name per line would make a catalogue of hundreds unreadable.
  preferHanging: true,
  'arrayExpression.preferHanging': 'always',
  'arguments.preferHanging': 'always',
  'parameters.preferHanging': 'always',
  'tupleType.preferHanging': 'always',
  'typeParameters.preferHanging': 'always',
})
// The cases of a test stand one below the other, and so does what is expected.
const OF_TESTS = { 'arrayExpression.preferHanging': 'never', 'objectExpression.preferHanging': false }

/** A line that was broken may let another fit: done when nothing changes any more. */
function inForm(path, text, overrideConfig) {
  for (let before = text, rounds = 0;; rounds++) {
    const formed = formatter.formatText({ filePath: path, fileText: before, overrideConfig })
    if (formed === before) return formed
    if (rounds === 9) throw new Error(`${path} has no form that stays: rewrite the statement that changes from round to round`)
    before = formed
  }
}

const unformed = []
for (const folder of ['src', 'test', 'scripts']) {
  for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(ts|mjs|cjs)$/.test(name)) continue
    const path = join(root, folder, name)
    const text = readFileSync(path, 'utf8')
    const formed = inForm(path, text, folder === 'test' ? OF_TESTS : {})
    if (formed === text) continue
    unformed.push(join(folder, name))
    if (!check) writeFileSync(path, formed)
  }
}
if (check && unformed.length > 0) {
  console.error(`Not in form (npm run format mends it):\n${unformed.join('\n')}`)
  process.exitCode = 1
} else if (!check) console.log(`${unformed.length} files written`)

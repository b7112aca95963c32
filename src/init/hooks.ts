// A hook before each commit, in whatever the repository runs its hooks with. One is enough: the first that is there.

import { findNodeAtLocation, parse as parseJson, parseTree } from 'jsonc-parser'
import { isMap, isSeq, parseDocument } from 'yaml'
import type { Advice, Proposal } from './proposal.ts'
import type { Survey } from './survey.ts'
import { setInJson } from './json-text.ts'
import { addToYaml } from './yaml-text.ts'

const WHY = 'lints what is staged before each commit'
const ENDINGS = '*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,py,java,go,rs,sh,bash,bats,ksh}'
/** As the program that pre-commit asks names them. */
const TYPES = '[javascript, jsx, ts, tsx, python, rust, java, go, shell, bats]'

export function hook(survey: Survey, version: string): (Proposal | Advice)[] {
  for (const look of [preCommit, lefthook, lintStaged, husky]) {
    const found = look(survey, version)
    if (found) return found
  }
  return []
}

type Look = (survey: Survey, version: string) => (Proposal | Advice)[] | undefined

const knows = (text: string): boolean => /\bflakesniff\b/.test(text)

const preCommit: Look = ({ first, read }, version) => {
  const path = first('.pre-commit-config.yaml', '.pre-commit-config.yml')
  if (path === undefined) return undefined
  const before = read(path)!
  const lines = ['- repo: local', '  hooks:', '    - id: flakesniff', '      name: flakesniff', '      language: node',
    `      additional_dependencies: ['flakesniff@${version}']`, '      entry: flakesniff --staged', `      types_or: ${TYPES}`,
    '      pass_filenames: false', '      require_serial: true']
  if (knows(before)) return []
  const repos = parseDocument(before).get('repos', true)
  const after = isSeq(repos) ? addToYaml(before, repos, lines) : undefined
  return after === undefined ? [{ say: `${path} has no list of repos to add to; it would be`, lines }] : [{ path, why: WHY, before, after }]
}

const lefthook: Look = ({ first, read }) => {
  const path = first('lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml')
  if (path === undefined) return undefined
  const before = read(path)!
  if (knows(before)) return []
  const document = parseDocument(before)
  const at = document.getIn(['pre-commit', 'commands'], true)
  const lines = ['flakesniff:', `  glob: "${ENDINGS}"`, '  run: npx flakesniff --staged']
  if (isMap(at)) {
    const after = addToYaml(before, at, lines)
    if (after !== undefined) return [{ path, why: WHY, before, after }]
  }
  if (document.errors.length > 0 || document.has('pre-commit'))
    return [{ say: `${path} has commands of pre-commit in a way of its own; it would be`, lines }]
  return [{ path, why: WHY, before,
    after: `${before.trimEnd() === '' ? '' : `${before.trimEnd()}\n\n`}pre-commit:\n  commands:\n${
      lines.map(l => `    ${l}\n`).join('')
    }` }]
}

const lintStaged: Look = ({ first, read }) => {
  const own = first('.lintstagedrc', '.lintstagedrc.json')
  const manifest = read('package.json')
  const inManifest = manifest !== null && (parseJson(manifest) as Record<string, unknown> | undefined)?.['lint-staged'] !== undefined
  const path = own ?? (inManifest ? 'package.json' : undefined)
  const scripted = first('lint-staged.config.js', 'lint-staged.config.mjs', 'lint-staged.config.cjs', '.lintstagedrc.js',
    '.lintstagedrc.mjs', '.lintstagedrc.cjs', '.lintstagedrc.yaml', '.lintstagedrc.yml')
  if (path === undefined)
    return scripted === undefined
      ? undefined
      : knows(read(scripted)!)
      ? []
      : [{ say: `${scripted} is yours to edit; it would be`, lines: [`'${ENDINGS}': 'flakesniff'`] }]
  const before = read(path)!
  if (knows(before)) return []
  const place = own === undefined ? ['lint-staged', ENDINGS] : [ENDINGS]
  const taken = findNodeAtLocation(parseTree(before)!, place)
  if (taken || !/^\s*\{/.test(before)) return [{ say: `${path} is yours to edit; it would be`, lines: [`"${ENDINGS}": "flakesniff"`] }]
  const after = setInJson(before, place, 'flakesniff')
  return [{ path, why: WHY, before, after }]
}

const husky: Look = ({ read, list }) => {
  if (list('.husky').length === 0) return undefined
  const before = read('.husky/pre-commit')
  if (before !== null && knows(before)) return []
  const kept = before === null || before.trim() === '' ? '' : before.endsWith('\n') ? before : `${before}\n`
  return [{ path: '.husky/pre-commit', why: WHY, before, after: `${kept}npx flakesniff --staged\n` }]
}

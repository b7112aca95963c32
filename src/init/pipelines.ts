// A job in continuous integration: a workflow of its own for GitHub, a job in GitLab's file.

import { isMap, parseDocument } from 'yaml'
import type { Advice, Proposal } from './proposal.ts'
import type { Survey } from './survey.ts'

const knows = (text: string | null): boolean => text !== null && /\bflakesniff\b/.test(text)

export const pipelines = (survey: Survey,
  version: string): (Proposal | Advice)[] => [...github(survey, version), ...gitlab(survey, version)]

function github({ list, read }: Survey, version: string): Proposal[] {
  const folder = '.github/workflows'
  if (!list('.github').includes('workflows') || list(folder).some(f => /\.ya?ml$/.test(f) && knows(read(`${folder}/${f}`)))) return []
  const lines = [
    'name: flakesniff',
    '',
    'on:',
    '  pull_request:',
    '  push:',
    '    branches: [main, master]',
    '',
    'permissions:',
    '  contents: read',
    '  security-events: write',
    '',
    'jobs:',
    '  flakesniff:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - uses: actions/checkout@v4',
    '      - uses: actions/setup-node@v4',
    '        with:',
    '          node-version: 22',
    `      - run: npx --yes flakesniff@${version} --output sarif:flakesniff.sarif --fail-on never`,
    '      - uses: github/codeql-action/upload-sarif@v3',
    '        with:',
    '          sarif_file: flakesniff.sarif',
    '          category: flakesniff',
    '',
  ]
  return [{ path: `${folder}/flakesniff.yml`, why: 'shows findings in pull requests and under code scanning', before: null,
    after: lines.join('\n') }]
}

function gitlab({ read }: Survey, version: string): (Proposal | Advice)[] {
  const path = '.gitlab-ci.yml'
  const before = read(path)
  if (before === null || knows(before)) return []
  const lines = [
    'flakesniff:',
    '  image: node:22',
    '  script:',
    `    - npx --yes flakesniff@${version} --output gitlab:gl-code-quality-report.json --fail-on never`,
    '  artifacts:',
    '    reports:',
    '      codequality: gl-code-quality-report.json',
  ]
  const document = parseDocument(before)
  // Where stages are named, a job says which is its own.
  const stages = document.get('stages', true)
  const stage = stages === undefined ? [] : (document.toJS() as { stages?: unknown }).stages
  const named = Array.isArray(stage) && stage.length > 0 && !stage.includes('test') ? ['  stage: ' + String(stage[0])] : []
  const job = [lines[0]!, ...named, ...lines.slice(1)]
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    return [{ say: `${path} could not be read as a map of jobs; the job would be`, lines: job }]
  const eol = before.includes('\r\n') ? '\r\n' : '\n'
  const kept = before.trimEnd()
  return [{ path, why: 'shows findings in merge requests', before,
    after: `${kept === '' ? '' : `${kept}${eol}${eol}`}${job.join(eol)}${eol}` }]
}

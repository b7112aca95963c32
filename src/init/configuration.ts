// The project's own configuration file.

import type { Preset } from '../rules/rule.ts'
import type { Proposal } from './proposal.ts'
import type { Survey } from './survey.ts'

const FILES = ['flakesniff.json', 'flakesniff.jsonc', 'flakesniff.yaml', 'flakesniff.yml']

export function configuration({ first, read, languages }: Survey, preset: Preset): Proposal[] {
  if (first(...FILES) !== undefined || /"flakesniff"\s*:\s*\{/.test(read('package.json') ?? '') || languages.length === 0) return []
  const lines = ['{', '  // recommended shows what is sure, strict adds what is likely, audit everything.', `  "preset": "${preset}"`, '}',
    '']
  return [{ path: 'flakesniff.json', why: 'says how sure a finding must be, for everyone who works here', before: null,
    after: lines.join('\n') }]
}

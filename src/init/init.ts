// Looks at a repository and says what it would write to set flakesniff up in it. What is there already is left as it is, so a
// second look proposes nothing.

import type { Preset } from '../rules/rule.ts'
import { configuration } from './configuration.ts'
import { eslint, vscode } from './editors.ts'
import { hook } from './hooks.ts'
import { pipelines } from './pipelines.ts'
import { isProposal, type Advice, type Proposal, type Setup } from './proposal.ts'
import { survey } from './survey.ts'

export async function proposeSetup(root: string, version: string, preset: Preset): Promise<Setup> {
  const seen = await survey(root)
  const things: (Proposal | Advice)[] = [...configuration(seen, preset), ...hook(seen, version), ...pipelines(seen, version),
    ...eslint(seen, preset), ...vscode(seen)]
  return {
    seen: [
      `tests in: ${seen.languages.join(', ') || 'no language that flakesniff knows'}`,
      ...(seen.runners.length > 0 ? [`runners: ${seen.runners.join(', ')}`] : []),
    ],
    proposals: things.filter(isProposal).filter(p => p.before !== p.after),
    advice: things.filter((t): t is Advice => !isProposal(t)),
  }
}

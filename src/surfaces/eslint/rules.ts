// One ESLint rule for each of ours, with the same id. None of them looks at a tree: each reports its share of the analysis.

import type { Rule } from 'eslint'
import { SUPPRESSION_RULES, pageUrlOf, rules as ours, type RuleMeta } from '../../index.ts'
import { findingsOf, type Context } from './analysis.ts'
import { descriptorsOf } from './report.ts'

const SCHEMA = [{
  type: 'object',
  additionalProperties: false,
  properties: {
    preset: { enum: ['recommended', 'strict', 'audit'],
      description: 'How sure a finding must be; where left out, flakesniff.json decides.' },
  },
}] as const

/** What the comments that silence findings are reported for, where they are at fault themselves. */
const COMMENTS: Readonly<Record<(typeof SUPPRESSION_RULES)[number], string>> = {
  'suppression-without-reason': 'A comment silences a finding and does not say why',
  'unknown-suppression': 'A comment of flakesniff names no rule, or is of no known form',
  'unused-suppression': 'A comment silences what is not there',
}

const README = new URL('../../../README.md#silence-a-finding', import.meta.url).href

/** It may speak with high confidence, which is what `recommended` shows. */
export const isRecommended = (meta: RuleMeta): boolean => meta.audit !== true && meta.cap === undefined

function make(id: string, docs: { readonly description: string; readonly url: string; readonly recommended: boolean }): Rule.RuleModule {
  return {
    meta: { type: 'problem', docs, schema: SCHEMA as unknown as Rule.RuleMetaData['schema'], fixable: 'code', hasSuggestions: true },
    create: given => {
      const context = given as unknown as Context & Pick<Rule.RuleContext, 'report'>
      const report = () => {
        for (const descriptor of descriptorsOf(findingsOf(id, context), context)) context.report(descriptor)
      }
      // The roots of ESTree and of our own languages.
      return { Program: report, SourceFile: report }
    },
  }
}

export const rules: Readonly<Record<string, Rule.RuleModule>> = Object.fromEntries([
  ...ours.map(({ meta }) =>
    [meta.id, make(meta.id, { description: meta.title, url: pageUrlOf(meta.id).href, recommended: isRecommended(meta) })] as const
  ),
  ...SUPPRESSION_RULES.map(id => [id, make(id, { description: COMMENTS[id], url: README, recommended: true })] as const),
])

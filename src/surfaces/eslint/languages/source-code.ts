// A file of a language that ESLint does not know, as ESLint wants to see it: its text, its comments, and a tree of one node.

import { ConfigCommentParser, Directive, TextSourceCodeBase, VisitNodeStep } from '@eslint/plugin-kit'
import type { Comment, Language } from '../../../index.ts'

interface Placed {
  readonly range: [number, number]
  readonly loc: { readonly start: { line: number; column: number }; readonly end: { line: number; column: number } }
}

export interface Root extends Placed {
  readonly type: 'SourceFile'
  readonly language: Language
}

/** A comment that speaks to ESLint. */
interface Order extends Placed {
  readonly label: string
  readonly value: string
  readonly justification: string
}

type DisableKind = 'disable' | 'enable' | 'disable-line' | 'disable-next-line'

const DISABLES: Readonly<Record<string, DisableKind>> = {
  'eslint-disable': 'disable',
  'eslint-enable': 'enable',
  'eslint-disable-line': 'disable-line',
  'eslint-disable-next-line': 'disable-next-line',
}

const none = (): never[] => []
const EMPTY_SCOPE = { type: 'global', isStrict: false, upper: null, block: null, set: new Map(), variables: [], references: [], through: [],
  childScopes: [] }

const parser = new ConfigCommentParser()

export class FileSourceCode extends TextSourceCodeBase {
  readonly orders: readonly Order[]

  constructor(text: string, ast: Root, comments: readonly Comment[]) {
    super({ text, ast })
    this.orders = comments.flatMap(comment => {
      const order = parser.parseDirective(comment.text)
      if (!order || (order.label !== 'eslint' && DISABLES[order.label] === undefined)) return []
      const range: [number, number] = [comment.span.start, comment.span.end]
      return [{ label: order.label, value: order.value, justification: order.justification, range,
        loc: { start: this.getLocFromIndex(range[0]), end: this.getLocFromIndex(range[1]) } }]
    })
  }

  override traverse(): Iterable<VisitNodeStep> {
    const { ast: target } = this
    return [new VisitNodeStep({ target, phase: 1, args: [target, undefined] }),
      new VisitNodeStep({ target, phase: 2, args: [target, undefined] })]
  }

  override getParent(): undefined {
    return undefined
  }

  getInlineConfigNodes(): Order[] {
    return [...this.orders]
  }

  getDisableDirectives() {
    const directives = this.orders.flatMap(node => {
      const type = DISABLES[node.label]
      return type ? [new Directive({ type, node, value: node.value, justification: node.justification })] : []
    })
    return { directives, problems: [] }
  }

  /** `# eslint flakesniff/fixed-sleep: "off"` */
  applyInlineConfig() {
    const configs: { config: { rules: object }; loc: Order['loc'] }[] = []
    const problems: { ruleId: null; loc: Order['loc']; message: string }[] = []
    for (const { label, value, loc } of this.orders) {
      if (label !== 'eslint') continue
      const read = parser.parseJSONLikeConfig(value)
      if (read.ok) configs.push({ config: { rules: read.config }, loc })
      else problems.push({ ruleId: null, loc, message: read.error.message })
    }
    return { configs, problems }
  }

  // --- for rules of JavaScript that are configured for all files: there is nothing here for them -------------------------

  readonly scopeManager = null
  readonly parserServices = {}
  readonly visitorKeys = { SourceFile: [] }
  readonly getAllComments = none
  readonly getTokens = none
  readonly getDeclaredVariables = none
  readonly getCommentsBefore = none
  readonly getCommentsAfter = none
  readonly getCommentsInside = none
  readonly getFirstToken = () => null
  readonly getLastToken = () => null
  readonly getTokenBefore = () => null
  readonly getTokenAfter = () => null
  readonly getNodeByRangeIndex = () => null
  readonly getScope = () => EMPTY_SCOPE
}

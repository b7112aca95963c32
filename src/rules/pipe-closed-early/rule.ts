import { fold } from '../../facts/fold.ts'
import type { Call, FileFacts, Unit } from '../../facts/facts.ts'
import { isTestCode, polls } from '../../facts/query.ts'
import { defineRule, type Confidence, type FileView } from '../rule.ts'

export default defineRule(
  {
    id: 'pipe-closed-early',
    title: 'A pipeline fails when its reader has seen enough before its writer is done',
    category: 'masking',
    severity: 'warning',
    triggers: [],
    words: { bash: ['pipefail[^]*\\|\\s*(?:e|f|z)?grep\\s+(?:-\\w+\\s+)*-(?:\\w*q|-quiet|-silent)'] },
    confirm: ['repeat', 'cpu-stress'],
    cap: 'medium',
    crowds: 4,
    since: '0.3.0',
  },
  function* (view) {
    const { facts, textOf } = view
    if (facts.language !== 'bash') return
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || !failsByAnyPart(facts, unit)) continue
      for (const call of unit.calls) {
        const confidence = isQuietGrep(call, unit, view) ? sureOf(call, unit, textOf) : undefined
        // Whatever the pipeline says, nobody listens, or somebody looks again.
        if (!confidence || polls(unit, call.in)
          || /^\s*\|\|\s*(true|:)(\s|$)/.test(textOf({ start: call.span.end, end: call.span.end + 12 }))) continue
        yield { at: call.span, unit: unit.id, confidence,
          message: 'leaves at the first match, and under pipefail the command that still writes to it fails the pipeline' }
      }
    }
  },
)

/** `set -o pipefail` stands in the file or in the function, and nothing takes it back there. */
function failsByAnyPart({ units }: FileFacts, unit: Unit): boolean {
  const set = [units[0]!, unit].flatMap(u => u.calls).filter(c =>
    c.name === 'set' && c.args.some(a => a.is === 'literal' && a.value === 'pipefail')
  )
  return set.length > 0 && !set.some(c => c.args.some(a => a.is === 'literal' && /^\+/.test(String(a.value))))
}

const isQuietGrep = (call: Call, unit: Unit, { folding }: FileView): boolean =>
  /^[efz]?grep$/.test(call.name) && call.named['stdin'] !== undefined
  && call.args.some(a => /^-([a-zA-Z]*q[a-zA-Z]*|-quiet|-silent)$/.test(String(fold(a, unit, folding))))

/** They say one line, or all that they say at once. */
const SHORT =
  /^(date|uname|id|whoami|basename|dirname|hostname|pwd|wc|stat|readlink|realpath|head|tail|tr|cut|sed|awk|sort|uniq|jq|yq|cat|ls|env|file)\b/

/** A text that the shell writes itself is in the pipe before anybody reads it, unless it has many lines: those of a command's output do. */
function sureOf(call: Call, unit: Unit, textOf: FileView['textOf']): Confidence {
  const from = call.named['stdin']!
  // `<<< "$output"` is all there before the command begins.
  if (/^[^\n|]*<<</.test(textOf({ start: call.span.start, end: unit.span.end }))) return 'low'
  const kept = from.is === 'name' ? unit.writes.findLast(w => w.target === from.path && w.span.end <= call.span.start)?.value : undefined
  const by = from.is === 'call' ? unit.calls[from.call]! : kept?.is === 'call' ? unit.calls[kept.call]! : undefined
  return by && !SHORT.test(by.name) ? 'medium' : 'low'
}

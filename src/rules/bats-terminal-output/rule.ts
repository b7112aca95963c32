import type { Call, FileFacts, Unit } from '../../facts/facts.ts'
import { effectOf, within } from '../../facts/query.ts'
import { defineRule, type Confidence, type FileView } from '../rule.ts'
import { beginningOf } from '../wording.ts'

/** Words by which somebody tells how far a run has come. */
const PROGRESS =
  /^\W*(starting|waiting|running|creating|building|installing|setting up|skipping|testing|checking|loading|progress|debug|info|warn(ing)?|trace|status|note)\b|\.\.\.\s*$|^(==+|--+)>/i
const TELLS = /^_?(debug|out|info|log|warn|notice|status|progress|say|note|message|msg|trace|diag|print_\w+|log_\w+)$/

/** What tells how much somebody wants to see: `[ "$DEBUG" -ge "$level" ]`. Other conditions lead to a way out, which is shown. */
const SWITCH = /\$\{?#?\w*(DEBUG|VERBOSE|VERBOSITY|TRACE|QUIET|LOG_?LEVEL)\b/i
/** A helper's output is what it gives, unless it says what kind of message it is. */
const TAGGED = /^\[?(INFO|DEBUG|WARN(ING)?|NOTE|STATUS)\b/

export default defineRule(
  {
    id: 'bats-terminal-output',
    title: 'A message for whoever watches the run goes where bats shows it only after a failure',
    category: 'masking',
    severity: 'note',
    triggers: [],
    words: {
      bash: ['>\\s*&\\s*2\\b', '/dev/stderr\\b', '\\becho\\s+["\']#', '\\bprintf\\s+["\']#',
        '\\becho\\s+["\']\\[?(?:INFO|DEBUG|WARN|NOTE|STATUS)\\b'],
    },
    confirm: ['repeat'],
    since: '0.2.0',
  },
  function* ({ facts, textOf }) {
    if (!isBats(facts)) return
    for (const unit of facts.units)
      // Whoever also writes to descriptor 3 here knows the difference.
      for (const call of unit.calls.some(c => c.named['>&']?.is === 'literal' && c.named['>&'].value === 3) ? [] : unit.calls) {
        const confidence = judge(unit, call, textOf)
        if (confidence)
          yield { at: call.span, unit: unit.id, confidence,
            message: `bats keeps ${
              call.named['>&'] ? 'standard error' : 'standard output'
            } until a test fails: what should be seen while it runs goes to «>&3», with «# » before it` }
      }
  },
)

const isBats = (facts: FileFacts): boolean => /\.bats$/.test(facts.path) || (/\.bash$/.test(facts.path) && facts.kind !== 'source')

function judge(unit: Unit, call: Call, textOf: FileView['textOf']): Confidence | undefined {
  if (!effectOf(call, 'log') || call.result !== 'discarded' || within(unit, call.in, 'subshell', 'background', 'closure')) return undefined
  const to = call.named['>&']
  const toError = to?.is === 'literal' && to.value === 2
  if (to && !toError) return undefined
  const begins = beginningOf(call, call.name === 'echo' ? /^-[neE]+$/ : /^--$/) ?? ''
  // A line that has bats' own sign was meant to be seen.
  const signed = /^#\s/.test(begins) && !begins.includes('\n') && !begins.startsWith('#!')
  const isSwitched = SWITCH.test(textOf({ start: Math.max(unit.span.start, call.span.start - 160), end: call.span.start }))
  if (unit.role.is === 'helper' && !toError) return TELLS.test(unit.name) && TAGGED.test(begins) ? 'low' : undefined
  if (unit.role.is === 'helper') return TELLS.test(unit.name) && (isSwitched || !within(unit, call.in, 'if', 'else')) ? 'medium' : undefined
  if (unit.role.is !== 'test' && unit.role.is !== 'hook') return undefined
  // Before a way out it explains a failure, and then it is shown.
  if (within(unit, call.in, 'if', 'else', 'catch')) return undefined
  if (signed && call.named['stdin'] === undefined) return toError ? 'high' : 'medium'
  return toError && PROGRESS.test(begins) ? 'medium' : toError ? 'low' : undefined
}

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { effectOf } from '../../facts/query.ts'
import { commentLine } from '../../fixes/bats.ts'
import { defineRule, type FileView } from '../rule.ts'
import { beginningOf } from '../wording.ts'

export default defineRule(
  {
    id: 'bats-fd-three-without-hash',
    title: 'A line is sent to bats’ terminal without the «# » that keeps it out of the results',
    category: 'masking',
    severity: 'warning',
    triggers: [],
    words: { bash: ['>\\s*&\\s*3\\b', '/dev/fd/3\\b'] },
    confirm: ['repeat'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    if (!/\.(bats|bash)$/.test(facts.path)) return
    for (const unit of facts.units)
      for (const call of unit.calls) {
        const to = call.named['>&']
        if (to?.is !== 'literal' || to.value !== 3 || isOwnThree(unit, call, view)) continue
        if (isRaw(call))
          yield { at: call.span, unit: unit.id, confidence: 'medium',
            message:
              `what ${call.name} prints goes into the TAP stream line by line, and a line such as «ok 1» would count as a result: put «# » before each (sed 's/^/# /')` }
        if (!effectOf(call, 'log')) continue
        // What was put together elsewhere may have its sign already.
        const begins = beginningOf(call, call.name === 'echo' ? /^-[neE]+$/ : /^--$/)
        if (begins === undefined || begins === '' || begins.startsWith('#') || begins.startsWith('%')) continue
        yield { at: call.span, unit: unit.id, confidence: 'high',
          message: `«${begins.slice(0, 40)}» goes into the TAP stream as if it were a result: a line for the reader begins with «# »`,
          fixes: commentLine(view, call) }
      }
  },
)

/** Output of a program as it came: a file, or what `run` kept. */
function isRaw({ name, args }: Call): boolean {
  const shown = name === 'printf' ? args.slice(1) : args.filter(a => !(a.is === 'literal' && /^-[neE]+$/.test(String(a.value))))
  const isKept = (v: Value): boolean =>
    (v.is === 'name' && /^(output|stderr)$/.test(v.path))
    || (v.is === 'op' && v.op === '[]' && v.of[0]?.is === 'name' && /^(lines|stderr_lines)$/.test(v.of[0].path))
  if (/^(cat|head|tail)$/.test(name)) return args.length > 0
  const format = args[0]
  return (name === 'echo' || (name === 'printf' && format?.is === 'literal' && /^%/.test(String(format.value)))) && shown[0] !== undefined
    && isKept(shown[0])
}

/** Descriptor 3 was opened anew before, for a file of the test's own. */
const isOwnThree = (unit: Unit, call: Call, { textOf }: FileView): boolean =>
  /\bexec\s+3\s*<?>/.test(textOf({ start: unit.span.start, end: call.span.start }))

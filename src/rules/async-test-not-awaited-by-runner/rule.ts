import type { FileFacts, Unit } from '../../facts/facts.ts'
import { ancestors } from '../../facts/query.ts'
import { dropDone } from '../../fixes/endings.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'

export default defineRule(
  {
    id: 'async-test-not-awaited-by-runner',
    title: 'The runner does not wait for an asynchronous test, hook or suite',
    category: 'waiting',
    severity: 'error',
    triggers: [],
    words: {
      typescript: ['\\b(?:describe|context|suite)\\b[^\\n]*\\basync\\b', '\\basync\\s*(?:function\\s*)?\\(\\s*done\\b',
        '\\basync\\s+done\\s*=>'],
      python: ['\\basync def test'],
    },
    confirm: ['latency-inject'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* (view) {
    for (const unit of view.facts.units) {
      const said = unit.async && !isAwaited(view, unit) ? judge(view.facts, unit) : undefined
      if (said) yield { at: unit.nameSpan, unit: unit.id, ...said, fixes: unit.params[0] === 'done' ? dropDone(view, unit) : [] }
    }
  },
)

/** `await describe('cart', async () => …)`: a runner that gives a promise for its suites waits for them. */
const isAwaited = ({ textOf }: FileView, { role, span }: Unit): boolean =>
  role.is === 'suite' && /\bawait\s+[\w.]*(\([^()]*)?$/.test(textOf({ start: Math.max(0, span.start - 200), end: span.start }))

type Said = Pick<Report, 'message' | 'confidence'> | undefined

function judge(file: FileFacts, unit: Unit): Said {
  if (unit.role.is === 'suite') return suite(file, unit)
  if (unit.role.is !== 'test' && unit.role.is !== 'hook') return undefined
  // Whoever refuses it refuses it every time.
  if (unit.params[0] === 'done')
    return { message: 'is asynchronous and takes `done` as well: runners refuse that, or end the test by whichever comes first',
      confidence: 'low' }
  return file.language === 'python' && unit.role.is === 'test' ? coroutine(file, unit) : undefined
}

/** Mocha, Jest and Jasmine call a suite's function and go on; node:test and Vitest wait for it. */
function suite(file: FileFacts, unit: Unit): Said {
  const first = Math.min(unit.span.end, ...unit.calls.filter(c => c.result === 'awaited').map(c => c.span.start),
    ...(unit.awaits ?? []).map(a => a.span.start))
  const late = file.units.filter(u => u.parent === unit.id && (u.role.is === 'test' || u.role.is === 'hook') && u.span.start > first)
  if (late.length === 0 || file.imports.some(i => /^(vitest|node:test|bun:test)(\.|$)/.test(i.name))) return undefined
  return { message: 'is an asynchronous suite: tests that it defines after its first `await` come too late to be run',
    confidence: file.imports.some(i => /^(mocha|@jest\/globals)(\.|$)/.test(i.name)) ? 'high' : 'medium' }
}

const PLUGINS = /asyncio|anyio|trio|tornado|twisted|gen_test|gen_cluster|inlineCallbacks|aiohttp|unittest_run_loop|async/i

/**
 * A plain pytest collects a coroutine function and never runs its body; plugins and async test cases do, and a project may run a plugin for
 * all.
 */
function coroutine(file: FileFacts, unit: Unit): Said {
  const around = [unit, ...ancestors(file, unit)]
  if (around.some(u => u.markers.length > 0 || u.writes.some(w => w.target === 'pytestmark'))
    || around.some(u => u.role.is === 'suite' && u.params.some(b => PLUGINS.test(b) || !/^(unittest\.)?TestCase$/.test(b))))
    return undefined
  const plain = around.some(u => u.role.is === 'suite' && u.params.length > 0)
  // A TestCase of the standard library never waits; a pytest plugin may be set to wait for all.
  return plain
    ? { message: 'is a coroutine in a plain TestCase: its body never runs, and the test passes', confidence: 'high' }
    : {
      message: 'is a coroutine without a marker of asyncio, anyio or trio: unless a plugin is set to run all of them, its body never runs',
      confidence: 'low',
    }
}

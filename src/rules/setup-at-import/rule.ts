import type { Call, Language, Unit } from '../../facts/facts.ts'
import { has, within } from '../../facts/query.ts'
import { defineRule, type Confidence } from '../rule.ts'

const ENV = /^(process\.env|os\.environ)\b/

export default defineRule(
  {
    id: 'setup-at-import',
    title: 'A test file changes the world when it is loaded',
    category: 'state',
    severity: 'note',
    triggers: [],
    words: {
      python: ['\\n(?:os\\.)?environ\\b', '\\nos\\.(?:chdir|putenv)\\(', '\\n\\w+ = sqlite3\\.connect\\('],
      typescript: ['\\n\\s*nock\\(', '\\nprocess\\.env\\.\\w+ = ', '\\nprocess\\.chdir\\(', '\\n(?:  |\\t)?(?:fs\\.)?writeFileSync\\(',
        '\\n(?:  |\\t)?(?:const \\w+ = )?[\\w.]+(?:\\([^()\\n]*\\))?\\.listen\\('],
    },
    confirm: ['isolate', 'shuffle-order'],
    since: '0.2.0',
  },
  function* ({ facts }) {
    if (facts.kind !== 'test' || (facts.language !== 'python' && facts.language !== 'typescript')) return
    for (const unit of facts.units) {
      if (unit.role.is !== 'module' && unit.role.is !== 'suite') continue
      const write = unit.writes.find(w => ENV.test(w.target) && isLoaded(unit, w.in))
      const faked = unit.calls.find(c => c.name === 'nock' && isLoaded(unit, c.in))
      if (faked)
        yield { at: faked.span, unit: unit.id, confidence: 'medium',
          message: 'fakes a host when the file is loaded, not when a test runs: what any test before clears or uses up is missing' }
      const call = unit.calls.find(c => isLoaded(unit, c.in) && done(c, facts.language) !== undefined)
      const [first] = [...(write ? [{ span: write.span, what: 'changes the environment' }] : []),
        ...(call ? [{ span: call.span, what: done(call, facts.language)! }] : [])].sort((a, b) => a.span.start - b.span.start)
      if (!first) continue
      // Runners that give each file a process of its own keep the change there.
      const confidence: Confidence = facts.language === 'python' && !call?.effects.some(e => e.kind === 'network') ? 'medium' : 'low'
      yield { at: first.span, unit: unit.id, confidence,
        message: `${first.what} when the file is loaded: for tests of other files too, and before any hook` }
    }
  },
)

/** A condition may be one that never holds when tests run, and a function runs when it is called. */
const isLoaded = (unit: Unit, region: number): boolean => !within(unit, region, 'if', 'else', 'closure', 'with', 'catch', 'try')

/** A database in a file: what is put into it is there for the next run, too. */
const isFile = ({ args, named }: Call): boolean =>
  [args[0], named['database']].some(a => a?.is === 'literal' && typeof a.value === 'string' && !/^$|:memory:|mode=memory/.test(a.value))

function done(call: Call, language: Language): string | undefined {
  if (call.name === 'sqlite3.connect' && isFile(call)) return 'opens a database file'
  // Even where all tests of the block are left out.
  if (language === 'typescript' && /(^|[.])(writeFileSync|appendFileSync)$/.test(call.name)) return 'writes a file'
  if (language === 'typescript' && /\.listen$/.test(call.name) && has(call, 'bind-port')) return 'starts a server'
  if (has(call, 'restore', 'stub', 'fake-net')) return undefined
  if (has(call, 'env-write')) return call.name.endsWith('setdefault') ? undefined : 'changes the environment'
  if (has(call, 'cwd-write')) return 'changes the working directory'
  return has(call, 'network') && call.result !== 'returned' && !/getaddrinfo|gethostbyname|client|resource|SSHClient/i.test(call.name)
    ? 'talks to a host'
    : undefined
}

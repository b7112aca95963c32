// Sentences of assertion libraries that are begun and never ended: whoever wrote them believes that something is claimed.

import type { Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { ancestors, valuesIn } from '../../facts/query.ts'

export interface Unended {
  readonly call: Call
  /** Why nothing is claimed, as a clause. */
  readonly how: string
  /** Nothing came after the opening word; else words that only describe or choose. */
  readonly bare: boolean
}

interface Opening {
  readonly starts: RegExp
  /** Links that leave the sentence open; none where only the opening itself is known. */
  readonly goesOn?: RegExp
  /** Takes more than what it speaks of: a limit, a number of times. */
  readonly more?: true
}

const OPENINGS: readonly Opening[] = [
  {
    starts:
      /^(expect|vitest\.expect|@jest\/globals\.expect|chai\.expect|@playwright\/test\.expect|playwright\.(sync|async)_api\.expect|assertpy\.assert_that)$/,
  },
  {
    // `first`, `singleElement`, `asInstanceOf` and the like do fail by themselves.
    starts: /^org\.assertj\.core\.api\.\w+\.(assertThat(Code|Object|NoException|ExceptionOfType|\w+Exception)?|then)$/,
    goesOn:
      /^(as|describedAs|withFailMessage|overridingErrorMessage|extracting|flatExtracting|extractingResultOf|filteredOn\w*|using\w+|ignoring\w+|withRepresentation|withThreadDumpOnError)$/,
  },
  { starts: /^com\.google\.common\.truth\.Truth\w*\.(assertThat|assertWithMessage|assertAbout)$/, goesOn: /^(withMessage|that|about)$/ },
  { starts: /^org\.mockito\.(Bdd)?Mockito\.verify$/, more: true },
  { starts: /^github\.com\/onsi\/gomega\.(\w+\.)?(Expect|Ω|Eventually|Consistently)(WithOffset)?$/,
    goesOn: /^(With(Timeout|Polling|Context|Arguments|Offset)|Within|ProbeEvery|MustPassRepeatedly)$/, more: true },
  { starts: /^reactor\.test\.StepVerifier\.(create|withVirtualTime)$/, goesOn: /^(?!verify)/, more: true },
  {
    starts: /^org\.awaitility\.Awaitility\.(await|waitAtMost)$/,
    more: true,
    goesOn:
      /^(atMost|atLeast|between|poll\w+|with|and|given|await|timeout|forever|during|ignore\w*|dontCatch\w+|alias|conditionEvaluationListener|logging|catchUncaught\w+)$/,
  },
]

const lastOf = (name: string): string => name.split(/[./:]/).at(-1)!

/** The grammar lost its way in the call or close behind it: there may stand what ends the sentence. */
const isUnread = ({ problems }: FileFacts, { span: { start, end } }: Call): boolean =>
  problems.some(p => p.span.end >= start && p.span.start <= end + NEAR)
const NEAR = 400

export function* unended(facts: FileFacts, unit: Unit): Generator<Unended> {
  for (const call of unit.calls) {
    if (call.result !== 'discarded' || call.resolution === 'local' || isUnread(facts, call)) continue
    const links = chainOf(unit, call)
    const root = links.at(-1)!
    const opening = OPENINGS.find(o => o.starts.test(root.name))
    if (!opening || root.resolution === 'local' || !links.slice(0, -1).every(l => opening.goesOn?.test(lastOf(l.name)))) continue
    const bare = links.length === 1
    if (bare
      && (isCount(call) || (call.args.length === 0 && !opening.more) || (call.args.length > 1 && !opening.more)
        || isOwn(facts, unit, call.name) || failsByItself(unit, call))) continue
    if (bare && call.args.length === 0 && lastOf(call.name) !== 'await') continue
    yield { call, bare, how: bare
      ? `${lastOf(call.name)} begins a sentence and nothing ends it`
      : `${lastOf(root.name)} begins a sentence that ${lastOf(call.name)} does not end` }
  }
}

/** `expect(screen.getByText('tea'))`: what it is given fails where there is no such text. */
const failsByItself = (unit: Unit, { args }: Call): boolean =>
  args[0]?.is === 'call' && /(^|[.])(get|find)(All)?By[A-Z]\w*$/.test(unit.calls[args[0].call]!.name)

/** The call and what it is called on, back to where the sentence begins. */
function chainOf(unit: Unit, call: Call): Call[] {
  const links = [call]
  for (let at: Call | undefined = call; at?.receiver?.is === 'call' && links.length < 40;) {
    at = unit.calls[at.receiver.call]
    if (at) links.push(at)
  }
  return links
}

/** A number alone tells QUnit how many assertions to expect. */
const isCount = (call: Call): boolean => call.args.length === 1 && call.args[0]!.is === 'literal' && typeof call.args[0]!.value === 'number'

/** `send, expect := connect(t)`: a function of the test's own by that name. */
const isOwn = (facts: FileFacts, unit: Unit, name: string): boolean =>
  unit.role.is !== 'module'
  && [unit, ...ancestors(facts, unit)].some(u => u.role.is !== 'module' && u.writes.some(w => w.declares && w.target === name))

const SOFT = /(^|\.)((Java6)?(BDD)?SoftAssertions|SoftAssert)\.new$/

/** Soft assertions keep their failures until somebody asks for all of them. */
export function* neverAsked(unit: Unit): Generator<{ readonly span: Span; readonly how: string }> {
  for (const write of unit.writes) {
    const made = write.value.is === 'call' ? unit.calls[write.value.call] : undefined
    if (!write.declares || !made || !SOFT.test(made.name)) continue
    const on = unit.calls.filter(c => c.receiver?.is === 'name' && c.receiver.path === write.target)
    const mentions = (c: Call) =>
      [...c.args, ...Object.values(c.named)].some(a => [...valuesIn(a, unit)].some(v => v.is === 'name' && v.path === write.target))
    // Whoever is handed it may ask; so may who is given it back.
    if (on.length === 0 || on.some(c => /\.(assertAll|close|errorsCollected|assertionErrorsCollected|wasSuccess)$/.test(c.name))
      || unit.calls.some(mentions)) continue
    if (unit.returns.some(r => r.is === 'name' && r.path === write.target)
      || unit.writes.some(w => w !== write && w.value.is === 'name' && w.value.path === write.target)) continue
    yield { span: write.span, how: `${write.target} keeps what fails and nobody calls assertAll` }
  }
}

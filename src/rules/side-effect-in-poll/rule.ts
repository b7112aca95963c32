import type { Call, Unit } from '../../facts/facts.ts'
import { frozenClock, isTestCode, valuesIn } from '../../facts/query.ts'
import { isInside } from '../../flow/threads/background.ts'
import { grownIn, isBornIn, isComparedInside, isDrained, looksOf, sentIn, type Growth, type Look } from '../../flow/waiting/polled.ts'
import { assertedInAsks, assertedInOwnPolls, assertedInPolls } from '../../flow/waiting/vain.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'

const ACTS = /(^|[.:])(fireEvent|userEvent)\.\w+$|^\?\.(click|dblclick|type|submit|press|tap|send_keys|sendKeys)$/
/** Where a page is slow to listen, people click again on purpose. */
const PRESSES = /^(page|frame|locator|elementHandle)\.(click|dblclick|press|type|pressSequentially|tap)$/
/** Queries that wait themselves, by default as long as `waitFor` does. */
const FINDS = /\.find(All)?By(Role|Text|LabelText|PlaceholderText|TestId|AltText|Title|DisplayValue)$/
const TRIES = /(attempt|tries|try|retr|iter|poll|loop|round)\w*$|^[ijn]$/i

export default defineRule(
  {
    id: 'side-effect-in-poll',
    title: 'A polling callback changes what it polls: how often it runs depends on the speed of the machine',
    category: 'waiting',
    severity: 'warning',
    triggers: [],
    confirm: ['latency-inject', 'cpu-stress'],
    crowds: 5,
    since: '0.2.0',
    words: {
      typescript: ['\\b(?:p?[wW]ait(?:For|Until)|poll|eventually)\\w*\\(', '\\bexpect\\.poll\\(', '\\.toPass\\('],
      go: ['\\bEventually', '\\.Consistently', '\\bwait\\.Poll', '\\bfunc [wW]ait\\w*\\(t \\*testing\\.T'],
      java: ['(?<![.\\w])await\\(\\)', '\\bAwaitility\\.await\\(', '\\b(?:wait|poll|eventually)\\w*\\(\\(\\)\\s*->'],
      python: ['\\b(?:wait|poll)_(?:for|until)\\w*\\(', '\\b(?:waiting\\.wait|poll(?:ing2?)?\\.poll|eventually)\\(',
        '@(?:tenacity\\.)?retry\\(', '@backoff\\.on_'],
    },
  },
  function* ({ facts, textOf }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const look of looksOf(facts, unit)) {
        const { poll, body, region } = look
        for (const grown of grownIn(look))
          if (isCaptured(look, grown) && !(poll && frozenClock(facts, unit, poll.span.start))
            && ((poll && matters(unit, grown, poll.span.end)) || isComparedInside(look, grown)))
            yield { at: grown.span, unit: body.id, confidence: isDrained(look, grown) ? 'low' : 'medium',
              message: `adds to ${grown.target} at every turn of the poll, and nobody knows how many there are` }
        for (const { span, name, counted } of sentIn(look, textOf))
          yield { at: span, unit: body.id, confidence: counted ? 'medium' : 'low',
            message: `${name} sends at every turn of the poll, and nobody knows how many there are` }
        for (const call of body.calls) {
          if (!(ACTS.test(call.name) || PRESSES.test(call.name)) || !isInside(body, call.in, region)) continue
          const confidence = ACTS.test(call.name) && call.resolution !== 'guess' ? 'medium' : 'low'
          yield { at: call.span, unit: body.id, confidence,
            message: `${textOf(call.nameSpan)} acts at every turn of the poll, and nobody knows how many there are` }
        }
        if (poll && body === unit) yield* vain(unit, poll, region, textOf)
      }
      if (facts.language === 'go') {
        for (const { call, poll, sure } of assertedInPolls(facts, unit))
          yield { ...vainly(unit, call, textOf), confidence: sure ? 'medium' : 'low',
            related: [{ span: poll.nameSpan, message: 'the poll' }] }
      } else {
        for (const { body, at, poll } of assertedInOwnPolls(facts, unit))
          yield { at: at.span, unit: body.id, confidence: 'medium', related: [{ span: poll.nameSpan, message: 'the poll' }],
            message: `this fails the test at the first look: ${textOf(poll.nameSpan)} catches nothing, and never gets to a second one` }
      }
    }
  },
)

/** A poll that does not look twice: a query in it waits as long as it does, or an assertion fails the test itself. */
function* vain(unit: Unit, poll: Call, region: number, textOf: FileView['textOf']): Generator<Report> {
  for (const call of unit.calls)
    if (FINDS.test(call.name) && /(^|\.)waitFor$/.test(poll.name) && isInside(unit, call.in, region)
      && Object.keys(poll.named).length === 0)
      yield { at: call.span, unit: unit.id, confidence: 'medium',
        message: `${textOf(call.nameSpan)} waits by itself as long as the poll around it: there is no second look` }
  const fails = assertedInAsks(unit, poll, region, textOf)
  if (fails) yield vainly(unit, fails, textOf)
}

const vainly = (unit: Unit, call: Call, textOf: FileView['textOf']): Report => ({ at: call.span, unit: unit.id, confidence: 'medium',
  message: `${textOf(call.nameSpan)} fails the test at the first look: the poll never gets to a second one` })

/** Neither born in the callback nor a mere count of the tries. */
const isCaptured = (look: Look, { target }: Growth): boolean =>
  !TRIES.test(target) && !isBornIn(look, target.split(/[.[]/)[0]!)
  && !look.body.writes.some(w => w.target === target && !w.adds && isInside(look.body, w.in, look.region))

/** An assertion after the poll depends on it. */
const matters = (unit: Unit, { target }: Growth, from: number): boolean =>
  unit.assertions.some(a =>
    a.span.start > from
    && a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && (v.path === target || v.path.startsWith(`${target}.`))))
  )

import { isCalledElsewhere, isTestCode } from '../../facts/query.ts'
import { glancesAtChannels, vainLimits } from '../../flow/threads/background.ts'
import { askedAtOnce } from '../../flow/waiting/asked.ts'
import { fromHooks, glances, listensBehind, type Glance } from '../../flow/waiting/started.ts'
import { glancesAtSessions } from '../../flow/waiting/sessions.ts'
import { defineRule } from '../rule.ts'

const SAYS: Readonly<Record<Glance['how'], string>> = {
  output: 'reads once what something in the background has written so far',
  file: 'reads once the file that a command in the background is still writing',
  connection: 'connects once to what was only just started in the background: it may not listen yet',
  mock: 'asks the mock at once, while the work that calls it may not have come so far',
}

export default defineRule(
  {
    id: 'one-shot-background-read',
    title: 'A test starts something in the background and looks at it once, without waiting',
    category: 'waiting',
    severity: 'warning',
    triggers: [],
    confirm: ['cpu-stress', 'latency-inject'],
    since: '0.2.0',
    words: {
      bash: ['\\bsocat\\b', '\\bn(?:et)?c(?:at)? -l', '-m (?:http\\.server|SimpleHTTPServer)\\b', '\\brun\\b.* (?:-d|--detach)\\b',
        '\\bsystemctl start\\b', '[^&]&\\n'],
      python: ['\\bPopen\\(', '\\b(?:Thread|Process)\\(', '\\.submit\\(', '\\b(?:create_task|ensure_future|apply_async)\\('],
      go: ['\\bgo func\\b', '\\bgo [\\w.]+(?:ListenAndServe\\w*|Run|Start)\\(', '\\.Start\\(\\)', '\\n\\t+default:\\n\\s+t\\.',
        'time\\.After\\([^]{1,300}\\n\\t+default:', '\\bShould\\(Say\\('],
      java: ['\\.(?:submit|execute|runAsync|supplyAsync)\\(', '\\bnew Thread\\(', '\\bProcessBuilder\\b',
        '\\.(?:subscribe|observe|publish)On\\('],
      rust: ['\\bCommand::new\\(', '\\bspawn\\('],
      typescript: ['\\b(?:spawn|fork|execa)\\('],
    },
  },
  function* ({ facts, textOf }) {
    const hooked = new Set<number>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || unit.role.is === 'suite' || isCalledElsewhere(facts, unit)
        || (unit.role.is === 'hook' && unit.role.when === 'after')) continue
      // A script of helpers starts things that its users wait for.
      if (unit.role.is === 'helper' && unit.assertions.length === 0) continue
      const told = [...glances(facts, unit)]
      for (const { look, start, how } of told)
        yield { at: look.span, unit: unit.id, confidence: 'medium', message: SAYS[how],
          related: [{ span: start.span, message: 'started here' }] }
      // Once for each start: whoever comes first finds it out.
      for (const { look, start, how } of told.length === 0 ? fromHooks(facts, unit, textOf) : []) {
        if (hooked.has(start.span.start)) continue
        hooked.add(start.span.start)
        yield { at: look.span, unit: unit.id, confidence: 'medium', message: SAYS[how],
          related: [{ span: start.span, message: 'started here' }] }
      }
      const listens = facts.language === 'bash' && told.length === 0 ? listensBehind(facts, unit) : undefined
      if (listens)
        yield { at: listens.span, unit: unit.id, confidence: 'medium',
          message: 'listens in the background, and nothing waits until it does: who connects next may be too early' }
      // One thread alone runs what stands here to its end, whatever it has started.
      if (facts.language !== 'typescript' && facts.language !== 'bash') {
        for (const { at, start, what } of [...askedAtOnce(facts, unit)].filter(({ at }) =>
          !told.some(({ look }) => look.span.start <= at.span.end && look.span.end >= at.span.start)
        ))
          yield { at: at.span, unit: unit.id, confidence: 'medium',
            message: `asks for ${what} at once, while the work that was only just started may not have come so far`,
            related: [{ span: start.nameSpan, message: 'started here' }] }
      }
      if (facts.language !== 'go') continue
      for (const { call, channel, beside } of glancesAtChannels(unit))
        yield { at: call.span, unit: unit.id, confidence: beside ? 'medium' : 'low',
          message: `looks once whether ${channel} has something by now: who sends it may not have come so far` }
      for (const { look, waited } of glancesAtSessions(unit))
        yield { at: look.span, unit: unit.id, confidence: 'medium',
          message: 'looks once at a program that still runs: what it writes next, and its end, may not have come so far',
          related: [{ span: waited.span, message: 'so far it was waited for' }] }
      for (const span of vainLimits(unit, textOf))
        yield { at: span, unit: unit.id, confidence: 'medium',
          message: 'is always ready, so nobody waits for the cases above it, nor for their limit' }
    }
  },
)

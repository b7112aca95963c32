import { isTestCode } from '../../facts/query.ts'
import { startedIn } from '../../flow/threads/background.ts'
import { cameTooLate, forgottenByContext } from '../../flow/masking/dropped.ts'
import { endsInHandler } from '../../flow/threads/handlers.ts'
import { defineRule } from '../rule.ts'
import { endsThread, judge, promised, short } from './signs.ts'

export default defineRule(
  {
    id: 'assertion-in-detached-callback',
    title: 'An assertion runs where its failure does not reach the test: in a thread, task or callback that nobody waits for',
    category: 'waiting',
    severity: 'error',
    triggers: [],
    confirm: ['latency-inject', 'repeat'],
    crowds: 8,
    since: '0.2.0',
    words: {
      java: ['\\bnew Thread\\(\\s*(?:\\(\\)\\s*->|new Runnable)', '\\.(?:submit|execute|runAsync)\\(\\s*(?:\\(\\)\\s*->|new \\w+)',
        '\\.(?:thenAccept|thenRun|whenComplete|handle)(?:Async)?\\(\\s*\\(?\\w', '\\(TestContext \\w+\\)'],
      go: ['http\\.ResponseWriter\\b', '\\bgo\\s+func\\b', '\\bgo\\s+\\w+\\(', '\\bAfterFunc\\('],
      python: ['\\bThread\\(', '\\.submit\\('],
      rust: ['\\b(?:thread|tokio|task)::spawn\\b'],
      typescript: ['\\bset(?:Timeout|Immediate)\\(', '\\.then\\(', '\\bprocess\\.nextTick\\(', '\\bqueueMicrotask\\(',
        '\\.on(?:ce)?\\(\\s*[\'"](?:data|end|finish|close|exit|response|connect)[\'"]',
        '\\bfs\\.(?:readFile|writeFile|appendFile|l?stat|access|readdir|mkdir|unlink|exists)\\(', '\\bhttps?\\.(?:get|request)\\(',
        '(?<![.\\w])exec(?:File)?\\('],
    },
  },
  function* (view) {
    for (const unit of view.facts.units) {
      if (!isTestCode(view.facts, unit) || unit.role.is === 'module' || unit.role.is === 'suite') continue
      for (const work of startedIn(view.facts, unit)) yield* judge(view, unit, work)
      yield* promised(view, unit)
      for (const { call, asserted } of [...cameTooLate(view.facts, unit), ...forgottenByContext(unit)])
        yield {
          at: call.nameSpan,
          unit: unit.id,
          confidence: 'medium',
          related: [{ span: asserted.span, message: 'asserts here' }],
          message: `asserts in what ${short(call.name)} calls back, and nobody waits for it: the test is over before the assertion is made`,
        }
      // `t.Fatal` in a handler leaves the client without an answer; the failure is told, and the client mostly fails with it.
      const fatal = endsInHandler(unit, view, endsThread)
      if (fatal)
        yield { at: fatal.span, unit: unit.id, confidence: 'low', severity: 'warning',
          message: `${short(view.textOf(fatal.nameSpan))} ends the goroutine of the request, not the test: whoever asked gets no answer` }
    }
  },
)

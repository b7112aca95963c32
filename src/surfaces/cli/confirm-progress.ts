// What a confirmation says while it works, on standard error: first what it will execute, then what it is at.

import type { ConfirmEvent, Plan } from '../../index.ts'

export interface ConfirmProgress {
  readonly tell: (event: ConfirmEvent) => void
  readonly end: () => void
}

type Letters = Readonly<Record<string, string>>

export function confirmProgress(stream: NodeJS.WriteStream, quiet: boolean, letters: Letters): ConfirmProgress {
  if (quiet) return { tell: () => {}, end: () => {} }
  let line = '', at = '', announced = false, preparing = true
  const clear = () => void (stream.isTTY && line !== '' && stream.write('\r\u001b[K'))
  const say = (text: string) => {
    clear()
    stream.write(`${printable(text)}\n`)
    draw()
  }
  const draw = () =>
    void (stream.isTTY && line !== '' && stream.write(`\r\u001b[K${printable(line).slice(-Math.max(20, (stream.columns ?? 80) - 1))}`))
  const finishLine = () => {
    if (!stream.isTTY && line !== '') stream.write(`${printable(line)}\n`)
    if (stream.isTTY && line !== '') stream.write('\n')
    line = ''
  }
  return {
    tell: event => {
      switch (event.is) {
        case 'start':
          return say(`confirm runs the tests of ${event.root} with ${event.runner} (${event.reasons.join('; ')})`)
        case 'exec':
          if (!announced || preparing) say(`  $ ${event.argv.join(' ')}`)
          announced = true
          return
        case 'plan':
          preparing = false
          return say(planText(event.plan).trimEnd())
        case 'note':
          return say(event.text)
        case 'ask': {
          const what = `${event.ask.protocol}: ${event.ask.what}`
          if (what === at) return
          finishLine()
          at = what
          // The exact command of the first run of each kind; the others differ in paths alone.
          announced = event.ask.protocol === 'ordering' && event.done > 0
          line = `${what} `
          return draw()
        }
        case 'run':
          line += ` ${letters[event.run.outcome] ?? '?'}`
          return draw()
      }
    },
    end: finishLine,
  }
}

const printable = (text: string): string =>
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, c => `\\u{${c.codePointAt(0)!.toString(16)}}`)

export function planText(plan: Plan): string {
  const seconds = (ms: number) => (ms >= 60_000 ? `${Math.round(ms / 6000) / 10} min` : `${Math.round(ms / 100) / 10} s`)
  return [
    `target: ${plan.target.id}${
      plan.target.file === null ? '' : ` (${plan.target.file}${plan.target.line === undefined ? '' : `:${plan.target.line}`})`
    }, one of ${plan.tests} tests`,
    ...(plan.others.length > 0
      ? [`  others fit too: ${plan.others.slice(0, 5).map(t => t.id).join(', ')}${plan.others.length > 5 ? ' …' : ''}`]
      : []),
    `plan, for at most ${seconds(plan.budgetMs)} (listing the tests took ${
      seconds(plan.listMs)
    }: a run takes about that and the time of its tests):`,
    ...plan.steps.map((s, i) => `  ${i + 1}. ${s.what} — runs: ${s.runs}${s.when === 'always' ? '' : `, where ${s.when}`}`),
    ...plan.unavailable.map(u => `  not possible here: ${u.name}: ${u.why}`),
    ...(plan.beforeRun.length > 0 ? [`before every run: ${plan.beforeRun.join(' ')}`] : []),
    ...(plan.dropped.length > 0 ? [`left out of the environment (--env NAME passes one): ${plan.dropped.join(', ')}`] : []),
    '',
  ].join('\n')
}

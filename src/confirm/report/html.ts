// One page that needs nothing else and runs nothing: the runs as strips, the timings as plots.

import { visible } from '../../report/visible.ts'
import type { Confirmation, RunLine } from '../confirmation.ts'
import type { RunOutcome } from '../protocols/ask.ts'
import { advice, ENDINGS, isFailure, LETTERS, ms, rateOf, rateSentence } from './numbers.ts'
import { STYLE } from './style.ts'
import { grouped, records } from './text.ts'

export const formatConfirmHtml = (confirmations: readonly Confirmation[]): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Confirmed by runs</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${confirmations.length > 1 ? contents(confirmations) : ''}${confirmations.map(section).join('\n')}
</main>
<footer>flakesniff ${escape(confirmations[0]?.tool.version ?? '')}</footer>
</body>
</html>
`

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string): string => visible(text).replace(/[&<>"']/g, c => ENTITIES[c]!)

const contents = (all: readonly Confirmation[]): string =>
  `<table><thead><tr><th scope="col">Test</th><th scope="col">Verdict</th><th scope="col">Failed</th></tr></thead><tbody>${
    all.map((c, i) =>
      `<tr><td><a href="#c${i}">${
        escape(c.target.id)
      }</a></td><td class="${c.verdict}">${c.verdict}</td><td>${c.failures} of ${c.runs}</td></tr>`
    ).join('')
  }</tbody></table>\n`

function section(c: Confirmation, index: number): string {
  const hint = advice(c)
  return `<article id="c${index}">
<h1>${escape(c.target.id)}</h1>
<p class="verdict ${c.verdict}">${c.verdict}</p>
<p>${escape(c.diagnosis)}. ${escape(c.condition)}: ${escape(rateSentence(c))}</p>
${hint === null ? '' : `<p>${escape(hint)}</p>`}${c.ending === 'done' ? '' : `<p><em>${escape(ENDINGS[c.ending])}</em></p>`}
${
    c.interferers.length === 0
      ? ''
      : `<h2>Interfering test</h2><ul>${c.interferers.map(t => `<li><code>${escape(t.id)}</code></li>`).join('')}</ul>`
  }
${c.reproduce === null ? '' : `<h2>Reproduce</h2><pre>${escape(c.reproduce)}</pre>`}
<h2>Runs</h2>
${legend()}${strips(c).map(([title, lines]) => strip(title, lines)).join('\n')}
${plots(c)}
<h2>Record</h2>
${
    records(c).map(([title, ...lines]) =>
      `<details><summary>${escape(title!)}</summary><pre>${lines.map(escape).join('\n')}</pre></details>`
    ).join('\n')
  }
</article>`
}

function strips(c: Confirmation): [string, readonly RunLine[]][] {
  const steps: [string, readonly RunLine[]][] =
    c.ordering?.steps.map(s => [`${s.what}`, s.outcomes.map(outcome => ({ ...EMPTY, outcome, what: s.what }))]) ?? []
  return ([
    ['alone', c.multiRun.lines],
    ['in suite', c.isolation?.inSuite ?? []],
    ...grouped(c.orders),
    ...steps,
    ['suite in parallel', c.timing.parallel],
    ['with the race detector', c.timing.race],
    ...c.perturbations.flatMap((
      p,
    ): [string, readonly RunLine[]][] => [[`${p.name}: ${p.title}`, p.runs],
      ...(p.baseline.length > 0 ? [[`${p.name}: at rest`, p.baseline] as [string, readonly RunLine[]]] : [])]
    ),
  ] as [string, readonly RunLine[]][]).filter(([, lines]) => lines.length > 0)
}

const EMPTY: Omit<RunLine, 'outcome' | 'what'> = { protocol: 'ordering', attempts: 1, setupMs: null, testMs: null, teardownMs: null, ms: 0 }
const MEANINGS: Readonly<Record<RunOutcome, string>> = { pass: 'passed', fail: 'failed', timeout: 'took too long', skip: 'skipped',
  missing: 'left no record', broken: 'the runner failed' }

const legend = (): string =>
  `<p class="soft">${
    (Object.keys(MEANINGS) as RunOutcome[]).map(o => `<span class="key ${o}">${LETTERS[o]}</span> ${MEANINGS[o]}`).join(' · ')
  }</p>\n`

const strip = (title: string, lines: readonly RunLine[]): string =>
  `<div class="strip"><span class="label">${escape(title)}</span><span class="cells" role="img" aria-label="${
    lines.filter(isFailure).length
  } of ${lines.length} runs failed">${
    lines.map((l, i) =>
      `<i class="${l.outcome}" title="run ${i + 1}: ${MEANINGS[l.outcome]}${l.ms > 0 ? `, ${ms(l.ms)}` : ''}">${LETTERS[l.outcome]}</i>`
    ).join('')
  }</span><span class="soft">${rateOf(lines)}</span></div>`

/** A dot for each run, by phase; failures stand out. */
function plots(c: Confirmation): string {
  const lines = c.multiRun.lines
  const phases = ([['Setup', 'setupMs'], ['Test', 'testMs'], ['Teardown', 'teardownMs']] as const).filter(([, key]) =>
    lines.filter(l => l[key] !== null).length > 1
  )
  return phases.length === 0
    ? ''
    : `<h2>Timing</h2>${phases.map(([title, key]) => plot(title, lines.map(l => ({ value: l[key], failed: isFailure(l) })))).join('\n')}`
}

const WIDTH = 640, HEIGHT = 120, EDGE = 8

function plot(title: string, dots: readonly { readonly value: number | null; readonly failed: boolean }[]): string {
  const most = Math.max(1, ...dots.map(d => d.value ?? 0))
  const x = (i: number) => EDGE + (i * (WIDTH - 2 * EDGE)) / Math.max(1, dots.length - 1)
  const y = (value: number) => HEIGHT - EDGE - (value / most) * (HEIGHT - 2 * EDGE)
  const made = dots.flatMap((d, i) => (d.value === null
    ? []
    : [
      `<circle cx="${x(i).toFixed(1)}" cy="${y(d.value).toFixed(1)}" r="4" class="${d.failed ? 'fail' : 'pass'}"><title>run ${i + 1}: ${
        ms(d.value)
      }</title></circle>`,
    ])
  )
  return `<figure><figcaption>${title}, up to ${
    ms(most)
  }</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title} time of each run"><line x1="0" x2="${WIDTH}" y1="${
    HEIGHT - EDGE
  }" y2="${HEIGHT - EDGE}"/>${made.join('')}</svg></figure>`
}

// The page's own script. Everything on the page is made here from the data beside it; text is only ever set as text, so that
// no name of a file or test can become markup.
'use strict'

const data = JSON.parse(document.getElementById('data').textContent)
const state = { text: '', category: '', severity: '', sure: '', folder: '', cause: 0, page: 1 }
const PAGE = 100
const SEVERITIES = ['error', 'warning', 'note']
const CONFIDENCES = ['high', 'medium', 'low']

const $ = id => document.getElementById(id)

const maker = create => (tag, attributes = {}, ...children) => {
  const node = create(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler)
    else if (value !== undefined && value !== false) node.setAttribute(name, String(value))
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child)
  return node
}
const make = maker(tag => document.createElement(tag))
const draw = maker(tag => document.createElementNS('http://www.w3.org/2000/svg', tag))

const count = (n, thing) => `${n.toLocaleString('en')} ${thing}${n === 1 ? '' : 's'}`
const fileOf = test => data.files[data.tests[test][0]]
const folderOf = path => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.')
const isIn = (path, folder) => folder === '' || path === folder || path.startsWith(`${folder}/`) || (folder === '.' && !path.includes('/'))
const testsIn = cause => (state.folder === '' ? cause.tests : cause.tests.filter(t => isIn(fileOf(t), state.folder)))

const lowered = data.tests.map(([file, , name]) => `${data.files[file]} ${name}`.toLowerCase())

const wordsOf = text => text.toLowerCase().split(/\s+/).filter(Boolean)

/** What the filters let through, with the tests that count, worst first. */
function visibleCauses() {
  const words = wordsOf(state.text)
  return data.causes
    .map((cause, index) => ({ cause, index, tests: testsIn(cause) }))
    .filter(({ cause, tests }) => (state.category === '' || cause.category === state.category)
      && (state.severity === '' || cause.severity === state.severity)
      && (state.sure === '' || CONFIDENCES.indexOf(cause.confidence) <= CONFIDENCES.indexOf(state.sure))
      && (state.folder === '' || tests.length > 0 || isIn(cause.file, state.folder))
      && words.every(w => cause.words.includes(w) || tests.some(t => lowered[t].includes(w))))
}

function render() {
  const shown = visibleCauses()
  if (!shown.some(s => s.index === state.cause)) state.cause = shown[0]?.index ?? -1
  numbers(shown)
  picture(shown)
  folders(shown)
  causes(shown)
  detail(shown.find(s => s.index === state.cause))
  tests(shown)
}

function numbers(shown) {
  const endangered = new Set(shown.flatMap(s => s.tests)).size
  const share = data.seen === 0 ? 0 : Math.round((100 * endangered) / data.seen)
  $('numbers').replaceChildren(...[
    [shown.length, 'causes'], [endangered, 'tests endangered'], [data.seen, 'tests seen'], [`${share} %`, 'of all tests'], [shown[0]?.tests.length ?? 0, 'by the first cause'],
  ].map(([n, what]) => make('li', {}, make('b', {}, typeof n === 'number' ? n.toLocaleString('en') : n), what)))
}

/** Folders of the tests, cut to a depth at which there are not too many. */
function grouped(shown) {
  for (let depth = 4; ; depth--) {
    const groups = new Map()
    for (const { index, tests } of shown)
      for (const test of tests) {
        const folder = folderOf(fileOf(test)).split('/').slice(0, depth).join('/')
        const group = groups.get(folder) ?? groups.set(folder, new Map()).get(folder)
        group.set(index, (group.get(index) ?? 0) + 1)
      }
    if (groups.size <= 18 || depth === 1) return groups
  }
}

const MAX_DRAWN = 24

function picture(shown) {
  const drawn = shown.filter(s => s.tests.length > 0).slice(0, MAX_DRAWN)
  const groups = [...grouped(drawn)].map(([folder, byCause]) => ({ folder, byCause, total: [...byCause.values()].reduce((a, b) => a + b, 0) })).sort((a, b) => b.total - a.total).slice(0, MAX_DRAWN)
  const total = groups.reduce((sum, g) => sum + g.total, 0)
  const box = $('picture')
  const hidden = shown.filter(s => s.tests.length > 0).length - drawn.length
  $('legend').textContent = `Left: causes, worst first. Right: folders of the tests they endanger. Choose one to follow it.${hidden > 0 ? ` The first ${MAX_DRAWN} causes are drawn; ${count(hidden, 'more cause')} below.` : ''}`
  if (total === 0) return box.replaceChildren(make('p', { class: 'soft' }, 'No test is endangered by what the filters let through.'))
  const rows = Math.max(drawn.length, groups.length)
  const height = Math.max(160, rows * 26), gap = 6, width = 1200, left = 430, right = 800
  const scale = (height - gap * rows) / total
  const span = (n, at) => ({ at, size: Math.max(2, n * scale) })
  let at = 0
  const causesAt = new Map(drawn.map(s => {
    const place = span([...groups].reduce((sum, g) => sum + (g.byCause.get(s.index) ?? 0), 0), at)
    at += Math.max(18, place.size) + gap
    return [s.index, { ...place, next: place.at }]
  }))
  const low = at
  at = 0
  const ribbons = []
  const bars = []
  for (const group of groups) {
    const place = span(group.total, at)
    let inside = place.at
    for (const s of drawn) {
      const n = group.byCause.get(s.index) ?? 0
      if (n === 0) continue
      const from = causesAt.get(s.index), size = Math.max(1, n * scale)
      const a = from.next, b = inside
      ribbons.push(draw('path', { class: 'ribbon', 'data-cause': s.index, d: `M${left} ${a} C${(left + right) / 2} ${a} ${(left + right) / 2} ${b} ${right} ${b} V${b + size} C${(left + right) / 2} ${b + size} ${(left + right) / 2} ${a + size} ${left} ${a + size} Z` },
        draw('title', {}, `${data.causes[s.index].title}: ${count(n, 'test')} in ${group.folder}`)))
      from.next += size
      inside += size
    }
    bars.push(button(`${group.folder}: ${count(group.total, 'test')}; keep to this folder`, () => choose({ folder: state.folder === group.folder ? '' : group.folder }),
      draw('rect', { class: 'bar', x: right, y: place.at, width: 8, height: place.size, fill: 'var(--ribbon)' }), label(right + 16, place.at + 12, group.folder, 52), draw('text', { class: 'count', x: width - 4, y: place.at + 12, 'text-anchor': 'end' }, String(group.total))))
    at += Math.max(18, place.size) + gap
  }
  for (const s of drawn) {
    const place = causesAt.get(s.index), cause = data.causes[s.index]
    bars.push(button(`${cause.title}, ${cause.file}: ${count(s.tests.length, 'test')}; show this cause`, () => choose({ cause: s.index }, true),
      draw('rect', { class: `bar ${cause.severity}`, x: left - 8, y: place.at, width: 8, height: place.size }),
      draw('text', { class: 'count', x: left - 16, y: place.at + 12, 'text-anchor': 'end' }, String(s.tests.length)), label(4, place.at + 12, `${cause.rule}  ${cause.file}:${cause.line}`, 60)))
  }
  const svg = draw('svg', { viewBox: `0 0 ${width} ${Math.max(low, at)}`, role: 'group', 'aria-label': 'Which cause feeds which tests' }, ribbons, bars)
  light(svg, state.cause)
  box.replaceChildren(svg)
}

function button(title, act, ...parts) {
  return draw('g', { role: 'button', tabindex: 0, 'aria-label': title, on: { click: act, keydown: e => (e.key === 'Enter' || e.key === ' ') && (e.preventDefault(), act()) } }, draw('title', {}, title), ...parts)
}

/** The end of a path tells more than its beginning. */
const label = (x, y, text, length) => draw('text', { x, y }, text.length > length ? `…${text.slice(1 - length)}` : text)

function light(svg, cause) {
  const lit = [...svg.querySelectorAll('.ribbon')].filter(r => Number(r.dataset.cause) === cause)
  svg.classList.toggle('dim', lit.length > 0)
  lit.forEach(r => r.classList.add('lit'))
}

/** The folder that is looked into: the chosen one, or the first below it that has more than one entry. */
function descend(folders) {
  let at = state.folder === '.' ? '' : state.folder
  for (;;) {
    const below = new Set(folders.map(f => childOf(f, at)))
    if (below.size !== 1 || below.has(at)) return at
    at = [...below][0]
  }
}

const childOf = (folder, at) => (folder === at || folder === '.' ? folder : `${at === '' ? '' : `${at}/`}${folder.slice(at === '' ? 0 : at.length + 1).split('/')[0]}`)

function folders(shown) {
  const byFolder = new Map()
  for (const { cause, tests } of shown) {
    const each = cause.tests.length === 0 ? 0 : cause.score / cause.tests.length
    for (const test of tests) byFolder.set(folderOf(fileOf(test)), (byFolder.get(folderOf(fileOf(test))) ?? 0) + each)
  }
  const at = descend([...byFolder.keys()])
  const risk = new Map()
  for (const [folder, score] of byFolder) risk.set(childOf(folder, at), (risk.get(childOf(folder, at)) ?? 0) + score)
  const all = [...risk].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const most = all[0]?.[1] ?? 1
  crumbs(at)
  $('folders').replaceChildren(...all.slice(0, MAX_FOLDERS).flatMap(([folder, score]) => [
    make('button', { type: 'button', 'aria-pressed': folder === state.folder, title: folder, on: { click: () => choose({ folder: folder === state.folder ? '' : folder }) } }, folder === at ? 'in the folder itself' : at === '' ? folder : folder.slice(at.length + 1)),
    meter(score / most), make('span', { class: 'soft number' }, score.toFixed(1)),
  ]), ...(all.length > MAX_FOLDERS ? [make('span', { class: 'soft' }, `and ${count(all.length - MAX_FOLDERS, 'more folder')}`)] : []))
}

const MAX_FOLDERS = 20

function meter(share) {
  const bar = make('div', { class: 'meter' })
  bar.style.width = `${Math.max(0.5, 100 * share)}%`
  return bar
}

/** The way down to the folder that is shown, each part of it a way back. */
function crumbs(at) {
  const parts = at === '' ? [] : at.split('/')
  $('crumbs').replaceChildren(make('button', { type: 'button', class: 'crumb', on: { click: () => choose({ folder: '' }) } }, 'all'),
    ...parts.flatMap((part, i) => [' / ', make('button', { type: 'button', class: 'crumb', on: { click: () => choose({ folder: parts.slice(0, i + 1).join('/') }) } }, part)]))
}

const MAX_LISTED = 400

function causes(shown) {
  const list = $('causes')
  list.replaceChildren(...shown.slice(0, MAX_LISTED).map(({ cause, index, tests }) => make('li', { role: 'option', id: `cause-${index}`, 'aria-selected': index === state.cause, on: { click: () => choose({ cause: index }) } },
    make('div', {}, make('span', { class: cause.severity }, '● '), `${cause.title} `), make('div', { class: 'where' }, `${cause.file}:${cause.line}`),
    make('div', { class: 'soft' }, `${count(tests.length, 'test')} · risk ${cause.score.toFixed(1)} · ${cause.confidence} confidence`))),
  ...(shown.length > MAX_LISTED ? [make('li', { class: 'soft' }, `and ${count(shown.length - MAX_LISTED, 'more cause')}: narrow the filters to see them`)] : []))
  list.setAttribute('aria-activedescendant', `cause-${state.cause}`)
}

/** Prose of a rule's page: what stands between backquotes is code. */
const prose = text => text.split('`').map((piece, i) => (i % 2 === 1 ? make('code', {}, piece) : piece))

function detail(chosen) {
  if (!chosen) return $('detail').replaceChildren(make('p', { class: 'soft' }, 'Nothing fits the filters.'))
  const { cause, tests } = chosen
  const list = (items, shown = prose) => make('ul', {}, items.map(i => make('li', {}, shown(i))))
  $('detail').replaceChildren(
    make('h2', {}, cause.title), make('p', {}, make('span', { class: cause.severity }, cause.severity), ` · ${cause.category} · ${cause.rule} · ${cause.confidence} confidence · risk ${cause.score.toFixed(1)}`),
    make('h3', {}, 'Where'), make('p', { class: 'where' }, `${cause.file}:${cause.line}${cause.unit ? ` in ${cause.unit}` : ''}`),
    make('pre', {}, cause.frame.map(([n, text, hit]) => make('span', hit ? { class: 'hit' } : {}, `${String(n).padStart(5)}  ${text}\n`))),
    make('h3', {}, 'Mechanism'), make('p', {}, cause.message), ...cause.why.map(w => make('p', {}, prose(w))),
    ...(cause.shows.length > 0 ? [make('h3', {}, 'How it would show'), list(cause.shows)] : []),
    ...(cause.path.length > 0 ? [make('h3', {}, 'A way from a test to it'), list(cause.path, text => text)] : []),
    make('h3', {}, `Tests affected: ${tests.length.toLocaleString('en')}`), byFile(tests),
    make('h3', {}, 'Fixes'), list(cause.fixes),
    make('h3', {}, 'What would confirm it'), make('pre', {}, cause.confirm.join('\n')),
    ...(cause.others.length > 0 ? [make('h3', {}, 'What else it could be'), list(cause.others)] : []),
  )
}

function byFile(tests) {
  const files = new Map()
  for (const test of tests) (files.get(data.tests[test][0]) ?? files.set(data.tests[test][0], []).get(data.tests[test][0])).push(test)
  return make('div', {}, [...files].slice(0, 60).map(([file, inside]) => {
    const more = make('details', {}, make('summary', { class: 'where' }, `${data.files[file]} (${inside.length})`))
    more.addEventListener('toggle', () => more.children.length === 1 && more.append(make('ul', {}, inside.slice(0, 500).map(t => make('li', {}, `${data.tests[t][2]} `, make('span', { class: 'where' }, `:${data.tests[t][1]}`))))))
    return more
  }), files.size > 60 ? make('p', { class: 'soft' }, `and ${files.size - 60} more files`) : null)
}

function tests(shown) {
  const causesOf = new Map()
  for (const { index, tests } of shown) for (const test of tests) (causesOf.get(test) ?? causesOf.set(test, []).get(test)).push(index)
  const words = wordsOf(state.text)
  // Who looks for a test wants to see that test; words that only causes hold leave the list as it is.
  const named = [...causesOf].filter(([test]) => words.every(w => lowered[test].includes(w)))
  const all = (named.length > 0 ? named : [...causesOf]).sort((a, b) => b[1].length - a[1].length || a[0] - b[0])
  const shownTests = all.slice(0, state.page * PAGE)
  $('tests').replaceChildren(...shownTests.map(([test, by]) => make('tr', {},
    make('td', {}, data.tests[test][2], make('div', { class: 'where' }, `${fileOf(test)}:${data.tests[test][1]}`)),
    make('td', {}, by.slice(0, 3).map(i => make('button', { type: 'button', class: 'plain', title: `${data.causes[i].title}, ${data.causes[i].file}:${data.causes[i].line}`, on: { click: () => choose({ cause: i }, true) } }, data.causes[i].rule)), by.length > 3 ? ` and ${by.length - 3} more` : null), make('td', { class: 'number' }, String(by.length)))))
  const rest = all.length - shownTests.length
  $('more').hidden = rest === 0
  $('more').textContent = `Show ${Math.min(PAGE, rest)} more of ${rest}`
}

function choose(change, reveal = false) {
  Object.assign(state, { page: 1 }, change)
  for (const id of ['category', 'severity', 'sure']) $(id).value = state[id]
  $('folder').textContent = state.folder === '' ? 'all folders' : `in ${state.folder} ✕`
  render()
  if (reveal) $('detail').scrollIntoView({ block: 'nearest', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' })
}

function move(step) {
  const shown = visibleCauses().slice(0, MAX_LISTED)
  const at = shown.findIndex(s => s.index === state.cause)
  const next = shown[Math.max(0, Math.min(shown.length - 1, at + step))]
  if (next) choose({ cause: next.index })
  $(`cause-${state.cause}`)?.scrollIntoView({ block: 'nearest' })
}

const options = (id, all, values) => $(id).append(make('option', { value: '' }, all), ...values.map(v => make('option', { value: v }, v)))
options('category', 'every category', [...new Set(data.causes.map(c => c.category))].sort())
options('severity', 'every severity', SEVERITIES.filter(s => data.causes.some(c => c.severity === s)))
options('sure', 'any confidence', CONFIDENCES.filter(s => data.causes.some(c => c.confidence === s)))
for (const id of ['category', 'severity', 'sure']) $(id).addEventListener('change', e => choose({ [id]: e.target.value }))
let waiting = 0
$('text').addEventListener('input', e => {
  // A word is typed faster than ten thousand tests are searched.
  cancelAnimationFrame(waiting)
  waiting = requestAnimationFrame(() => choose({ text: e.target.value }))
})
$('folder').addEventListener('click', () => choose({ folder: '' }))
$('more').addEventListener('click', () => ((state.page += 1), render()))
$('theme').addEventListener('click', () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'light' : 'dark'
})
$('causes').addEventListener('keydown', e => {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[e.key]
  if (step) e.preventDefault(), move(step)
})
document.addEventListener('keydown', e => {
  const typing = /^(?:INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
  if (e.key === '/' && !typing) e.preventDefault(), $('text').focus()
  else if ((e.key === 'j' || e.key === 'k') && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) move(e.key === 'j' ? 1 : -1)
  else if (e.key === 'Escape') $('text').value = '', choose({ text: '', category: '', severity: '', sure: '', folder: '' })
})
$('reckoning').append(...data.reckoning.map(p => make('p', {}, p)))
for (const cause of data.causes) cause.words = [cause.title, cause.rule, cause.category, cause.file, cause.unit ?? '', cause.message].join(' ').toLowerCase()
choose({})

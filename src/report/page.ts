// What a report takes from a rule's page: its opening paragraph, its advice, and the lists and tables of its sections.

interface Section {
  readonly heading: string
  /** Paragraphs of prose; fenced code is left out. A list's entries are paragraphs of their own. */
  readonly paragraphs: readonly string[]
  /** Those of them that are entries of a list. */
  readonly bullets: readonly string[]
  /** Rows of its tables, cells as written. */
  readonly rows: readonly (readonly string[])[]
}

/** The first sentence of the page's advice, or null where the page has none. */
export function advice(page: string): string | null {
  const section = sections(page).find(s => /^## (?:Instead|What to do)$/i.test(s.heading))
  const paragraph = section?.paragraphs[0]
  return paragraph === undefined ? null : firstSentence(plain(paragraph))
}

/** The first paragraph of prose, wherever it stands. */
export function opening(page: string): string | null {
  const paragraph = sections(page).flatMap(s => s.paragraphs)[0]
  return paragraph === undefined ? null : plain(paragraph)
}

const sectionOf = (page: string, heading: string): Section | undefined => sections(page).find(s => s.heading === `## ${heading}`)

export const paragraphs = (page: string, heading: string): string[] => (sectionOf(page, heading)?.paragraphs ?? []).map(plain)
export const bullets = (page: string, heading: string): string[] => (sectionOf(page, heading)?.bullets ?? []).map(plain)

/** The rows of a section's table, by the names of its columns. */
export function table(page: string, heading: string): Readonly<Record<string, string>>[] {
  const [head, , ...rows] = sectionOf(page, heading)?.rows ?? []
  return head === undefined ? [] : rows.map(cells => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ''])))
}

function sections(page: string): Section[] {
  const found: { heading: string; paragraphs: string[]; bullets: string[]; rows: string[][] }[] = [{ heading: '', paragraphs: [],
    bullets: [], rows: [] }]
  let inList = false
  let fence: string | null = null
  let lines: string[] = []
  const endParagraph = () => {
    if (lines.length > 0) found.at(-1)!.paragraphs.push(lines.join(' '))
    if (lines.length > 0 && inList) found.at(-1)!.bullets.push(lines.join(' '))
    lines = []
    inList = false
  }
  for (const raw of page.split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0] ?? null
    // A heading inside a fence is a comment of some shell script.
    if (fence !== null) {
      if (mark !== null && line === mark && mark.startsWith(fence)) fence = null
      continue
    }
    const heading = /^#{1,6} /.test(line)
    const entry = /^[-*] /.test(line), row = line.startsWith('|')
    if (line === '' || mark !== null || heading || entry || row) endParagraph()
    if (entry) inList = true
    if (mark !== null) fence = mark
    else if (heading) found.push({ heading: line, paragraphs: [], bullets: [], rows: [] })
    else if (row) found.at(-1)!.rows.push(line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|')))
    else if (line !== '') lines.push(line.replace(/^[-*] /, ''))
  }
  endParagraph()
  return found
}

const plain = (markdown: string): string => markdown.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/\*\*/g, '')

function firstSentence(text: string): string {
  const ends = /[.!?](?=\s|$)/g
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    const sentence = text.slice(0, end.index + 1)
    if (!/\b(?:e\.g|i\.e|etc|vs)\.$/.test(sentence)) return sentence
  }
  return text
}

// What a report takes from a rule's page: its opening paragraph and its advice.

interface Section {
  readonly heading: string
  /** Paragraphs of prose; fenced code is left out. */
  readonly paragraphs: readonly string[]
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

function sections(page: string): Section[] {
  const found: { heading: string; paragraphs: string[] }[] = [{ heading: '', paragraphs: [] }]
  let fence: string | null = null
  let lines: string[] = []
  const endParagraph = () => {
    if (lines.length > 0) found.at(-1)!.paragraphs.push(lines.join(' '))
    lines = []
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
    if (line === '' || mark !== null || heading || /^[-*] /.test(line)) endParagraph()
    if (mark !== null) fence = mark
    else if (heading) found.push({ heading: line, paragraphs: [] })
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

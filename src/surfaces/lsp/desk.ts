// Which document is looked at next, and whose result may be shown: of several versions the newest, and never an older one.
// No timer holds anything back: what has arrived is read before anything is begun or shown, so a burst of edits costs one look.

/** A look that takes longer than this is given up where there is something newer to look at. */
const PATIENCE_MS = 3000

export interface Desk<L> {
  /** The document is new, or something changed: in it or around it. */
  readonly ask: (uri: string) => void
  readonly askAll: () => void
  readonly close: (uri: string) => void
  /** What is known of the document as it is now; null where it changes before that is known. */
  readonly looked: (uri: string) => Promise<L | null>
}

export interface Work<L> {
  readonly look: (uri: string) => Promise<L | null>
  readonly show: (uri: string, looked: L | null) => void
  readonly giveUp: () => void
  readonly failed: (uri: string, error: unknown) => void
}

interface Sheet<L> {
  /** Which wish it is to answer: the largest is the newest. */
  wish: number
  done: boolean
  looked: L | null
  waiting: ((looked: L | null) => void)[]
}

export function makeDesk<L>({ look, show, giveUp, failed }: Work<L>): Desk<L> {
  const sheets = new Map<string, Sheet<L>>()
  let wishes = 0
  let working = false
  let current: { readonly since: number; impatience?: NodeJS.Timeout } | undefined

  function ask(uri: string): void {
    const sheet = sheets.get(uri) ?? { wish: 0, done: false, looked: null, waiting: [] }
    sheets.set(uri, sheet)
    sheet.wish = ++wishes
    settle(sheet, null)
    sheet.done = false
    hurry()
    void work()
  }

  function settle(sheet: Sheet<L>, looked: L | null): void {
    const waiting = sheet.waiting
    sheet.done = true
    sheet.looked = looked
    sheet.waiting = []
    for (const answer of waiting) answer(looked)
  }

  /** What was given up is not done, so its turn comes again. */
  function hurry(): void {
    if (current) current.impatience ??= setTimeout(giveUp, PATIENCE_MS - (performance.now() - current.since)).unref()
  }

  async function work(): Promise<void> {
    if (working) return
    working = true
    for (;;) {
      await arrived()
      const [next] = [...sheets].filter(([, s]) => !s.done).sort(([, a], [, b]) => b.wish - a.wish)
      if (!next) break
      try {
        await lookAt(...next)
      } catch (error) {
        // Whoever is at fault, the other documents have a right to be looked at.
        settle(next[1], null)
        failed(next[0], error)
      }
    }
    working = false
  }

  async function lookAt(uri: string, sheet: Sheet<L>): Promise<void> {
    const { wish } = sheet, seen = wishes
    current = { since: performance.now() }
    const looked = await look(uri).finally(() => {
      clearTimeout(current?.impatience)
      current = undefined
    })
    await arrived()
    if (sheets.get(uri) !== sheet || sheet.wish !== wish || (looked === null && wishes !== seen)) return
    settle(sheet, looked)
    show(uri, looked)
  }

  /** The loop has gone round without a new wish: nothing that was sent is left unread. */
  async function arrived(): Promise<void> {
    for (let seen = -1; seen !== wishes;) {
      seen = wishes
      for (let turn = 0; turn < 2; turn++) await new Promise(resolve => setImmediate(resolve))
    }
  }

  return {
    ask,
    askAll: () => [...sheets.keys()].forEach(ask),
    close: uri => {
      const sheet = sheets.get(uri)
      if (!sheet) return
      sheets.delete(uri)
      settle(sheet, null)
      wishes++
      hurry()
    },
    looked: uri => {
      const sheet = sheets.get(uri)
      if (!sheet || sheet.done) return Promise.resolve(sheet?.looked ?? null)
      return new Promise(resolve => sheet.waiting.push(resolve))
    },
  }
}

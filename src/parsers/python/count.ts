// Tests told by the text alone, for files that no rule has a reason to parse.

const DEFINITION = /^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)([^\n]*)/gm
const TEST_CLASS = /^Test|(Tests?|TestCase)$/

/** Functions `test…` of the module and methods `test…` of classes that a runner collects, by indentation. */
export function countTests(text: string): number {
  if (!/\bdef[ \t]+test/.test(text)) return 0
  const open: { indent: number; inFunction: boolean; collects: boolean }[] = []
  const classes = new Set<string>()
  let tests = 0
  for (const [, space = '', kind, name = '', rest = ''] of text.matchAll(DEFINITION)) {
    while (open.length > 0 && open.at(-1)!.indent >= space.length) open.pop()
    const around = open.at(-1)
    if (kind === 'def') {
      if ((around?.collects ?? true) && name.startsWith('test')) tests++
      open.push({ indent: space.length, inFunction: true, collects: false })
      continue
    }
    const bases = rest.match(/[\w.]+/g) ?? []
    const isTest = TEST_CLASS.test(name) || bases.some(b => /Test/.test(b.slice(b.lastIndexOf('.') + 1)) || classes.has(b))
    if (isTest) classes.add(name)
    open.push({ indent: space.length, inFunction: around?.inFunction ?? false, collects: !around?.inFunction && isTest })
  }
  return tests
}

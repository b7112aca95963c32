// The tests of a .bats file, by the two line patterns that bats itself finds them with.

import type { Listed } from '../../runner.ts'

const TEST = /^[ \t]*@test[ \t]+(.*[^ \t])[ \t]+\{(.*)$/
const FUNCTION = /[ \t]*([^ \t()]+)[ \t]*\(?\)?[ \t]+\{[ \t]+#[ \t]*@test[ \t]*$/

/** A title is taken as it is written, without the quotes around it: so bats filters by it, whatever it shows in the end. */
export const testsOf = (file: string, text: string): Listed[] =>
  text.split('\n').flatMap((raw, at) => {
    const line = raw.replaceAll('\r', '')
    const name = (TEST.exec(line) ?? FUNCTION.exec(line))?.[1]?.replace(/^['"]/, '').replace(/['"]$/, '')
    return name === undefined ? [] : [{ id: `${file}::${name}`, file, line: at + 1, name }]
  })

/** An extended regular expression of bash that fits these titles and no other. */
export const exactly = (titles: readonly string[]): string =>
  `^(${[...new Set(titles)].map(t => t.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`

// Which tests of a package to run, in the words of `-test.run`.

/** Every part between slashes is a pattern of its own, and alternatives are told apart before parts are (Go 1.20). */
export const runPattern = (names: readonly string[]): string =>
  [...new Set(names)].map(name => name.split('/').map(part => `^${part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`).join('/')).join('|')

export const topOf = (name: string): string => name.split('/')[0]!

/** The chosen tests as a run would order them by itself, or not: then the order must be laid over. */
export function isOwnOrder(names: readonly string[], known: readonly string[]): boolean {
  const tops = names.map(topOf).filter((top, at, all) => top !== all[at - 1] || names[at] === names[at - 1])
  return new Set(tops).size === tops.length && tops.every((top, at) => at === 0 || known.indexOf(tops[at - 1]!) < known.indexOf(top))
}

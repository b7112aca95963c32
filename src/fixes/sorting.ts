// Putting a folder's entries in order where they are listed.

import type { Assertion, Call, Language, Value } from '../facts/facts.ts'
import type { Edit, Fix } from '../rules/rule.ts'
import { fix, insert, type Sheet } from './edits.ts'

interface Sorter {
  /** The calls whose entries compare with each other. */
  readonly lists: RegExp
  /** Of those, the ones that give names rather than objects. */
  readonly names: RegExp
  readonly sort: (call: Call, sheet: Sheet) => Edit[]
}

const after = (text: string) => (call: Call): Edit[] => [insert(call.span.end, text)]

/** What is awaited is sorted once it is there. */
function sortAwaited(call: Call, { textOf }: Sheet): Edit[] {
  const word = /await\s+$/.exec(textOf({ start: Math.max(0, call.span.start - 20), end: call.span.start }))
  if (call.result !== 'awaited') return after('.sort()')(call)
  return word ? [insert(call.span.start - word[0].length, '('), insert(call.span.end, ').sort()')] : []
}

const SORTERS: Readonly<Partial<Record<Language, Sorter>>> = {
  python: { lists: /(^|\.)(listdir|glob|iglob|rglob|iterdir)$/, names: /(^|\.)(listdir|glob\.glob)$/,
    sort: ({ span }) => [insert(span.start, 'sorted('), insert(span.end, ')')] },
  typescript: { lists: /(^|\.)(readdir|readdirSync)$/, names: /./, sort: sortAwaited },
  java: { lists: /java\.nio\.file\.Files\.(list|walk)$/, names: /$^/, sort: after('.sorted()') },
  bash: { lists: /^find( |$)/, names: /./,
    sort: (call, { textOf }) => (/^\s*\)/.test(textOf({ start: call.span.end, end: call.span.end + 20 })) ? after(' | sort')(call) : []) },
}

/**
 * Sorts the listing. It is safe where the test spells out names that are in the order of sorting already: whenever it passed before,
 * it passes now. An entry that is picked with `next` comes from an iterator, which a sorted list is not.
 */
export function sortListing(sheet: Sheet, origin: Call, { operands }: Assertion): Fix[] {
  const sorter = SORTERS[sheet.facts.language]
  const before = sheet.textOf({ start: Math.max(0, origin.span.start - 12), end: origin.span.start })
  if (!sorter?.lists.test(origin.name) || /\b(next|sorted|set)\($/.test(before) || /withFileTypes/.test(sheet.textOf(origin.span)))
    return []
  const edits = sorter.sort(origin, sheet)
  return edits.length === 0 ? [] : fix('Sort the entries', sorter.names.test(origin.name) && operands.some(inOrder), edits)
}

const inOrder = (value: Value): boolean => {
  const names = value.is === 'group' ? value.of.map(v => (v.is === 'literal' && typeof v.value === 'string' ? v.value : undefined)) : []
  return names.length > 1 && names.every((n, i) => n !== undefined && (i === 0 || names[i - 1]! <= n))
}

// The bits of a text must never deny a word that stands in it.

import { expect, test } from 'vitest'
import { hashesOf, mayHold, wordsOf } from '../src/engine/words.ts'

const has = (text: string, name: string) => mayHold(wordsOf(text), hashesOf(name))

test.each([
  ['open(store)', 'open'],
  ['a.open', 'open'],
  ['$fetch()', '$fetch'],
  ['wait-for-it 3', 'wait-for-it'],
  ['x\nlast', 'last'],
  ['first', 'first'],
  ['naïve open', 'open'],
  ['', ''],
])('%j holds %j', (text, name) => {
  expect(has(text, name)).toBe(true)
})

test.each([['reopen(); opened; _open', 'open'], ['wait for', 'wait-for-it'], ['', 'open']])('%j does not hold %j', (text, name) => {
  expect(has(text, name)).toBe(false)
})

test('of a long text every word is told, and few others are', () => {
  const words = Array.from({ length: 3000 }, (_, i) => `settleOrder${i}`)
  const told = wordsOf(words.join(' = open(); '))
  expect(words.filter(w => !mayHold(told, hashesOf(w)))).toEqual([])
  expect(words.filter(w => mayHold(told, hashesOf(`${w}x`))).length).toBeLessThan(600)
})

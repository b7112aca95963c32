// Bodies of no interest are blanked at equal length; what a rule could act on, and who calls it, stays.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { withoutColdBodies } from '../src/parsers/cold.ts'
import { frontendOf } from '../src/parsers/registry.ts'

const java = (await frontendOf('java')).lexicon!
const rust = (await frontendOf('rust')).lexicon!
const filler = `        var a = 1;\n`.repeat(20)
const hitsOf = (text: string, word: string) => Array.from(text.matchAll(new RegExp(word, 'g')), m => m.index)

test('a body without a hit is blanked, its header stays', () => {
  const text = `class A {\n    @Test void cold() {\n${filler}    }\n    @Test void hot() {\n${filler}        sleep();\n    }\n}\n`
  const out = withoutColdBodies(text, hitsOf(text, 'sleep'), java)
  expect(out).toHaveLength(text.length)
  expect(out).toContain('@Test void cold() {')
  expect(out.match(/var a/g)).toHaveLength(20)
  expect(out.indexOf('sleep();')).toBe(text.indexOf('sleep();'))
})

test('who calls a function with a hit keeps its body', () => {
  const text = `class A {\n    void nap() { sleep(); }\n    @Test void caller() {\n${filler}        nap();\n    }\n    void other() {\n${filler}    }\n}\n`
  const out = withoutColdBodies(text, hitsOf(text, 'sleep'), java)
  expect(out.match(/var a/g)).toHaveLength(20)
  expect(out).toContain('nap();')
})

test('a class behind an annotation with arguments is no body', () => {
  const text = `@ExtendWith(X.class)\nclass A {\n    @Test void cold() {\n${filler}    }\n}\nclass B { void b() { sleep(); } }\n`
  expect(withoutColdBodies(text, hitsOf(text, 'sleep'), java)).toContain('@Test void cold() {')
})

test('braces in strings, characters and comments do not count', () => {
  const text = `class A {\n    void a() {\n        // }\n        var s = "}"; var c = '}'; /* } */\n${filler}        sleep();\n    }\n}\n`
  expect(withoutColdBodies(text, hitsOf(text, 'sleep'), java)).toBe(text)
  const code = `fn a<'a>(x: &'a str) {\n    let c = '{'; let r = r#"{"#;\n${filler}    sleep();\n}\n`
  expect(withoutColdBodies(code, hitsOf(code, 'sleep'), rust)).toBe(code)
})

test('a file whose braces do not match is left alone', () => {
  const text = `class A {\n    void a() {\n${filler}\n`
  expect(withoutColdBodies(text, [], java)).toBe(text)
})

describe.each([['java', 'java-shop'], ['go', 'go-shop'], ['rust', 'rust-shop']] as const)('%s', (language, project) => {
  test('the fixture has the same tests with its bodies blanked', async () => {
    const frontend = await frontendOf(language)
    await frontend.load()
    const root = fileURLToPath(new URL(`../fixtures/${project}`, import.meta.url))
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(f => frontend.extensions.some(e => f.endsWith(e)))
    for (const file of files) {
      const text = readFileSync(join(root, file), 'utf8')
      const titles = (code: string) => frontend.parse(code, { path: file, kind: frontend.kindOf(file), testFunctions: [] }).units.filter(u => u.role.is === 'test' && !/[/]/.test(u.title)).map(u => u.title)
      expect(titles(withoutColdBodies(text, [], frontend.lexicon!)), file).toEqual(titles(text))
    }
  })
})

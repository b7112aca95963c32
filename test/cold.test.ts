// Bodies of no interest are taken out; what a rule could act on, and who calls it, stays, and its place is known.

import { expect, test } from 'vitest'
import { makeScreens } from '../src/engine/screen.ts'
import { withoutColdBodies } from '../src/parsers/cold.ts'
import { frontendOf } from '../src/parsers/registry.ts'
import { rules } from '../src/rules/registry.ts'

const java = (await frontendOf('java')).lexicon!
const go = (await frontendOf('go')).lexicon!
const rust = (await frontendOf('rust')).lexicon!
const filler = `        var a = 1;\n`.repeat(20)
const hitsOf = (text: string, word: string) => Array.from(text.matchAll(new RegExp(word, 'g')), m => m.index)

test('a function without a hit is taken out, with its header', () => {
  const text = `class A {\n    @Test void cold() {\n${filler}    }\n    @Test void hot() {\n${filler}        sleep();\n    }\n}\n`
  const { code: out, placeOf } = withoutColdBodies(text, hitsOf(text, 'sleep'), java)
  expect(out.length).toBeLessThan(text.length)
  expect(out).not.toContain('cold')
  expect(out.match(/var a/g)).toHaveLength(20)
  expect(placeOf(out.indexOf('sleep();'))).toBe(text.indexOf('sleep();'))
  expect(placeOf(out.length)).toBe(text.length)
})

test('who calls a function with a hit keeps its body', () => {
  const text = `class A {\n    void nap() { sleep(); }\n    @Test void caller() {\n${filler}        nap();\n    }\n    void other() {\n${filler}    }\n}\n`
  const { code: out } = withoutColdBodies(text, hitsOf(text, 'sleep'), java)
  expect(out.match(/var a/g)).toHaveLength(20)
  expect(out).toContain('nap();')
})

test('a class behind an annotation with arguments is no body', () => {
  const text = `@ExtendWith(X.class)\nclass A {\n    @Test void cold() {\n${filler}    }\n}\nclass B { void b() { sleep(); } }\n`
  expect(withoutColdBodies(text, hitsOf(text, 'sleep'), java).code).toContain('@ExtendWith(X.class)\nclass A {')
})

test('braces in strings, characters and comments do not count', () => {
  const text = `class A {\n    void a() {\n        // }\n        var s = "}"; var c = '}'; /* } */\n${filler}        sleep();\n    }\n}\n`
  expect(withoutColdBodies(text, hitsOf(text, 'sleep'), java).code).toBe(text)
  const code = `fn a<'a>(x: &'a str) {\n    let c = '{'; let r = r#"{"#;\n${filler}    sleep();\n}\n`
  expect(withoutColdBodies(code, hitsOf(code, 'sleep'), rust).code).toBe(code)
})

test('an annotation with braces goes with its function', () => {
  const text = `class A {\n    @ValueSource(strings = {"a", "b"})\n    void cold(String s) {\n${filler}    }\n    void hot() { sleep(); }\n}\n`
  expect(withoutColdBodies(text, hitsOf(text, 'sleep'), java).code.replace(/\s+/g, ' ')).toBe('class A { void hot() { sleep(); } } ')
})

test('in Go, what stands between two functions stays', () => {
  const text = `package a\n\nvar limit = 5\n\nfunc cold() {\n${filler}}\n\nvar other = 6\n\nfunc hot() { sleep() }\n`
  const { code } = withoutColdBodies(text, hitsOf(text, 'sleep'), go)
  expect(code).toContain('var limit = 5')
  expect(code).toContain('var other = 6')
  expect(code).not.toContain('cold')
})

test('a file whose braces do not match is left alone', () => {
  const text = `class A {\n    void a() {\n${filler}\n`
  expect(withoutColdBodies(text, [], java).code).toBe(text)
})

test('which bodies stay does not go by the rules that are on', async () => {
  const frontend = await frontendOf('go')
  const metas = rules.map(r => r.meta), sleeps = metas.filter(m => m.id === 'fixed-sleep')
  const text = 'func open(t *testing.T) {\n\tos.Setenv("SHOP", "1")\n}\n\nfunc TestA(t *testing.T) {\n\topen(t)\n\ttime.Sleep(time.Second)\n}\n'
  const all = makeScreens(frontend, metas, []), one = makeScreens(frontend, sleeps, [], metas), blind = makeScreens(frontend, sleeps, [])
  const hitsIn = (screens: typeof all) => screens.tests.hits(screens.look(text))
  expect(hitsIn(one)).toEqual(hitsIn(all))
  expect(hitsIn(one)).toContain(text.indexOf('os.Setenv'))
  expect(hitsIn(blind).length).toBeLessThan(hitsIn(one).length)
})

// The sieve must say what the patterns themselves would say, only sooner.

import { describe, expect, test } from 'vitest'
import { alternativesOf, literalPart, literalParts, makeSieve } from '../src/engine/sieve.ts'

describe('the stretch that every match holds', () => {
  test.each([
    ['\\bcurrentTimeMillis\\b', 'currentTimeMillis'],
    ['dir=["\']/tmp/', '/tmp/'],
    ['colou?r', 'colo'],
    ['ab{2}cdef', 'cdef'],
    ['(?:get|set)Port\\(\\d', 'Port('],
    ['\\s+word\\d*', 'word'],
    ['a.b', undefined],
    ['one|another', undefined],
  ])('%s', (pattern, stretch) => expect(literalPart(pattern)).toBe(stretch))
})

describe('the stretches of which every match holds one', () => {
  test.each([
    ['(?:[eE]lapsed|took)\\s*<', ['lapsed', 'took']],
    ['(?:one|an(?:other|y one))\\d', ['one', 'other', 'y one']],
    ['(?:get|set)Port', ['Port']],
    ['[pP](?:ort|ORT)\\w*', ['ort', 'ORT']],
    ['(?:one|ab)\\d', undefined],
    ['(?:one|another)?\\d', undefined],
    ['(?<=one|another)\\d', undefined],
    ['(?!one)\\d', undefined],
    ['(one|another)+', ['one', 'another']],
    ['(?:a|the)(?:cat|dogs)', ['cat', 'dogs']],
  ])('%s', (pattern, stretches) => expect(literalParts(pattern)).toEqual(stretches))
})

test('alternatives are told apart at the top only', () => {
  expect(alternativesOf('a(?:b|c)|[|]d|e\\|f')).toEqual(['a(?:b|c)', '[|]d', 'e\\|f'])
})

describe('a look tells what each pattern matches, and where', () => {
  const patterns = [
    '\\bsleep\\b',
    '\\.get\\b',
    '\\bnow\\b',
    '\\bgo\\b',
    'sleep\\(\\d+\\)',
    '\\bnew\\s+Random\\b',
    '--port\\b',
    '[0-9]{4}',
    'naïve',
    '\\b\\w+Port\\s*=\\s*\\d',
    '(?:[gG]ets?|[nN]ow)\\b',
    'a(?:sleep|ll)\\(',
    '(?:new|sle)\\w*(?:Random|eper)',
  ]
  const texts = [
    '',
    'no',
    'sleep',
    'sleep(10); time.sleep(2)',
    'sleeper asleep sleep_all',
    'now',
    'a.get(x).getAll() .get',
    'new  Random() newRandom',
    'go now and .get 2024 --port 8080',
    'naïve sleep\u{1F600}now',
    'httpPort = 80; asleep(3)',
    'sle\nep sl sleep(',
    'snow now_ now',
  ]
  const sieve = makeSieve(patterns)

  test.each(texts)('%j', text => {
    const look = sieve.look(text)
    for (const pattern of patterns) {
      const number = sieve.numberOf(pattern)
      const matches = new RegExp(pattern).test(text)
      expect([pattern, look.matches(number)]).toEqual([pattern, matches])
      if (matches) expect(look.candidates).toContain(number)
    }
  })
})

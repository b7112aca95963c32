import { describe, expect, test } from 'vitest'
import { fingerprint, lineHasher, lineHashes } from '../src/report/fingerprint.ts'

/** The definition, word by word and slowly: the first 100 units that count, from each line's start. */
function slowLineHashes(text: string): string[] {
  const units: number[] = []
  const starts = [0]
  for (const unit of text.replace(/\r\n|\r/g, '\n').replace(/[ \t]/g, '')) {
    for (let i = 0; i < unit.length; i++) units.push(unit.charCodeAt(i))
    if (unit === '\n') starts.push(units.length)
  }
  units.push(0xffff)
  const counts: Record<string, number> = {}
  return starts.map(start => {
    let hash = 0n
    for (let i = start; i < start + 100; i++) hash = BigInt.asUintN(64, hash * 37n + BigInt(units[i] ?? 0))
    const hex = hash.toString(16)
    counts[hex] = (counts[hex] ?? 0) + 1
    return `${hex}:${counts[hex]}`
  })
}

function* words(letters: readonly string[], length: number): Generator<string> {
  if (length === 0) yield ''
  else for (const letter of letters) for (const rest of words(letters, length - 1)) yield letter + rest
}

describe('the hash of a line', () => {
  // These pairs are what GitHub's own action expects of itself.
  test.each([
    ['', ['c129715d7a2bc9a3:1']],
    [' a\nb\n  \t\tc\n d', ['271789c17abda88f:1', '54703d4cd895b18:1', '180aee12dab6264:1', 'a23a3dc5e078b07b:1']],
    [' hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n', [
      'e9496ae3ebfced30:1',
      'fb7c023a8b9ccb3f:1',
      'ce8ba1a563dcdaca:1',
      'e20e36e16fcb0cc8:1',
      'b3edc88f2938467e:1',
      'c8e28b0b4002a3a0:1',
      'c129715d7a2bc9a3:1',
    ]],
    ['Lorem ipsum dolor sit amet.\n'.repeat(10), [
      'a7f2ff13bc495cf2:1',
      'a7f2ff13bc495cf2:2',
      'a7f2ff13bc495cf2:3',
      'a7f2ff13bc495cf2:4',
      'a7f2ff13bc495cf2:5',
      'a7f2ff13bc495cf2:6',
      'a7f2ff1481e87703:1',
      'a9cf91f7bbf1862b:1',
      '55ec222b86bcae53:1',
      'cc97dc7b1d7d8f7b:1',
      'c129715d7a2bc9a3:1',
    ]],
    ['x = 2\nx = 1\nprint(x)\nx = 3\nprint(x)\nx = 4\nprint(x)\n', [
      'e54938cc54b302f1:1',
      'bb609acbe9138d60:1',
      '1131fd5871777f34:1',
      '5c482a0f8b35ea28:1',
      '54517377da7028d2:1',
      '2c644846cb18d53e:1',
      'f1b89f20de0d133:1',
      'c129715d7a2bc9a3:1',
    ]],
  ])("is GitHub's for %j", (text, expected) => {
    expect(lineHashes(text)).toEqual(expected)
  })

  test('is what the definition says, for every short text of line ends, blanks and letters', () => {
    for (const text of words(['a', ' ', '\n', '\r', '\u{1F600}'], 5))
      expect(lineHashes(text), JSON.stringify(text)).toEqual(slowLineHashes(text))
  })

  test.each([
    ['lines around the window', Array.from({ length: 30 }, (_, i) => 'x'.repeat(85 + i)).join('\n')],
    ['the largest units', '\uffff'.repeat(400) + '\n' + '\uffff'.repeat(400)],
    ['one long line', 'const a = 1;'.repeat(2000)],
    ['hundreds of empty lines', '\n'.repeat(500)],
    [
      'code',
      Array.from({ length: 300 }, (_, i) => `  it('adds ${i * 7919}', () => {\r\n\texpect(add(${i}, 1)).toBe(${i + 1}) // naïve ✓\r\n  })`)
        .join('\r\n'),
    ],
  ])('is what the definition says for %s', (_, text) => {
    expect(lineHashes(text)).toEqual(slowLineHashes(text))
  })

  test('can be asked for single lines, and is empty beyond the last', () => {
    const hashOf = lineHasher('x = 2\nx = 1\n')
    expect([3, 1, 2].map(hashOf)).toEqual([2, 0, 1].map(i => lineHashes('x = 2\nx = 1\n')[i]))
    expect(hashOf(4)).toBe('')
  })

  test('does not change with edits more than a window away', () => {
    const tail = `needle()\n${'filler\n'.repeat(40)}`
    expect(lineHashes(`new\nlines\nabove\n${tail}`)[3]).toBe(lineHashes(tail)[0])
    expect(lineHashes(`${tail}appended`)[0]).toBe(lineHashes(tail)[0])
  })
})

describe('the fingerprint', () => {
  const identity = { ruleId: 'fixed-sleep', file: 'a.py', test: 'test_a', snippet: 'time.sleep(1)', occurrence: 0 }

  test('is 16 hexadecimal digits, the same in every release', () => {
    expect(fingerprint(identity)).toMatchInlineSnapshot(`"d59b09b32f1aba1c"`)
  })

  test('does not count indentation or line breaks', () => {
    expect(fingerprint({ ...identity, snippet: 'wait(\r\n\t\t5,\r\n\t)' })).toBe(fingerprint({ ...identity, snippet: 'wait(\n  5,\n)' }))
  })

  test('differs with each of its parts, and parts do not run into each other', () => {
    const others = [
      { ruleId: 'other' },
      { file: 'b.py' },
      { test: 'test_b' },
      { test: null },
      { test: 'null' },
      { snippet: 'time.sleep(2)' },
      { occurrence: 1 },
      { ruleId: 'fixed-sleepa', file: '.py' },
      { test: 'test_atime', snippet: '.sleep(1)' },
    ].map(change => fingerprint({ ...identity, ...change }))
    expect(new Set([fingerprint(identity), ...others]).size).toBe(others.length + 1)
  })

  test('takes half a surrogate pair', () => {
    expect(fingerprint({ ...identity, snippet: '\ud800' })).toMatch(/^[0-9a-f]{16}$/)
  })
})

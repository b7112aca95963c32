import { describe, expect, test } from 'vitest'
import { applySuppressions, readSuppressions } from '../src/config/suppress.ts'
import type { Comment } from '../src/facts/facts.ts'

const RULES = ['fixed-sleep', 'unseeded-random', 'skipped-test']

/** Comments as a parser would give them: found by their signs, which are stripped. */
function read(text: string) {
  const comments: Comment[] = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:\/\/|#|--)[^\n]*/g)].map(m => ({
    span: { start: m.index, end: m.index + m[0].length },
    text: m[0].replace(/^(?:\/\*+|\/\/+!?|#+|--)/, '').replace(/\*\/$/, '').trim(),
  }))
  return readSuppressions(comments, offset => text.slice(0, offset).split('\n').length, RULES, text.split(/\r?\n/))
}

const shortOf = (text: string) => read(text).suppressions.map(s => `${s.form} ${s.rules.join('+')} ${s.from}-${s.to} ${s.reason}`)
const problemsOf = (text: string) => read(text).problems.map(p => `${p.line} ${p.ruleId}: ${p.message}`)

describe('the forms', () => {
  test.each([
    ['a line', 'a\nsleep 5 # flakesniff-disable-line fixed-sleep -- why\nb', 'line fixed-sleep 2-2 why'],
    ['the next line', '// flakesniff-disable-next-line fixed-sleep -- why not\nsleep(5)', 'next-line fixed-sleep 2-2 why not'],
    ['a file', 'a\nb\n# flakesniff-disable-file fixed-sleep, skipped-test -- why\nc', 'file fixed-sleep+skipped-test 1-4 why'],
    ['a block', 'a\n// flakesniff-disable fixed-sleep -- why\nb\n// flakesniff-enable fixed-sleep\nc', 'block fixed-sleep 2-4 why'],
    ['a block that ends all', 'a\n// flakesniff-disable fixed-sleep -- why\nb\n// flakesniff-enable\nc', 'block fixed-sleep 2-4 why'],
    ['a block without an end', 'a\n// flakesniff-disable fixed-sleep -- why\nb\nc', 'block fixed-sleep 2-4 why'],
    [
      'rules with blanks between them',
      '# flakesniff-disable-next-line fixed-sleep skipped-test,unseeded-random -- why\nx',
      'next-line fixed-sleep+skipped-test+unseeded-random 2-2 why',
    ],
    ['a rule named twice', '# flakesniff-disable-next-line fixed-sleep, fixed-sleep -- why\nx', 'next-line fixed-sleep 2-2 why'],
    ['a reason with dashes', '# flakesniff-disable-next-line fixed-sleep -- a -- b-c\nx', 'next-line fixed-sleep 2-2 a -- b-c'],
  ])('%s', (_, text, expected) => {
    expect(shortOf(text)).toEqual([expected])
    expect(problemsOf(text)).toEqual([])
  })

  test('a block may end rule by rule', () => {
    expect(shortOf('# flakesniff-disable fixed-sleep, skipped-test -- why\na\n# flakesniff-enable skipped-test\nb\n# flakesniff-enable\nc'))
      .toEqual(['block skipped-test 1-3 why', 'block fixed-sleep 1-5 why'])
  })
})

describe('comments of every style', () => {
  test.each([
    ['//', '// flakesniff-disable-next-line fixed-sleep -- why\nx', 2],
    ['///', '/// flakesniff-disable-next-line fixed-sleep -- why\nx', 2],
    ['#', '# flakesniff-disable-next-line fixed-sleep -- why\nx', 2],
    ['/* */', '/* flakesniff-disable-next-line fixed-sleep -- why */\nx', 2],
    ['/** */', '/** flakesniff-disable-next-line fixed-sleep -- why */\nx', 2],
    ['a block of lines', '/*\n * A word before.\n * flakesniff-disable-next-line fixed-sleep -- why\n * and a word after\n */\nx', 6],
    ['with returns', '// flakesniff-disable-next-line fixed-sleep -- why\r\nx\r\n', 2],
  ])('%s', (_, text, line) => {
    expect(shortOf(text)).toEqual([`next-line fixed-sleep ${line}-${line} why`])
  })

  test('a line of a long comment silences its own line', () => {
    expect(shortOf('/* a\n   flakesniff-disable-line fixed-sleep -- why\n*/')).toEqual(['line fixed-sleep 2-2 why'])
  })

  test('signs that a parser left on are no part of it', () => {
    const lines = ['<!-- flakesniff-disable-line fixed-sleep -- why -->']
    expect(readSuppressions([{ span: { start: 0, end: 50 }, text: lines[0]! }], () => 1, RULES, lines).suppressions).toMatchObject([{
      reason: 'why',
    }])
  })

  test('a word about it in a sentence is none', () => {
    expect(read('// write flakesniff-disable-line fixed-sleep -- why\n# see «flakesniff-disable»\n')).toEqual({
      suppressions: [],
      problems: [],
    })
  })
})

test.each([
  ['blank lines', '# flakesniff-disable-next-line fixed-sleep -- why\n\n  \nsleep 1', 4],
  ['comments', '// flakesniff-disable-next-line fixed-sleep -- why\n// that goes on\n/* and\n   on */\nsleep()', 5],
  [
    'another suppression',
    '# flakesniff-disable-next-line fixed-sleep -- why\n# flakesniff-disable-next-line skipped-test -- why\nsleep 1',
    3,
  ],
  ['no code with a comment behind it', '# flakesniff-disable-next-line fixed-sleep -- why\nsleep 1 # long\nsleep 2', 2],
  ['no code after the end of a comment', '// flakesniff-disable-next-line fixed-sleep -- why\n/* a\n */ sleep()\nsleep()', 3],
])('the next line comes after %s', (_, text, line) => {
  expect(read(text).suppressions[0]).toMatchObject({ from: line, to: line })
})

describe('what is wrong with a suppression is reported, and it silences nothing:', () => {
  test.each([
    [
      'no reason',
      '# flakesniff-disable-next-line fixed-sleep\nx',
      '1 suppression-without-reason: a suppression must say why, and silences nothing until it does: flakesniff-disable-next-line fixed-sleep -- why',
    ],
    [
      'an empty reason',
      '# flakesniff-disable-file fixed-sleep --  \nx',
      '1 suppression-without-reason: a suppression must say why, and silences nothing until it does: flakesniff-disable-file fixed-sleep -- why',
    ],
    [
      'an empty reason in a block',
      'a\n/* flakesniff-disable fixed-sleep -- */\nx',
      '2 suppression-without-reason: a suppression must say why, and silences nothing until it does: flakesniff-disable fixed-sleep -- why',
    ],
    [
      'an unknown rule',
      '# flakesniff-disable-next-line fixed-slep -- why\nx',
      '1 unknown-suppression: there is no rule "fixed-slep"; did you mean "fixed-sleep"?',
    ],
    ['no rule', '# flakesniff-disable-next-line -- why\nx', '1 unknown-suppression: a suppression must name its rules'],
    [
      'all rules',
      '# flakesniff-disable-file all -- why\nx',
      '1 unknown-suppression: a suppression must name its rules: «all» is not accepted',
    ],
    ['a star', '# flakesniff-disable * -- why\nx', '1 unknown-suppression: a suppression must name its rules: «all» is not accepted'],
    [
      'an unknown form',
      '# flakesniff-disable-nextline fixed-sleep -- why\nx',
      '1 unknown-suppression: flakesniff-disable-nextline is no form of suppression; did you mean "flakesniff-disable-next-line"?',
    ],
    [
      'an end without a beginning',
      'a\n# flakesniff-enable fixed-sleep\nx',
      '2 unused-suppression: flakesniff-enable ends no block: nothing is disabled here',
    ],
  ])('%s', (_, text, expected) => {
    expect(problemsOf(text)).toEqual([expected])
    expect(shortOf(text)).toEqual([])
  })

  test('an unknown rule beside a known one costs only itself', () => {
    const text = '# flakesniff-disable-next-line fixed-sleep, nonsense-rule -- why\nx'
    expect(shortOf(text)).toEqual(['next-line fixed-sleep 2-2 why'])
    expect(problemsOf(text)).toEqual(['1 unknown-suppression: there is no rule "nonsense-rule"'])
  })

  test('an unknown rule does not end the blocks of others', () => {
    const text = '# flakesniff-disable fixed-sleep -- why\na\n# flakesniff-enable fixd-sleep\nb'
    expect(shortOf(text)).toEqual(['block fixed-sleep 1-4 why'])
    expect(problemsOf(text)).toEqual(['3 unknown-suppression: there is no rule "fixd-sleep"; did you mean "fixed-sleep"?'])
  })
})

describe('applied to findings', () => {
  const at = (startLine: number, ruleId = 'fixed-sleep', endLine = startLine) => ({ ruleId, startLine, endLine })

  test('they silence their rules on their lines, with the reason', () => {
    const { suppressions } = read('# flakesniff-disable-next-line fixed-sleep -- why\nx\nx')
    const findings = [at(2), at(2, 'skipped-test'), at(3)]
    expect(applySuppressions(findings, suppressions)).toEqual({
      kept: [findings[1], findings[2]],
      suppressed: [{ ...findings[0], suppressed: { reason: 'why' } }],
      unused: [],
    })
  })

  test('a finding over several lines counts where it begins', () => {
    const { suppressions } = read('x\nx # flakesniff-disable-line fixed-sleep -- why\nx')
    expect(applySuppressions([at(2, 'fixed-sleep', 3), at(1, 'fixed-sleep', 2)], suppressions)).toMatchObject({
      kept: [at(1, 'fixed-sleep', 2)],
      suppressed: [{ startLine: 2 }],
    })
  })

  test('those that silence nothing are told, rule by rule', () => {
    const { suppressions } = read(
      '# flakesniff-disable-file skipped-test -- why\n# flakesniff-disable-next-line fixed-sleep, unseeded-random -- why\nx',
    )
    expect(applySuppressions([at(3)], suppressions).unused.map(u => [u.ruleId, u.line, u.message])).toEqual([
      ['unused-suppression', 1, 'nothing to silence here for skipped-test: remove the suppression'],
      ['unused-suppression', 2, 'nothing to silence here for unseeded-random: remove the suppression'],
    ])
  })

  test('a rule that is off makes none needless', () => {
    const { suppressions } = read('# flakesniff-disable-file skipped-test -- why\nx')
    expect(applySuppressions([], suppressions, id => id !== 'skipped-test').unused).toEqual([])
  })

  test('the narrowest one is used, so that the wider one is seen to be needless', () => {
    const { suppressions } = read('# flakesniff-disable-file fixed-sleep -- wide\n# flakesniff-disable-next-line fixed-sleep -- narrow\nx')
    const { suppressed, unused } = applySuppressions([at(3)], suppressions)
    expect(suppressed).toMatchObject([{ suppressed: { reason: 'narrow' } }])
    expect(unused).toMatchObject([{ line: 1 }])
  })

  test('of two blocks the inner one is used', () => {
    const { suppressions } = read('# flakesniff-disable fixed-sleep -- outer\n# flakesniff-disable fixed-sleep -- inner\nx')
    expect(applySuppressions([at(3)], suppressions).suppressed).toMatchObject([{ suppressed: { reason: 'inner' } }])
  })
})

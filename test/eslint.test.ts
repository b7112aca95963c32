// The ESLint plugin and its languages, in the ESLint of our own devDependencies; test/e2e has the others.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Linter, RuleTester, type ESLint, type Rule } from 'eslint'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { SUPPRESSION_RULES, rules, type Finding } from '../src/index.ts'
import { LANGUAGES, frontendOf } from '../src/parsers/registry.ts'
import type { Context } from '../src/surfaces/eslint/analysis.ts'
import flakesniff from '../src/surfaces/eslint/index.ts'
import bash from '../src/surfaces/eslint/languages/bash.ts'
import go from '../src/surfaces/eslint/languages/go.ts'
import java from '../src/surfaces/eslint/languages/java.ts'
import python from '../src/surfaces/eslint/languages/python.ts'
import rust from '../src/surfaces/eslint/languages/rust.ts'
import typescript from '../src/surfaces/eslint/languages/typescript.ts'
import { descriptorsOf } from '../src/surfaces/eslint/report.ts'

const SLEEPY = {
  js:
    "import { setTimeout as sleep } from 'node:timers/promises'\n\ntest('a', async () => {\n  await sleep(1000)\n  expect(job.done).toBe(true)\n})\n",
  ts:
    "import { setTimeout as sleep } from 'node:timers/promises'\n\ntest('a', async (): Promise<void> => {\n  await sleep(1000)\n  expect(job.done).toBe(true)\n})\n",
  py: 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n',
  java:
    'import org.junit.jupiter.api.Test;\n\nclass ATest {\n    @Test\n    void a() throws Exception {\n        Thread.sleep(1000);\n        org.junit.jupiter.api.Assertions.assertTrue(job.done());\n    }\n}\n',
  go:
    'package a\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestA(t *testing.T) {\n\ttime.Sleep(time.Second)\n\tif !job.Done() {\n\t\tt.Fatal("no")\n\t}\n}\n',
  rs: '#[test]\nfn a() {\n    std::thread::sleep(std::time::Duration::from_secs(1));\n    assert!(job().done());\n}\n',
  bats: '@test "a" {\n  start_job\n  sleep 1\n  [ -f done ]\n}\n',
}
/** More than high confidence shows. */
const GUESSED = "test('a', async () => {\n  await page.waitForTimeout(1000)\n  expect(await page.title()).toBe('x')\n})\n"

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'flakesniff-eslint-'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const all = [flakesniff, python, java, go, rust, bash, typescript]
const everything = (preset: 'recommended' | 'strict' | 'audit' = 'recommended') => all.flatMap(p => p.configs[preset])
const verify = (filename: string, text: string, config: Linter.Config[] = everything(), folder = cwd) =>
  new Linter({ cwd: folder }).verify(text, config, { filename: join(folder, filename) })
const said = (messages: readonly Linter.LintMessage[]) => messages.map(m => `${m.line}:${m.column}-${m.endLine}:${m.endColumn} ${m.ruleId}`)

describe('in every language', () => {
  test.each([
    ['a.test.js', SLEEPY.js, '4:9-4:20'],
    ['a.test.ts', SLEEPY.ts, '4:9-4:20'],
    ['test_a.py', SLEEPY.py, '4:5-4:18'],
    ['ATest.java', SLEEPY.java, '6:9-6:27'],
    ['a_test.go', SLEEPY.go, '9:2-9:25'],
    ['tests/a.rs', SLEEPY.rs, '3:5-3:58'],
    ['a.bats', SLEEPY.bats, '3:3-3:10'],
  ])('%s is linted, at the exact place', (name, text, place) => {
    expect(said(verify(name, text))).toEqual([`${place} flakesniff/fixed-sleep`])
  })

  test.each([
    ['a.test.js', SLEEPY.js, '  await', '//'],
    ['a.test.ts', SLEEPY.ts, '  await', '//'],
    ['test_a.py', SLEEPY.py, '    time', '#'],
    ['ATest.java', SLEEPY.java, '        Thread', '//'],
    ['a_test.go', SLEEPY.go, '\ttime.Sl', '//'],
    ['tests/a.rs', SLEEPY.rs, '    std', '//'],
    ['a.bats', SLEEPY.bats, '  sleep', '#'],
  ])("%s is silenced by ESLint's comments and by ours", (name, text, before, sign) => {
    const above = (comment: string) => verify(name, text.replace(before, `  ${sign} ${comment}\n${before}`))
    expect(said(above('eslint-disable-next-line flakesniff/fixed-sleep -- no event to wait for'))).toEqual([])
    expect(said(above('flakesniff-disable-next-line fixed-sleep -- no event to wait for'))).toEqual([])
    expect(above('flakesniff-disable-next-line fixed-sleep').map(m => m.ruleId).sort()).toEqual([
      'flakesniff/fixed-sleep',
      'flakesniff/suppression-without-reason',
    ])
  })

  test('the globs are the endings that the language has', async () => {
    for (const language of LANGUAGES) {
      const { extensions } = await frontendOf(language)
      const entry = { python, java, go, rust, bash, typescript }[language]
      const ignored = flakesniff.configs.recommended[0]!.ignores!.join()
      const [glob] = entry.configs.recommended[0]!.files as string[]
      const endings = (/\{(.*)\}/.exec(glob!)?.[1] ?? glob!.slice('**/*.'.length)).split(',')
      // JavaScript is ESLint's own.
      expect(endings.map(e => `.${e}`).sort()).toEqual(extensions.filter(e => !/^\.[cm]?jsx?$/.test(e)).sort())
      if (language !== 'typescript') { for (const ending of endings) expect(ignored).toMatch(new RegExp(`\\b${ending}\\b`)) }
    }
  })
})

describe('comments in the other languages', () => {
  test('what is in a string is none, and an order that nobody needs is reported', () => {
    const text =
      `TEXT = "# eslint-disable-line flakesniff/fixed-sleep"\n# eslint-disable-next-line flakesniff/fixed-sleep\nx = 1\n${SLEEPY.py}`
    const config = everything().map(c => ({ ...c, linterOptions: { reportUnusedDisableDirectives: 'error' as const } }))
    expect(verify('test_a.py', text, config).map(m => `${m.line}:${m.column} ${m.ruleId} ${m.message}`)).toEqual([
      "2:1 null Unused eslint-disable directive (no problems were reported from 'flakesniff/fixed-sleep').",
      expect.stringMatching(/^7:5 flakesniff\/fixed-sleep waits/),
    ])
    const { output } = new Linter({ cwd }).verifyAndFix(text, config, { filename: join(cwd, 'test_a.py') })
    expect(output.split('\n').slice(0, 3)).toEqual([
      'TEXT = "# eslint-disable-line flakesniff/fixed-sleep"',
      expect.stringMatching(/^\s*$/),
      'x = 1',
    ])
  })

  test('set the level of a rule for a file', () => {
    expect(verify('test_a.py', `# eslint flakesniff/fixed-sleep: "error"\n${SLEEPY.py}`)).toMatchObject([{
      ruleId: 'flakesniff/fixed-sleep',
      severity: 2,
    }])
    expect(verify('test_a.py', `# eslint flakesniff/fixed-sleep: [\n${SLEEPY.py}`).map(m => m.message)[0]).toMatch(/Failed to parse JSON/)
  })

  test('disable a stretch', () => {
    const text = `# eslint-disable flakesniff/fixed-sleep\n${SLEEPY.py}# eslint-enable flakesniff/fixed-sleep\n${
      SLEEPY.py.replace('test_a', 'test_b')
    }`
    expect(said(verify('test_a.py', text))).toEqual(['11:5-11:18 flakesniff/fixed-sleep'])
  })
})

describe('places', () => {
  test.each([
    ['test_a.py', SLEEPY.py.replaceAll('\n', '\r\n'), '4:5-4:18'],
    ['test_a.py', `\uFEFF${SLEEPY.py}`, '4:5-4:18'],
    ['test_a.py', SLEEPY.py.replace('    time', '    "é𝒳"; time'), '4:12-4:25'],
    // ESLint counts lines by these signs in JavaScript, we by line feeds.
    ['a.test.js', `/* \u2028 */\r${SLEEPY.js}`, '6:9-6:20'],
    ['a.test.js', `#!/usr/bin/env node\n${SLEEPY.js}`, '5:9-5:20'],
  ])('%s with %j', (name, text, place) => {
    expect(said(verify(name, text))).toEqual([`${place} flakesniff/fixed-sleep`])
  })

  test.each([['test_a.py', ''], ['test_a.py', '\n\n'], ['test_a.py', 'def test_a(:\n  time.sleep(1'], ['a.bats', '@test "a" {']])(
    '%s with %j is no trouble',
    (name, text) => {
      expect(said(verify(name, text))).toEqual([])
    },
  )
})

describe('presets', () => {
  test('recommended shows what is sure, strict more, and a rule keeps its preset when only its level is set', () => {
    const shown = (...config: Linter.Config[]) => verify('a.test.js', GUESSED, config).map(m => m.ruleId)
    const sure = shown(...flakesniff.configs.recommended), guessed = shown(...flakesniff.configs.strict)
    expect(guessed.length).toBeGreaterThan(sure.length)
    const [rule] = guessed.filter(id => !sure.includes(id))
    expect(shown(...flakesniff.configs.strict, { rules: { [rule!]: 'error' } })).toEqual(guessed)
  })

  test('a rule without a preset follows flakesniff.json, which also turns rules off', () => {
    const folder = join(cwd, 'configured')
    mkdirSync(folder)
    const config: Linter.Config[] = [{
      plugins: { flakesniff },
      rules: Object.fromEntries(Object.keys(flakesniff.rules).map(id => [`flakesniff/${id}`, 'warn'])) as Linter.RulesRecord,
    }]
    const lint = (text: string, using = config) => verify('a.test.js', text, using, folder).map(m => m.ruleId)
    const sure = lint(GUESSED)
    writeFileSync(join(folder, 'flakesniff.json'), '{ "preset": "strict" }')
    // Later than before, however coarse the clock of the disk.
    utimesSync(folder, 1, 1)
    expect(lint(GUESSED).length).toBeGreaterThan(sure.length)
    writeFileSync(join(folder, 'flakesniff.json'), '{ "preset": "strict", "rules": { "fixed-sleep": "off" } }')
    utimesSync(folder, 2, 2)
    expect(lint(SLEEPY.js)).toEqual([])
    expect(lint(SLEEPY.js, flakesniff.configs.recommended)).toEqual([])
  })

  test('a fault in flakesniff.json is told with its place', () => {
    const folder = join(cwd, 'faulty')
    mkdirSync(folder)
    writeFileSync(join(folder, 'flakesniff.json'), '{ "presett": "strict" }')
    expect(() => verify('a.test.js', SLEEPY.js, everything(), folder)).toThrow(/flakesniff\.json:1:3: .*preset/)
  })

  test('there is an ESLint rule for each of ours, with its page', () => {
    expect(Object.keys(flakesniff.rules).sort()).toEqual([...rules.map(r => r.meta.id), ...SUPPRESSION_RULES].sort())
    for (const { meta } of rules) {
      expect(flakesniff.rules[meta.id]!.meta!.docs!.description).toBe(meta.title)
      expect(fileURLToPath(flakesniff.rules[meta.id]!.meta!.docs!.url!)).toMatch(new RegExp(`src/rules/${meta.id}/rule\\.md$`))
    }
    expect(Object.keys(flakesniff.configs.audit[0]!.rules!)).toHaveLength(rules.length + SUPPRESSION_RULES.length)
  })

  test('the types are those that ESLint wants', () => {
    const asPlugin: ESLint.Plugin = flakesniff
    const asConfig: Linter.Config[] = [...flakesniff.configs.recommended, ...python.configs.strict]
    expect(asPlugin.meta?.name).toBe('flakesniff')
    expect(asConfig).toHaveLength(2)
  })
})

describe('reports', () => {
  const ast = { type: 'Program', body: [] }
  const contextOf = (text: string, language?: 'python'): Context & { asked: number } => {
    const context = {
      cwd,
      filename: join(cwd, 'a.test.js'),
      options: [{ preset: 'audit' }],
      asked: 0,
      sourceCode: {
        text,
        ast: language ? { type: 'SourceFile', language } : { ...ast },
        getAllComments: () => (context.asked++, []),
        getLocFromIndex: (index: number) => ({ line: 1, column: index }),
      },
    }
    return context
  }

  test('all rules share one analysis of a file', () => {
    const context = contextOf(SLEEPY.js)
    for (const rule of Object.values(flakesniff.rules)) rule.create(context as unknown as Rule.RuleContext)['Program']!(ast as never)
    expect(context.asked).toBe(1)
  })

  test('safe fixes are fixes, others suggestions, at offsets of the text', () => {
    const region = { startLine: 2, startColumn: 3, endLine: 2, endColumn: 5 }
    const finding: Finding = {
      ruleId: 'unawaited-async',
      severity: 'warning',
      confidence: 'high',
      file: 'a',
      ...region,
      message: 'm',
      test: null,
      trace: [],
      related: [],
      likeness: 'alike',
      fingerprint: '',
      lineHash: '',
      frame: [],
      fixes: [{ title: 'Maybe', safe: false, edits: [{ ...region, text: 'maybe' }] }, {
        title: 'Await the call',
        safe: true,
        edits: [{ ...region, endColumn: 3, text: 'await ' }, { ...region, startLine: 3, endLine: 3, text: '' }],
      }],
    }
    const fixer = { replaceTextRange: (range: [number, number], text: string) => ({ range, text }) } as Rule.RuleFixer
    const { fix, suggest, loc } = descriptorsOf([finding], contextOf('a\r\nbcdefg\r\nhijklm'))[0] as unknown as {
      fix: (f: Rule.RuleFixer) => unknown
      suggest: { desc: string; fix: (f: Rule.RuleFixer) => unknown }[]
      loc: unknown
    }
    expect(loc).toEqual({ start: { line: 1, column: 5 }, end: { line: 1, column: 7 } })
    expect(fix(fixer)).toEqual([{ range: [5, 5], text: 'await ' }, { range: [13, 15], text: '' }])
    expect(suggest.map(s => [s.desc, s.fix(fixer)])).toEqual([['Maybe', [{ range: [5, 7], text: 'maybe' }]]])
  })

  test.each([
    ['test_a.py', SLEEPY.py, '    # flakesniff-disable-next-line fixed-sleep -- \n    time.sleep(1)'],
    ['a_test.go', SLEEPY.go, '\t// flakesniff-disable-next-line fixed-sleep -- \n\ttime.Sleep(time.Second)'],
    ['a.bats', SLEEPY.bats.replaceAll('\n', '\r\n'), '  # flakesniff-disable-next-line fixed-sleep -- \r\n  sleep 1'],
  ])('%s: a comment that silences is suggested in the signs of the language', (name, text, expected) => {
    const [message] = verify(name, text)
    const [suggestion] = message!.suggestions!
    const { range, text: inserted } = suggestion!.fix
    expect(suggestion!.desc).toBe('Silence fixed-sleep here with a comment, and say why')
    expect(text.slice(0, range[0]) + inserted + text.slice(range[1])).toContain(expected)
  })

  test('but not into a line that goes on with the one above', () => {
    const [message] = verify('a.bats', '@test "a" {\n  start_job\n  env A=1 \\\n    sleep 1\n  sleep \\\n  2\n  [ -f done ]\n}\n')
    expect(message?.suggestions?.length ?? 0).toBeLessThan(2)
    const broken = verify('test_a.py', 'import time\n\ndef test_a(job):\n    x = 1 + \\\n        time.sleep(1)\n    assert job.done\n')
    expect(broken[0]!.suggestions ?? []).toEqual([])
  })
})

RuleTester.describe = describe
RuleTester.it = it
RuleTester.itOnly = it.only
const tester = new RuleTester()
const waits = { message: 'waits a fixed 1 s and then asserts: on a slow machine the assertion comes too early' }
const option = [{ preset: 'recommended' }]
tester.run('fixed-sleep', flakesniff.rules['fixed-sleep']!, {
  valid: [
    {
      name: 'in a polling loop',
      filename: 'a.test.js',
      options: option,
      code: SLEEPY.js.replace('  await sleep(1000)', '  while (!job.done) await sleep(1000)'),
    },
    { name: 'in no test', filename: 'src/a.js', options: option, code: SLEEPY.js.replace("test('a', ", 'run(') },
    {
      name: 'silenced with a reason',
      filename: 'a.test.js',
      options: option,
      code: SLEEPY.js.replace('  await', '  // flakesniff-disable-next-line fixed-sleep -- no event to wait for\n  await'),
    },
  ],
  invalid: [{
    filename: 'a.test.js',
    options: option,
    code: SLEEPY.js,
    errors: [{ ...waits, line: 4, column: 9, endLine: 4, endColumn: 20 }],
  }],
})
const pythonTester = new RuleTester({ plugins: { flakesniff }, language: 'flakesniff/python' })
pythonTester.run('fixed-sleep in Python', flakesniff.rules['fixed-sleep']!, {
  valid: [{
    filename: 'test_a.py',
    options: option,
    code: SLEEPY.py.replace('    time.sleep(1)', '    while not job.done:\n        time.sleep(1)'),
  }],
  invalid: [{
    filename: 'test_a.py',
    options: option,
    code: SLEEPY.py,
    errors: [{
      ...waits,
      suggestions: [{
        desc: 'Silence fixed-sleep here with a comment, and say why',
        output: SLEEPY.py.replace('    time', '    # flakesniff-disable-next-line fixed-sleep -- \n    time'),
      }],
    }],
  }],
})

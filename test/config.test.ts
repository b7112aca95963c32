import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Config, isConfigError, levelOf, loadConfig, optionsOf, presetOf } from '../src/config/config.ts'
import { globs } from '../src/discover/globs.ts'
import { nearest } from '../src/config/nearest.ts'

const RULES = ['fixed-sleep', 'unseeded-random', 'skipped-test']

let outer: string, root: string

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'flakesniff-config-'))
  root = join(outer, 'repo')
  mkdirSync(join(root, '.git'), { recursive: true })
})

afterEach(() => rmSync(outer, { recursive: true, force: true }))

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

const load = (from = '', file?: string) => loadConfig(join(root, from), RULES, file)

function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    expect(isConfigError(error)).toBe(true)
    return (error as Error).message
  }
  throw new Error('expected a ConfigError')
}

const faultOf = (text: string, name = 'flakesniff.json') => {
  write({ [name]: text })
  return messageOf(() => load())
}

describe('a configuration', () => {
  const full = {
    preset: 'strict',
    rules: { 'fixed-sleep': 'error', 'skipped-test': { level: 'note', options: { days: 3 } } },
    ignore: ['gen/'],
    include: ['test/**'],
    overrides: [{ files: '*.py', rules: { 'fixed-sleep': 'off' } }],
    failOn: 'never',
    sleeps: ['pause', { name: 'x.nap', language: 'python', arg: 0, unit: 's' }],
    clocks: ['now'],
    waits: [{ name: 'until', arg: 'limit' }],
    serialMarkers: ['alone'],
    testFunctions: [{ name: 'scenario' }],
    batsSequential: { setup: 'a', load: 'b', complete: 'c', environment: 'd', pattern: 'e' },
    maxFileBytes: 10,
    jobs: 2,
  }

  test.each([
    ['flakesniff.json', JSON.stringify(full)],
    ['flakesniff.jsonc', `// why\n${JSON.stringify(full, null, 2).replace(/\n}$/, ',\n}')}`],
    ['.flakesniffrc.json', JSON.stringify({ $schema: './schema.json', ...full })],
    ['flakesniff.yaml', JSON.stringify(full)],
    ['package.json', JSON.stringify({ name: 'x', flakesniff: full })],
  ])('is read from %s', (name, text) => {
    write({ [name]: `\uFEFF${text}` })
    const config = load()
    expect(config).toEqual<Config>({
      file: join(root, name),
      base: root,
      prefix: '',
      preset: 'strict',
      failOn: 'never',
      maxFileBytes: 10,
      jobs: 2,
      rules: { 'fixed-sleep': { level: 'error' }, 'skipped-test': { level: 'note', options: { days: 3 } } },
      ignore: ['gen/'],
      include: ['test/**'],
      overrides: [{ files: ['*.py'], rules: { 'fixed-sleep': { level: 'off' } }, preset: undefined }],
      sleeps: [{ name: 'pause' }, { name: 'x.nap', language: 'python', arg: 0, unit: 's' }],
      clocks: [{ name: 'now' }],
      waits: [{ name: 'until', arg: 'limit' }],
      serialMarkers: [{ name: 'alone' }],
      testFunctions: [{ name: 'scenario' }],
      batsSequential: full.batsSequential,
    })
  })

  test('in YAML says off as people write it', () => {
    write({ 'flakesniff.yml': 'rules:\n  fixed-sleep: off\noverrides:\n  - files: [a.py, b.py]\n    preset: audit\n' })
    expect(load().rules['fixed-sleep']).toEqual({ level: 'off' })
    expect(load().overrides[0]!.files).toEqual(['a.py', 'b.py'])
  })

  test('that is not there, or empty, leaves the defaults', () => {
    expect(load()).toMatchObject({ file: null, base: root, rules: {}, ignore: [], include: null, overrides: [], sleeps: [] })
    write({ 'flakesniff.yaml': '# nothing yet\n', 'package.json': '{"name": "flakesniff"}' })
    expect(load()).toMatchObject({ file: join(root, 'flakesniff.yaml'), rules: {} })
  })

  test('is the nearest upward, and none from above the repository', () => {
    writeFileSync(join(outer, 'flakesniff.json'), '{"jobs": 9}')
    write({ 'a/b/x': '' })
    expect(load('a/b').file).toBeNull()
    write({ 'flakesniff.json': '{"jobs": 1}' })
    expect(load('a/b')).toMatchObject({ jobs: 1, base: root, prefix: 'a/b/' })
    write({ 'a/package.json': '{"flakesniff": {"jobs": 2}}', 'a/b/package.json': '{}' })
    expect(load('a/b')).toMatchObject({ jobs: 2, base: join(root, 'a'), prefix: 'b/' })
  })

  test('outside a repository is looked for in the root alone', () => {
    rmSync(join(root, '.git'), { recursive: true })
    write({ 'flakesniff.json': '{}', 'a/x': '' })
    expect(load('a').file).toBeNull()
  })

  test('may be given by hand, from anywhere', () => {
    write({ 'flakesniff.json': '{"jobs": 1}', 'ci/strict.json': '{"jobs": 2}', 'a/x': '' })
    expect(load('', 'ci/strict.json')).toMatchObject({ jobs: 2, base: root, prefix: '' })
    expect(load('a', '../flakesniff.json')).toMatchObject({ jobs: 1, base: root, prefix: 'a/' })
  })

  test('with keys like those of every object is data all the same', () => {
    expect(faultOf('{"__proto__": {"jobs": 1}, "constructor": 1}')).toContain('unknown key "__proto__"')
    expect(faultOf('{"rules": {"toString": "off"}}')).toContain('unknown rule "toString"')
  })
})

describe('a fault is told with its place, what stands there, and what was expected:', () => {
  test.each([
    ['an unknown key', '{\n  "rulse": {}\n}', 'flakesniff.json:2:3: unknown key "rulse"; did you mean "rules"?'],
    ['a key like no other', '{"zzzzzz": 1}', 'flakesniff.json:1:2: unknown key "zzzzzz"; known keys are "$schema", "preset", "rules"'],
    [
      'an unknown key within',
      '{"batsSequential": {"setpu": "x"}}',
      'flakesniff.json:1:21: unknown key "setpu" in "batsSequential"; did you mean "setup"?',
    ],
    [
      'an unknown rule',
      '{"rules": {"fixed-slep": "off"}}',
      'flakesniff.json:1:12: unknown rule "fixed-slep" in "rules"; did you mean "fixed-sleep"?',
    ],
    ['a rule like no other', '{"rules": {"qqqqqqqq": "off"}}', 'unknown rule "qqqqqqqq" in "rules"; «flakesniff rules» lists them all'],
    [
      'a wrong level',
      '{"rules": {"fixed-sleep": "warn"}}',
      '1:27: "rules.fixed-sleep": expected "off", "note", "warning" or "error", or an object with "level" or "options", received "warn"; did you mean "warning"?',
    ],
    ['a level that is no word', '{"rules": {"fixed-sleep": 2}}', 'or an object with "level" or "options", received 2'],
    [
      'a wrong level within',
      '{"rules": {"fixed-sleep": {"level": "eror"}}}',
      '"rules.fixed-sleep.level": expected "off", "note", "warning" or "error", received "eror"; did you mean "error"?',
    ],
    [
      'options that are none',
      '{"rules": {"fixed-sleep": {"options": []}}}',
      '"rules.fixed-sleep.options": expected an object, received a list',
    ],
    ['rules that are a list', '{"rules": []}', '"rules": expected an object with rule ids for keys, received a list'],
    [
      'a wrong preset',
      '{"preset": "strickt"}',
      '"preset": expected "recommended", "strict" or "audit", received "strickt"; did you mean "strict"?',
    ],
    ['a wrong fail level', '{"failOn": null}', '"failOn": expected "error", "warning", "note" or "never", received null'],
    ['a pattern alone', '{"ignore": "gen/"}', '"ignore": expected a list, each item a string that is not empty, received "gen/"'],
    ['an empty pattern', '{"include": ["a", ""]}', '1:19: "include[1]": expected a string that is not empty, received ""'],
    ['an override for no files', '{"overrides": [{"rules": {}}]}', '1:16: "overrides[0]" lacks the key "files"'],
    [
      'override files of a wrong kind',
      '{"overrides": [{"files": 1}]}',
      '"overrides[0].files": expected a string that is not empty, or a list, each item a string that is not empty, received 1',
    ],
    [
      'overrides that are none',
      '{"overrides": {}}',
      '"overrides": expected a list, each item an object with "files", "rules" or "preset", received an object',
    ],
    ['a name without a name', '{"sleeps": [{"unit": "s"}]}', '"sleeps[0]" lacks the key "name"'],
    [
      'a wrong unit',
      '{"sleeps": [{"name": "x", "unit": "sec"}]}',
      '"sleeps[0].unit": expected "ns", "us", "ms", "s" or "m", received "sec"',
    ],
    ['a duration where there is none', '{"clocks": [{"name": "x", "unit": "s"}]}', 'unknown key "unit" in "clocks[0]"'],
    [
      'a wrong argument',
      '{"waits": [{"name": "x", "arg": -1}]}',
      '"waits[0].arg": expected a whole number, 0 or more, or a string that is not empty, received -1',
    ],
    ['a wrong language', '{"testFunctions": [{"name": "x", "language": "pyhton"}]}', 'received "pyhton"; did you mean "python"?'],
    ['no jobs', '{"jobs": 0}', '"jobs": expected a whole number, 1 or more, received 0'],
    ['half a byte', '{"maxFileBytes": 0.5}', '"maxFileBytes": expected a whole number, 1 or more, received 0.5'],
    ['a key twice', '{"jobs": 1,\n"jobs": 2}', 'flakesniff.json:2:1: the key "jobs" is there twice'],
    ['no object', '[]', 'flakesniff.json:1:1: the configuration: expected an object with "$schema", "preset"'],
    ['a syntax error', '{\n  "jobs" 1\n}', 'flakesniff.json:2:10: not valid JSON: expected ":"'],
    ['an open end', '{"jobs": 1', 'flakesniff.json:1:11: not valid JSON: expected "}"'],
  ])('%s', (_, text, message) => {
    expect(faultOf(text)).toContain(message)
  })

  test('several at once, in their order', () => {
    expect(faultOf('{\n"job": 1,\n"preset": 1,\n"rules": {"x": 1}}').split('\n')).toEqual([
      'flakesniff.json:2:1: unknown key "job"; did you mean "jobs"?',
      'flakesniff.json:3:11: "preset": expected "recommended", "strict" or "audit", received 1',
      'flakesniff.json:4:11: unknown rule "x" in "rules"; «flakesniff rules» lists them all',
    ])
  })

  test.each([
    ['a wrong value', 'jobs: 1\nrules:\n  fixed-sleep: warn\n', 'flakesniff.yaml:3:16: "rules.fixed-sleep": expected'],
    ['no value', 'jobs: 1\nrules:\n', 'flakesniff.yaml:2:7: "rules": expected an object with rule ids for keys, received null'],
    ['a syntax error', 'rules: [\n', 'flakesniff.yaml:2:1: not valid YAML: '],
    ['a key twice', 'jobs: 1\njobs: 2\n', 'flakesniff.yaml:2:1: not valid YAML: '],
    ['an alias', 'ignore: &a [x]\ninclude: *a\n', 'flakesniff.yaml:2:10: aliases are not supported: write the value out'],
    ['a key that is a list', '? [a]\n: 1\n', 'expected a plain key'],
  ])('%s in YAML', (_, text, message) => {
    expect(faultOf(text, 'flakesniff.yaml')).toContain(message)
  })

  test('one in package.json by its own line', () => {
    expect(faultOf('{\n  "name": "x",\n  "flakesniff": {\n    "job": 1\n  }\n}', 'package.json')).toBe(
      'package.json:4:5: unknown key "job"; did you mean "jobs"?',
    )
  })
})

describe('a file that cannot be used is named:', () => {
  test('two of them in one folder', () => {
    write({ 'flakesniff.json': '{}', 'package.json': '{"flakesniff": {}}', 'a/x': '' })
    expect(messageOf(() => load('a'))).toBe('../package.json: there is a configuration in ../flakesniff.json too: keep one of them')
  })

  test('one that is not there', () => {
    expect(messageOf(() => load('', 'nowhere.json'))).toBe('nowhere.json: there is no such file')
  })

  test('a folder', () => {
    write({ 'conf/x': '' })
    expect(messageOf(() => load('', 'conf'))).toBe('conf: is a folder, not a file')
  })

  test('a package.json without our key, given by hand', () => {
    write({ 'package.json': '{}' })
    expect(messageOf(() => load('', 'package.json'))).toBe('package.json: has no key "flakesniff"')
  })

  test('a link out of the repository, whose text must not be shown', () => {
    writeFileSync(join(outer, 'secret'), '{"password": "hunter2"}')
    symlinkSync(join(outer, 'secret'), join(root, 'flakesniff.json'))
    expect(messageOf(() => load())).toBe('flakesniff.json: is a link that leads out of the repository, and was not followed')
  })

  test('but a link within is followed', () => {
    write({ 'conf/flake.json': '{"jobs": 3}' })
    symlinkSync('conf/flake.json', join(root, 'flakesniff.json'))
    expect(load().jobs).toBe(3)
  })

  test('one that is too large', () => {
    expect(faultOf(`{"ignore": ["${'x'.repeat(1024 * 1024)}"]}`)).toBe('flakesniff.json: is too large for a configuration')
  })
})

describe('what holds for a file', () => {
  const config = () => {
    write({
      'flakesniff.json': JSON.stringify({
        preset: 'strict',
        rules: { 'fixed-sleep': 'error', 'skipped-test': { options: { days: 1 } } },
        overrides: [
          { files: '*.bats', rules: { 'fixed-sleep': 'note' }, preset: 'audit' },
          { files: ['app/**', '!app/old/**'], rules: { 'fixed-sleep': 'off', 'skipped-test': { level: 'error', options: { days: 2 } } } },
          { files: 'app/x.bats', preset: 'recommended' },
        ],
      }),
      'app/x': '',
    })
    return load()
  }

  test.each<[string, string, string]>([
    ['fixed-sleep', 'src/a.py', 'error'],
    ['fixed-sleep', 'deep/a.bats', 'note'],
    ['fixed-sleep', 'app/a.bats', 'off'],
    ['fixed-sleep', 'app/old/a.py', 'error'],
    ['skipped-test', 'app/a.py', 'error'],
    ['skipped-test', 'a.py', 'warning'],
    ['unseeded-random', 'app/a.py', 'warning'],
  ])('%s in %s is %s', (rule, path, level) => {
    expect(levelOf(config(), rule, path, 'warning')).toBe(level)
  })

  test('options and presets follow overrides too', () => {
    expect(optionsOf(config(), 'skipped-test', 'app/a.py')).toEqual({ days: 2 })
    expect(optionsOf(config(), 'skipped-test', 'a.py')).toEqual({ days: 1 })
    expect(optionsOf(config(), 'fixed-sleep', 'a.py')).toEqual({})
    expect(presetOf(config(), 'a.py', 'recommended')).toBe('strict')
    expect(presetOf(config(), 'a.bats', 'recommended')).toBe('audit')
    expect(presetOf(config(), 'app/x.bats', 'strict')).toBe('recommended')
  })

  test('is the same when only a part is linted', () => {
    config()
    expect(levelOf(load('app'), 'fixed-sleep', 'a.py', 'warning')).toBe('off')
  })
})

test.each([
  [['*.py'], 'a/b.py', true],
  [['./a/*.py'], 'a/b.py', true],
  [['/a/*.py'], 'a/b.py', true],
  [['a/*.py'], 'x/a/b.py', false],
  [['**/.x/*'], 'a/.x/b', true],
  [['!a.py'], 'b.py', true],
  [['!a.py'], 'x/a.py', false],
  [['{a,b}.py'], 'x/b.py', true],
])('globs %j on %s: %s', (patterns, path, expected) => {
  expect(globs(patterns)(path)).toBe(expected)
})

test.each([['rulse', 'rules'], ['RULES', 'rules'], ['warn', 'warning'], ['jbos', 'jobs'], ['x', undefined], ['', undefined], [
  'ignored',
  'ignore',
], ['jobsite', 'jobs']])('nearest to %j is %j', (word, expected) => {
  expect(nearest(word, ['rules', 'jobs', 'ignore', 'warning'])).toBe(expected)
})

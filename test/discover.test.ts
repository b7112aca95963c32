import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DiscoverOptions, discover, isBinary, isGenerated, isMinified, openable } from '../src/discover/discover.ts'
import { programOf } from '../src/parsers/registry.ts'

let outer: string, root: string

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'flakesniff-discover-'))
  root = join(outer, 'root')
  mkdirSync(root)
})

afterEach(() => rmSync(outer, { recursive: true, force: true }))

function write(files: Record<string, string>, at = root): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, path)), { recursive: true })
    writeFileSync(join(at, path), text)
  }
}

const find = (options: Partial<DiscoverOptions> = {}, paths = ['.']) => discover(paths, { root, ...options })
const pathsOf = (options: Partial<DiscoverOptions> = {}, paths = ['.']) => find(options, paths).files.map(f => f.path)

describe('files', () => {
  test('are those of a known language, sorted by code unit, with size and place', () => {
    write({ 'b.py': '12345', 'a/z.go': '', 'B.rs': '', 'a.java': '', 'readme.md': '', 'x.bats': '', 'ä.ts': '' })
    expect(pathsOf()).toEqual(['B.rs', 'a.java', 'a/z.go', 'b.py', 'x.bats', 'ä.ts'])
    expect(find().files[3]).toEqual({ path: 'b.py', absolute: join(find().files[3]!.absolute), language: 'python', size: 5 })
    expect(readFileSync(find().files[3]!.absolute, 'utf8')).toBe('12345')
  })

  test('are found once, however often they are asked for', () => {
    write({ 'a/b/x.py': '', 'a/y.py': '' })
    expect(pathsOf({}, ['a/b', 'a', '.', 'a/y.py', join(root, 'a')])).toEqual(['a/b/x.py', 'a/y.py'])
  })

  test('and what is left out beside them are counted once', () => {
    write({ 'a/.gitignore': 'x.py\n', 'a/x.py': '', 'a/node_modules/y.py': '' })
    expect(find({}, ['a', '.', 'a']).leftOut).toEqual({ ignored: 1, vendored: 1 })
  })

  test('of a part of the tree keep their paths from the root', () => {
    write({ 'a/x.py': '', 'b/y.py': '' })
    expect(pathsOf({}, ['b'])).toEqual(['b/y.py'])
  })

  test('outside the root are found when asked for', () => {
    write({ 'else/x.py': '' }, outer)
    expect(pathsOf({}, ['../else'])).toEqual(['../else/x.py'])
  })

  test('larger than the limit are left out', () => {
    write({ 'a.py': 'x'.repeat(11), 'b.py': 'x'.repeat(10) })
    expect(find({ maxBytes: 10 })).toMatchObject({ files: [{ path: 'b.py' }], leftOut: { 'too large': 1 } })
  })

  test('are narrowed by include, relative to its base', () => {
    write({ 'src/a.test.ts': '', 'src/a.ts': '', 'test/b.ts': '', 'c.test.ts': '' })
    expect(find({ include: ['*.test.ts', 'test/**'] }).files.map(f => f.path)).toEqual(['c.test.ts', 'src/a.test.ts', 'test/b.ts'])
    expect(find({ include: ['*.test.ts', 'test/**'] }).leftOut).toEqual({ 'not included': 1 })
    expect(discover(['.'], { root: join(root, 'src'), include: ['src/*.test.ts'], base: root }).files.map(f => f.path)).toEqual([
      'a.test.ts',
    ])
  })
})

describe('a script without an extension', () => {
  test.each([
    ['#!/bin/bash', 'bash'],
    ['#!/usr/bin/env bats', 'bash'],
    ['#!/usr/bin/env -S python3 -u', 'python'],
    ['#! /usr/bin/python3.11', 'python'],
    ['#!/usr/bin/env node', 'typescript'],
    ['#!/bin/sh -e', 'bash'],
  ])('%s is %s', (line, language) => {
    write({ run: `${line}\nx\n` })
    expect(find().files).toMatchObject([{ path: 'run', language }])
  })

  test('is also one that ends in .t, as whatever prove runs', () => {
    write({ 'tests/mount.t': '#!/bin/bash\n', 'tests/parse.t': '#!/usr/bin/perl\n', 'tests/notes.txt': '#!/bin/bash\n' })
    expect(pathsOf()).toEqual(['tests/mount.t'])
  })

  test.each(['#!/usr/bin/perl', 'echo bash', '', '#!', '#!/usr/bin/env'])('%j is none of ours', line => {
    write({ run: `${line}\n` })
    expect(pathsOf()).toEqual([])
  })

  test('is read when it is small or can be run', () => {
    write({ large: `#!/bin/sh\n${' '.repeat(20_000)}`, runs: `#!/bin/sh\n${' '.repeat(20_000)}` })
    chmodSync(join(root, 'large'), 0o644)
    chmodSync(join(root, 'runs'), 0o755)
    expect(pathsOf()).toEqual(['runs'])
  })

  test.each([['#!/usr/bin/env -S FOO=1 deno run', 'deno'], ['#!/bin/bash\r\n', 'bash'], ['#!bats', 'bats'], ['bash', undefined]])(
    '%j runs %s',
    (line, program) => {
      expect(programOf(line)).toBe(program)
    },
  )
})

describe('ignore rules', () => {
  test('nest, and a deeper file takes back what a higher one ignores', () => {
    write({
      '.gitignore': '*.gen.py\n/only-here.py\nskipped/\n',
      'a.gen.py': '',
      'only-here.py': '',
      'a/only-here.py': '',
      'a/b.gen.py': '',
      'a/.gitignore': '!b.gen.py\nlocal.py\n',
      'a/deep/local.py': '',
      'local.py': '',
      'a/skipped/x.py': '',
    })
    expect(pathsOf()).toEqual(['a/b.gen.py', 'a/only-here.py', 'local.py'])
    expect(find().leftOut).toEqual({ ignored: 4 })
  })

  test('let a folder in again, and all that lies in it', () => {
    write({ '.gitignore': 'out/\n', 'a/.gitignore': '!out/\n', 'a/out/x.py': '', 'a/out/deep/y.py': '', 'out/z.py': '' })
    expect(pathsOf()).toEqual(['a/out/deep/y.py', 'a/out/x.py'])
  })

  test('cannot take back a file of an ignored folder', () => {
    write({ '.gitignore': 'out/\n!out/x.py\n', 'out/x.py': '' })
    expect(pathsOf()).toEqual([])
  })

  test.each([
    ['*', ['a/x.py', 'x.py'], []],
    ['a/*', ['a/x.py', 'b/a/x.py'], ['b/a/x.py']],
    ['**/a/**', ['a/x.py', 'b/a/x.py', 'b/x.py'], ['b/x.py']],
    ['x.*', ['a/x.py', 'y.py'], ['y.py']],
    ['[xy].py', ['x.py', 'z.py'], ['z.py']],
    ['x?.py', ['x1.py', 'x.py'], ['x.py']],
    ['\\!x.py', ['!x.py', 'x.py'], ['x.py']],
    ['X.py', ['x.py', 'X.py'], ['x.py']],
    ['x.py   ', ['x.py', 'y.py'], ['y.py']],
    ['# x.py', ['x.py'], ['x.py']],
    ['x.py/', ['x.py'], ['x.py']],
  ])('%j keeps of %j only %j', (pattern, all, kept) => {
    for (const folder of ['', 'sub/']) {
      rmSync(root, { recursive: true })
      write({ [`${folder}.gitignore`]: `${pattern}\r\n`, ...Object.fromEntries(all.map(p => [folder + p, ''])) })
      expect(pathsOf()).toEqual(kept.map(p => folder + p))
    }
  })

  test('of folders with odd names hold just there', () => {
    write({
      'a [x]*/.gitignore': 'x.py\n/y/z.py\n',
      'a [x]*/x.py': '',
      'a [x]*/y/z.py': '',
      'a [x]*/y/x.py': '',
      'a xb/x.py': '',
      'a xb/y/z.py': '',
    })
    expect(pathsOf()).toEqual(['a xb/x.py', 'a xb/y/z.py'])
  })

  test('come from the parents up to the top of the repository, and not from above it', () => {
    write({ '.gitignore': 'far.py\n' }, outer)
    write({
      '.git/info/exclude': 'excluded.py\n',
      '.gitignore': 'sub/deep/x.py\ny.py\n',
      'sub/deep/x.py': '',
      'sub/deep/y.py': '',
      'sub/deep/far.py': '',
      'sub/deep/excluded.py': '',
    })
    expect(pathsOf({}, ['sub/deep'])).toEqual(['sub/deep/far.py'])
    expect(discover(['.'], { root: join(root, 'sub/deep') }).files.map(f => f.path)).toEqual(['far.py'])
  })

  test('of our own overrule those of git, wherever they stand', () => {
    write({
      '.gitignore': 'gen/\n',
      '.flakesniffignore': '!gen/\nb.py\n',
      'gen/a.py': '',
      'gen/b.py': '',
      'sub/.gitignore': '!b.py\n',
      'sub/b.py': '',
      'sub/.flakesniffignore': 'c.py',
      'sub/c.py': '',
      'c.py': '',
    })
    expect(pathsOf()).toEqual(['c.py', 'gen/a.py'])
  })

  test('of the configuration speak of its folder', () => {
    write({ 'app/x.py': '', 'app/y.py': '', 'x.py': '' })
    expect(pathsOf({ ignore: ['/x.py', 'app/y.*'] })).toEqual(['app/x.py'])
    expect(discover(['.'], { root: join(root, 'app'), ignore: ['/app/x.py'], base: root }).files.map(f => f.path)).toEqual(['y.py'])
  })

  test('do not hold for a file that is asked for, nor for a folder itself', () => {
    write({ '.gitignore': 'gen/\nx.py\n', 'gen/a.py': '', 'gen/x.py': '', 'x.py': '' })
    expect(pathsOf({}, ['x.py', 'gen/x.py'])).toEqual(['gen/x.py', 'x.py'])
    expect(pathsOf({}, ['gen'])).toEqual(['gen/a.py'])
  })
})

describe('a path that was asked for', () => {
  test('and is of no known language is named', () => {
    write({ 'notes.txt': '' })
    expect(find({}, ['notes.txt'])).toMatchObject({
      files: [],
      leftOut: { 'unknown language': 1 },
      notices: [{ level: 'warning', id: 'left-out', file: 'notes.txt', message: 'is of no language that flakesniff knows' }],
    })
  })

  test('and is not there is an error', () => {
    expect(find({}, ['nowhere.py']).notices).toEqual([{
      level: 'error',
      id: 'unreadable',
      file: 'nowhere.py',
      line: null,
      message: 'cannot be read: no such file or folder',
    }])
  })

  test('and is too large is named', () => {
    write({ 'a.py': '123' })
    expect(find({ maxBytes: 2 }, ['a.py']).notices).toMatchObject([{ id: 'left-out', message: 'has 3 bytes, more than the limit of 2' }])
  })
})

describe('code of others', () => {
  test.each(['node_modules', '.venv', 'site-packages', '__pycache__', '.tox', 'third_party'])('in %s is left out everywhere', name => {
    write({ [`deep/${name}/x.py`]: '' })
    expect(find()).toMatchObject({ files: [], leftOut: { vendored: 1 } })
  })

  test.each(['constructor', 'toString', '__proto__'])('is not what lies in a folder called %s', name => {
    write({ [`deep/${name}/x.py`]: '' })
    expect(find()).toMatchObject({ files: [{ path: `deep/${name}/x.py` }] })
  })

  test.each([
    ['vendor', 'go.mod'],
    ['vendor', 'vendor/modules.txt'],
    ['target', 'Cargo.toml'],
    ['target', 'pom.xml'],
    ['dist', 'package.json'],
    ['build', 'build.gradle'],
    ['build', 'build.gradle.kts'],
    ['venv', 'venv/pyvenv.cfg'],
  ])('in %s is left out with a %s', (name, sign) => {
    write({ [`${name}/x.py`]: '', [`src/${name}/y.py`]: '' })
    const own = [`${name}/x.py`, `src/${name}/y.py`].sort()
    expect(pathsOf()).toEqual(own)
    write({ [sign]: '' })
    expect(pathsOf()).toEqual(own.filter(p => p.startsWith('src/') && sign !== 'go.mod'))
  })

  test('is looked at when our own ignore file says so', () => {
    write({ 'package.json': '{}', 'dist/x.py': '', '.flakesniffignore': '!dist/' })
    expect(pathsOf()).toEqual(['dist/x.py'])
  })

  test('in .git is not even counted', () => {
    write({ '.git/hooks/x.py': '' })
    expect(find()).toMatchObject({ files: [], leftOut: {} })
  })
})

describe('links', () => {
  test('that make a loop end', () => {
    write({ 'a/x.py': '' })
    symlinkSync('..', join(root, 'a/up'))
    symlinkSync('self', join(root, 'a/self'))
    symlinkSync(join(root, 'a'), join(root, 'b'))
    expect(pathsOf()).toEqual(['a/x.py'])
    expect(find().notices).toMatchObject([{ id: 'unreadable', file: 'a/self', message: 'is a link that leads nowhere: too many links' }])
  })

  test('out of the root are not followed', () => {
    write({ 'secret.py': '', 'far/x.py': '' }, outer)
    symlinkSync(join(outer, 'secret.py'), join(root, 'a.py'))
    symlinkSync('../far', join(root, 'b'))
    expect(find()).toMatchObject({
      files: [],
      leftOut: { symlink: 2 },
      notices: [{ id: 'symlink', file: 'a.py' }, { id: 'symlink', file: 'b' }],
    })
    expect(find({}, ['b', 'a.py'])).toMatchObject({
      files: [],
      notices: [{ level: 'warning', id: 'symlink', file: 'a.py' }, { id: 'symlink', file: 'b' }],
    })
  })

  test('are reported by what they lead to', () => {
    write({ 'real/x.py': '', 'real/sub/y.py': '', 'lint/z.py': '' })
    symlinkSync('../real', join(root, 'lint/link'))
    expect(pathsOf({}, ['lint'])).toEqual(['lint/z.py', 'real/sub/y.py', 'real/x.py'])
  })

  test('do not lead around ignore rules', () => {
    write({ '.gitignore': 'gen/\n', 'gen/x.py': '', 'node_modules/m/y.py': '', 'lint/z.py': '' })
    symlinkSync('../gen', join(root, 'lint/a'))
    symlinkSync('../node_modules/m', join(root, 'lint/b'))
    symlinkSync('../gen/x.py', join(root, 'lint/c.py'))
    expect(pathsOf()).toEqual(['lint/z.py'])
  })

  test('to nowhere cost a notice', () => {
    write({ 'x.py': '' })
    symlinkSync('gone', join(root, 'test_gone.py'))
    expect(find()).toMatchObject({
      files: [{ path: 'x.py' }],
      leftOut: { unreadable: 1 },
      notices: [{ level: 'warning', id: 'unreadable', file: 'test_gone.py' }],
    })
  })

  test('do not bring in ignore files', () => {
    write({ rules: '*.py' }, outer)
    write({ 'x.py': '' })
    symlinkSync(join(outer, 'rules'), join(root, '.gitignore'))
    expect(pathsOf()).toEqual(['x.py'])
  })
})

test('a folder too deep to be opened costs a notice', () => {
  // Longer than any system's limit once the halves are joined; each half alone can be made and removed.
  const half = Array.from({ length: 12 }, () => 'd'.repeat(200)).join('/')
  mkdirSync(join(root, 'a', half), { recursive: true })
  mkdirSync(join(root, 'b', half), { recursive: true })
  write({ 'y.py': '' })
  renameSync(join(root, 'b'), join(root, 'a', half, 'b'))
  try {
    expect(find()).toMatchObject({
      files: [{ path: 'y.py' }],
      leftOut: { unreadable: 1 },
      notices: [{ level: 'warning', id: 'unreadable', message: 'cannot be read: the name is too long' }],
    })
  } finally {
    renameSync(join(root, 'a', half, 'b'), join(root, 'b'))
  }
})

describe('names', () => {
  test.each(['a\nb.py', 'a"b\'c.py', 'a\\b.py', ' .py', '-x.py', '..a.py', '#x.py', '\u202Ex.py', 'a\tb.py', '\uFFFD.py'])('%j survives',
    name => {
      write({ [name]: '1', '.gitignore': '*.gen.py\n' })
      expect(find().files).toMatchObject([{ path: name, size: 1 }])
      expect(readFileSync(openable(find().files[0]!), 'utf8')).toBe('1')
    })

  test('that are not UTF-8 can be told apart and opened', () => {
    const raw = (...parts: (string | number)[]) =>
      Buffer.concat([Buffer.from(`${root}/`), ...parts.map(p => (typeof p === 'number' ? Buffer.from([p]) : Buffer.from(p)))])
    mkdirSync(raw('d', 0xe9))
    writeFileSync(raw('d', 0xe9, '/ü', 0xff, '.py'), 'one')
    writeFileSync(raw('d', 0xe9, '/plain.py'), 'two')
    writeFileSync(raw('x', 0xc3, '.py'), 'three')
    expect(find().files.map(f => [f.path, readFileSync(openable(f), 'utf8')])).toEqual([['d\\xE9/plain.py', 'two'], [
      'd\\xE9/ü\\xFF.py',
      'one',
    ], ['x\\xC3.py', 'three']])
  })
})

describe('runner configuration', () => {
  test('is seen', () => {
    const seen = [
      '.cargo/config.toml',
      '.config/nextest.toml',
      '.github/workflows/ci.yml',
      '.gitlab-ci.yml',
      '.mocharc.yml',
      'Cargo.toml',
      'Makefile',
      'build.gradle.kts',
      'jest.config.js',
      'package.json',
      'playwright.config.ts',
      'pom.xml',
      'pyproject.toml',
      'pytest.ini',
      'setup.cfg',
      'src/test/resources/junit-platform.properties',
      'tox.ini',
      'vitest.config.mts',
      'web/vitest.unit.config.ts',
    ]
    write({
      ...Object.fromEntries(seen.map(p => [p, ''])),
      'other/config.toml': '',
      'workflows/ci.yml': '',
      'node_modules/a/package.json': '',
    })
    expect(find().configFiles).toEqual(seen)
  })

  test('of the folders above is seen when a part is linted, up to the top of the repository', () => {
    write({ 'package.json': '' }, outer)
    write({ '.git/HEAD': '', 'package.json': '', '.github/workflows/ci.yml': '', 'a/pytest.ini': '', 'a/b/x.py': '', 'c/pytest.ini': '' })
    const expected = ['.github/workflows/ci.yml', 'a/pytest.ini', 'package.json']
    expect(find({}, ['a/b']).configFiles).toEqual(expected)
    expect(find({}, ['a/b/x.py']).configFiles).toEqual(expected)
    expect(discover(['.'], { root: join(root, 'a') }).configFiles).toEqual(['../.github/workflows/ci.yml', '../package.json', 'pytest.ini'])
  })
})

describe('what a file holds', () => {
  test.each([
    `// BEGIN GENERATED CODE\n// DO NOT EDIT.\n${'x()\n'.repeat(20)}// END GENERATED CODE\n`,
    '// Code generated by protoc-gen-go. DO NOT EDIT.\npackage x',
    '# Generated by Django 4.2 on 2024-01-01\n',
    '/**\n * @generated by codegen\n */',
    '// This file was automatically generated.\n',
    '/* THIS FILE IS AUTO-GENERATED */',
    '#!/bin/sh\n# DO NOT EDIT: made by configure\n',
    '// Autogenerated by Thrift Compiler (0.9)\n',
    'package x;\nimport y;\n\n@javax.annotation.Generated("grpc")\npublic class Z {}',
  ])('%j says that it is generated', text => {
    expect(isGenerated(text)).toBe(true)
  })

  test.each([
    '// Tests of ids generated by the server\n',
    '# checks that the generated code compiles\n',
    'const x = "@generated"\n',
    '// Do not edit the list while it is read\n',
    `${'\n'.repeat(80)}// @generated\n`,
    'def test_generated():\n    pass\n',
    '// A suite for auto-generated names\n',
    `// BEGIN LINT CONFIG\n// DO NOT EDIT. Automatically generated.\n#![allow(x)]\n// END LINT CONFIG\n${'fn a() {}\n'.repeat(20)}`,
  ])('%j does not', text => {
    expect(isGenerated(text)).toBe(false)
  })

  test('minified text has lines that nobody reads', () => {
    expect(isMinified('a=1;'.repeat(500))).toBe(true)
    expect(isMinified(`/* banner */\n${'a=1;'.repeat(3000)}\n`)).toBe(true)
    expect(isMinified('const a = 1\n'.repeat(500))).toBe(false)
    expect(isMinified('a=1;'.repeat(100))).toBe(false)
    expect(isMinified(`${'const a = 1\n'.repeat(2000)}const data = "${'x'.repeat(9000)}"\n`)).toBe(false)
  })

  test('binary files have a zero near the beginning', () => {
    expect(isBinary(Buffer.from([65, 0, 66]))).toBe(true)
    expect(isBinary(Buffer.from('plain ü'))).toBe(false)
    expect(isBinary(Buffer.concat([Buffer.alloc(9000, 65), Buffer.from([0])]))).toBe(false)
  })
})

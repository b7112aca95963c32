// The language server over real pipes, with a real client: diagnostics, hovers, actions, settings, and how it ends.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { editsIn, startClient, type LanguageClient, type Options } from './language-client.ts'

let folder: string
let clients: LanguageClient[] = []
let edits = 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-lsp-'))
})
afterEach(() => {
  for (const { child, connection } of clients) {
    connection.dispose()
    child.kill()
  }
  clients = []
  rmSync(folder, { recursive: true, force: true })
})

async function client(options: Partial<Options> = {}): Promise<LanguageClient> {
  const made = await startClient({ folder, ...options })
  clients.push(made)
  return made
}

/** Each write is later than the one before, however coarse the clock of the disk. */
const write = (path: string, text: string) => {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  edits++
  for (const at of [file, dirname(file)]) utimesSync(at, edits, edits)
}

const PYTHON = 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n'
const LISTING =
  'import os\n\ndef test_a(tmp_path):\n    assert os.listdir(tmp_path) == ["a", "b"]\n    x = 1\n    assert os.listdir(tmp_path / "x") == ["c", "d"]\n'
const SLEEPY = [
  { path: 'test_a.py', id: 'python', sign: '#', line: 3, character: 4, text: PYTHON },
  {
    path: 'a.test.ts',
    id: 'typescript',
    sign: '//',
    line: 3,
    character: 8,
    text:
      "import { setTimeout as sleep } from 'node:timers/promises'\n\ntest('a', async () => {\n  await sleep(1000)\n  expect(job.done).toBe(true)\n})\n",
  },
  {
    path: 'ATest.java',
    id: 'java',
    sign: '//',
    line: 5,
    character: 8,
    text:
      'import org.junit.jupiter.api.Test;\n\nclass ATest {\n    @Test\n    void a() throws Exception {\n        Thread.sleep(1000);\n        org.junit.jupiter.api.Assertions.assertTrue(job.done());\n    }\n}\n',
  },
  {
    path: 'a_test.go',
    id: 'go',
    sign: '//',
    line: 8,
    character: 1,
    text:
      'package a\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestA(t *testing.T) {\n\ttime.Sleep(time.Second)\n\tif !job.Done() {\n\t\tt.Fatal("no")\n\t}\n}\n',
  },
  {
    path: 'a_test.rs',
    id: 'rust',
    sign: '//',
    line: 2,
    character: 4,
    text: '#[test]\nfn a() {\n    std::thread::sleep(std::time::Duration::from_secs(1));\n    assert!(job().done());\n}\n',
  },
  { path: 'a.bats', id: 'bats', sign: '#', line: 2, character: 2, text: '@test "a" {\n  start_job\n  sleep 1\n  [ -f done ]\n}\n' },
]

const at = (line: number, character = 0) => ({ start: { line, character }, end: { line, character } })
const everything = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } }
const applied = (text: string, action: Parameters<typeof editsIn>[0]) =>
  TextDocument.applyEdits(TextDocument.create('file:///a', '', 1, text), [...editsIn(action)])

describe.each(SLEEPY)('$path', ({ path, id, sign, line, character, text }) => {
  test('is told of when it is opened and when it is changed, explained, and silenced with a reason', async () => {
    const c = await client()
    await c.open(path, text, id)
    const first = await c.diagnostics(d => d.uri === c.uri(path))
    expect(first).toMatchObject({
      version: 1,
      diagnostics: [{ code: 'fixed-sleep', source: 'flakesniff', severity: 2, range: { start: { line, character } } }],
    })
    const page = first.diagnostics[0]!.codeDescription!.href
    expect(existsSync(fileURLToPath(page))).toBe(true)

    const hover = await c.hover(path, line, character + 1)
    expect(hover).toContain('**fixed-sleep** (warning, high confidence')
    expect(hover).toContain('### Instead')
    expect(hover).not.toContain('## Examples')
    expect(await c.hover(path, 0, 0)).toBeNull()

    const silence = (await c.actions(path, at(line, character))).find(a => a.title.startsWith('Silence'))!
    expect(silence).toMatchObject({
      kind: 'quickfix',
      diagnostics: [{ code: 'fixed-sleep' }],
      edit: { documentChanges: [{ textDocument: { uri: c.uri(path), version: 1 } }] },
    })
    const silenced = applied(text, silence)
    expect(silenced.split('\n')[line]!.trim()).toBe(`${sign} flakesniff-disable-next-line fixed-sleep --`)

    await c.change(path, 2, [{ text: silenced }])
    expect((await c.diagnostics(d => d.version === 2)).diagnostics.map(d => d.code).sort()).toEqual([
      'fixed-sleep',
      'suppression-without-reason',
    ])
    const end = silenced.split('\n')[line]!.length
    await c.change(path, 3, [{ range: at(line, end), text: 'it says nothing' }])
    expect((await c.diagnostics(d => d.version === 3)).diagnostics).toEqual([])
    expect(await c.end()).toBe(0)
  })
})

describe('edits', () => {
  test('that come in a burst are all obeyed, and the last one is answered; what is told belongs to its version', async () => {
    const c = await client()
    await c.open('test_a.py', PYTHON)
    for (let version = 2; version <= 60; version++) await c.change('test_a.py', version, [{ range: at(0), text: '\n' }])
    const last = await c.diagnostics(d => d.version === 60)
    expect(last.diagnostics).toMatchObject([{ range: { start: { line: 62, character: 4 } } }])
    for (const { version, diagnostics } of c.published) expect(diagnostics[0]!.range.start.line, `version ${version}`).toBe(version! + 2)
    const versions = c.published.map(d => d.version!)
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
  })

  test('are counted in UTF-16, and lines end where the protocol says', async () => {
    const c = await client()
    await c.open('test_a.py', 'import time\r\n\r\ndef test_a(job):\r\n    x = "😀é"; time.sleep(1)\r\n    assert job.done\r\n')
    expect((await c.diagnostics(d => d.version === 1)).diagnostics).toMatchObject([{
      range: { start: { line: 3, character: 15 }, end: { line: 3, character: 28 } },
    }])
    await c.change('test_a.py', 2, [{ range: { start: { line: 3, character: 9 }, end: { line: 3, character: 11 } }, text: '' }])
    expect((await c.diagnostics(d => d.version === 2)).diagnostics).toMatchObject([{ range: { start: { line: 3, character: 13 } } }])
    expect(c.initialized.capabilities.positionEncoding).toBe('utf-16')
    await c.open('a.bats', '# one\rtwo\n@test "a" {\n  start_job\n  sleep 1\n  [ -f done ]\n}\n')
    expect((await c.diagnostics(d => d.uri.endsWith('a.bats'))).diagnostics).toMatchObject([{
      range: { start: { line: 4, character: 2 } },
    }])
  })

  test('that break a file leave the rest of it, and a file of another language alone', async () => {
    const c = await client()
    await c.open('notes.txt', PYTHON)
    await c.open('test_a.py', `${PYTHON}\n\ndef test_b(:\n    ((\n`)
    expect((await c.diagnostics(d => d.uri.endsWith('test_a.py'))).diagnostics).toMatchObject([{ code: 'fixed-sleep' }])
    await c.open('a.test.ts', '\u0000\u0001 `${ <<< test(')
    expect((await c.diagnostics(d => d.uri.endsWith('a.test.ts'))).diagnostics).toEqual([])
    await c.close('notes.txt')
    expect(await c.end()).toBe(0)
    expect(c.published.map(d => d.uri)).not.toContain(c.uri('notes.txt'))
  })

  test('of a file that is too large are not looked at, and the log says so', async () => {
    const c = await client()
    await c.open('test_a.py', `${PYTHON}${'x = 1\n'.repeat(200_000)}`)
    expect((await c.diagnostics(d => d.version === 1)).diagnostics).toEqual([])
    expect(c.logged).toEqual([`${join(folder, 'test_a.py')} is left out: too large`])
  })

  test('end with the document: its diagnostics are taken back', async () => {
    const c = await client()
    await c.open('test_a.py', PYTHON)
    await c.diagnostics(d => d.diagnostics.length === 1)
    await c.close('test_a.py')
    expect(await c.diagnostics(() => true, 1)).toEqual({ uri: c.uri('test_a.py'), diagnostics: [] })
    expect(await c.hover('test_a.py', 3, 5)).toBeNull()
  })

  test('a document without an ending is of the language that its editor says', async () => {
    const c = await client()
    await c.open('job', SLEEPY.find(s => s.id === 'rust')!.text, 'rust')
    expect((await c.diagnostics(d => d.version === 1)).diagnostics).toMatchObject([{ code: 'fixed-sleep' }])
  })
})

describe('a finding', () => {
  test('comes with the way from its source', async () => {
    const c = await client({ initializationOptions: { preset: 'strict' } })
    await c.open('b.test.ts',
      "import { expect, test } from 'vitest'\n\ntest('a', () => {\n  const year = new Date().getFullYear()\n  expect(year).toBe(2026)\n})\n")
    const { diagnostics } = await c.diagnostics(d => d.version === 1)
    expect(diagnostics[0]).toMatchObject({ code: 'wall-clock-in-assertion' })
    expect(diagnostics[0]!.relatedInformation!.map(r => [r.message, r.location.uri, r.location.range.start.line])).toEqual([
      ['the clock is read', c.uri('b.test.ts'), 3],
      ['kept in year', c.uri('b.test.ts'), 3],
      ['and compared', c.uri('b.test.ts'), 4],
    ])
  })

  test('of a comment that silences nothing is shown as unnecessary, and offers no comment to silence it', async () => {
    const c = await client()
    await c.open('test_a.py', PYTHON.replace('    assert', '    # flakesniff-disable-next-line fixed-port -- why\n    assert'))
    const { diagnostics } = await c.diagnostics(d => d.version === 1)
    expect(diagnostics).toMatchObject([{ code: 'fixed-sleep' }, { code: 'unused-suppression', tags: [1] }])
    expect((await c.actions('test_a.py', at(4, 6))).map(a => a.title)).toEqual([])
    expect(await c.hover('test_a.py', 4, 6)).toContain('How to silence a finding')
  })

  test('is told to a plain client without what it does not understand, and its edits without versions', async () => {
    const c = await client({ plain: true })
    await c.open('test_a.py', PYTHON)
    const { diagnostics } = await c.diagnostics(d => d.version === 1)
    expect(Object.keys(diagnostics[0]!).sort()).toEqual(['code', 'message', 'range', 'severity', 'source'])
    expect((await c.actions('test_a.py', at(3, 4)))[0]!.edit!.changes).toHaveProperty([c.uri('test_a.py')])
  })

  test('has its level as severity', async () => {
    write('flakesniff.json',
      '{ "overrides": [{ "files": "e/**", "rules": { "fixed-sleep": "error" } }, { "files": "n/**", "rules": { "fixed-sleep": "note" } }] }')
    const c = await client()
    for (const [path, severity] of [['e/test_a.py', 1], ['test_a.py', 2], ['n/test_a.py', 3]] as const) {
      await c.open(path, PYTHON)
      expect((await c.diagnostics(d => d.uri === c.uri(path))).diagnostics).toMatchObject([{ severity }])
    }
  })
})

describe('actions', () => {
  test('a safe fix is preferred; all of them at once are a source action', async () => {
    const c = await client()
    await c.open('test_a.py', LISTING)
    const [fix, ...rest] = await c.actions('test_a.py', at(3, 6))
    expect(fix).toMatchObject({ title: 'Sort the entries', kind: 'quickfix', isPreferred: true })
    expect(applied(LISTING, fix!)).toBe(LISTING.replace('os.listdir(tmp_path) ', 'sorted(os.listdir(tmp_path)) '))
    expect(rest.map(a => [a.kind, a.isPreferred])).toEqual([['quickfix', undefined], ['source.fixAll.flakesniff', undefined]])
    const both = LISTING.replace('os.listdir(tmp_path) ', 'sorted(os.listdir(tmp_path)) ').replace('os.listdir(tmp_path / "x")',
      'sorted(os.listdir(tmp_path / "x"))')
    for (const only of ['source.fixAll', 'source', 'source.fixAll.flakesniff']) {
      const actions = await c.actions('test_a.py', everything, [only])
      expect(actions.map(a => a.title)).toEqual(['Apply all 2 safe fixes of flakesniff'])
      expect(applied(LISTING, actions[0]!)).toBe(both)
      expect(editsIn(actions[0]!), 'what lies between is left alone').toHaveLength(2)
    }
    expect((await c.actions('test_a.py', everything, ['quickfix'])).map(a => a.kind)).toEqual([
      'quickfix',
      'quickfix',
      'quickfix',
      'quickfix',
    ])
    expect(await c.actions('test_a.py', everything, ['refactor', 'source.organizeImports'])).toEqual([])
  })

  test('a suggestion is offered and not preferred', async () => {
    const c = await client()
    await c.open('a.test.ts', "import { test } from 'vitest'\n\ntest.only('a', () => {\n  check()\n})\n")
    const [suggestion] = await c.actions('a.test.ts', at(2, 1))
    expect(suggestion).toMatchObject({ kind: 'quickfix', diagnostics: [{ code: 'focused-test' }] })
    expect(suggestion).not.toHaveProperty('isPreferred')
    expect(await c.actions('a.test.ts', everything, ['source.fixAll'])).toEqual([])
  })

  test('no comment is offered where it would be none', async () => {
    const c = await client()
    await c.open('a.test.ts',
      "import { setTimeout as sleep } from 'node:timers/promises'\n\ntest('a', async () => {\n  const text = `\n${await sleep(1000)}`\n  expect(job.done).toBe(true)\n})\n")
    expect((await c.diagnostics(d => d.version === 1)).diagnostics).toMatchObject([{ code: 'fixed-sleep', range: { start: { line: 4 } } }])
    expect(await c.actions('a.test.ts', at(4, 10))).toEqual([])
  })

  test('speak of the text as it is now', async () => {
    const c = await client()
    await c.open('test_a.py', LISTING)
    await c.change('test_a.py', 2, [{ range: at(0), text: '\n\n' }])
    const actions = await c.actions('test_a.py', at(5, 6))
    expect(applied(`\n\n${LISTING}`, actions[0]!)).toContain('    assert sorted(os.listdir(tmp_path)) == ["a", "b"]')
    expect(actions[0]!.edit!.documentChanges).toMatchObject([{ textDocument: { version: 2 } }])
  })
})

/** Only the audit speaks of it. */
const READ = 'import time\n\ndef test_a(box):\n    box.stamp(time.time())\n    assert box.full\n'

describe('what decides', () => {
  const codes = (d: { diagnostics: { code?: unknown }[] }) => d.diagnostics.map(x => x.code)

  test('the preset: of the configuration, of the start, of the settings', async () => {
    const quiet = await client()
    await quiet.open('test_a.py', READ)
    const before = codes(await quiet.diagnostics(d => d.version === 1))
    await quiet.configure({ flakesniff: { preset: 'audit' } })
    const after = codes(await quiet.diagnostics(() => true, 1))
    expect(after.length).toBeGreaterThan(before.length)

    const loud = await client({ initializationOptions: { preset: 'audit' } })
    await loud.open('test_a.py', READ)
    expect(codes(await loud.diagnostics(d => d.version === 1))).toEqual(after)

    write('flakesniff.json', '{ "preset": "audit" }')
    const configured = await client()
    await configured.open('test_a.py', READ)
    expect(codes(await configured.diagnostics(d => d.version === 1))).toEqual(after)
  })

  test('settings that the client keeps until it is asked', async () => {
    let preset = 'recommended'
    const c = await client({ settings: () => ({ preset }) })
    await c.open('test_a.py', READ)
    const before = await c.diagnostics(d => d.version === 1)
    preset = 'audit'
    const from = c.published.length
    await c.configure(null)
    expect((await c.diagnostics(d => d.diagnostics.length > before.diagnostics.length, from)).version).toBe(1)
  })

  test('a setting that is none is named, with the way out', async () => {
    const c = await client({ initializationOptions: { preset: 'strickt' } })
    expect(await c.message(() => true)).toMatch(/preset must be one of recommended, strict, audit, and is "strickt".*strict/)
    await c.configure({ flakesniff: { presett: 'strict' } })
    expect(await c.message(m => m.includes('presett'))).toContain('preset')
  })

  test('flakesniff.json, read again when it changes; a fault in it is shown once, with its place', async () => {
    write('flakesniff.json', '{ "rules": { "fixed-sleep": "off" } }')
    const c = await client()
    await c.open('test_a.py', PYTHON)
    expect(codes(await c.diagnostics(() => true))).toEqual([])
    expect(c.registered.map(r => r.method)).toContain('workspace/didChangeWatchedFiles')
    write('flakesniff.json', '{}')
    await c.changed('flakesniff.json')
    expect(codes(await c.diagnostics(() => true, 1))).toEqual(['fixed-sleep'])
    write('flakesniff.json', '{ "presett": "strict" }')
    await c.changed('flakesniff.json')
    expect(await c.message(() => true)).toMatch(/^flakesniff: flakesniff\.json:1:3: .*preset/)
    expect(codes(await c.diagnostics(() => true, 2))).toEqual([])
    await c.change('test_a.py', 2, [{ range: at(0), text: '\n' }])
    await c.diagnostics(d => d.version === 2)
    expect(c.messages).toHaveLength(1)
    write('flakesniff.json', '{}')
    await c.changed('flakesniff.json')
    expect(codes(await c.diagnostics(() => true, 4))).toEqual(['fixed-sleep'])
  })

  test('what a run leaves out is left out: ignored files, and what the baseline accepts', async () => {
    write('flakesniff.json', '{ "ignore": ["golden/"] }')
    write('test_old.py', PYTHON)
    const bin = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))
    expect(spawnSync(process.execPath, [bin, 'baseline'], { cwd: folder, encoding: 'utf8' }).stdout).toContain('1 accepted')
    const c = await client()
    for (const [path, text, expected] of [
      ['golden/test_a.py', PYTHON, []],
      ['test_old.py', PYTHON, []],
      ['test_new.py', PYTHON, ['fixed-sleep']],
      ['node_modules/x/test_a.py', PYTHON, []],
    ] as const) {
      await c.open(path, text)
      expect(codes(await c.diagnostics(d => d.uri === c.uri(path))), path).toEqual(expected)
    }
  })

  test('without a workspace, what lies around the file', async () => {
    mkdirSync(join(folder, '.git'))
    write('flakesniff.json', '{ "rules": { "fixed-sleep": "error" } }')
    const c = await client({ lonely: true })
    await c.open('deep/down/test_a.py', PYTHON)
    expect((await c.diagnostics(() => true)).diagnostics).toMatchObject([{ code: 'fixed-sleep', severity: 1 }])
  })
})

describe('the end', () => {
  test('with no word is a fault, in order it is none', async () => {
    const polite = await client()
    await polite.open('test_a.py', PYTHON)
    expect(await polite.end()).toBe(0)
    const rude = await client()
    const exited = once(rude.child, 'exit')
    await rude.connection.sendNotification('exit')
    expect(await exited).toEqual([1, null])
    const gone = await client()
    const left = once(gone.child, 'exit')
    gone.child.stdin!.end()
    expect(await left).toEqual([1, null])
  })

  test('an option that is none of its own is refused before anything is said', () => {
    const bin = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))
    const run = spawnSync(process.execPath, [bin, 'lsp', '--preset', 'strict'], { cwd: folder, input: '', encoding: 'utf8' })
    expect([run.status, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toContain('--preset has no meaning here')
  })
})

import { describe, expect, test } from 'vitest'
import type { Command, Request } from '../src/confirm/runner.ts'
import { go } from '../src/confirm/runners/go/go.ts'
import { readEvents, recordsOf } from '../src/confirm/runners/go/events.ts'
import { namesIn, packageOf, packagesOf } from '../src/confirm/runners/go/packages.ts'
import { isOwnOrder, runPattern } from '../src/confirm/runners/go/select.ts'
import { playedPlace, type Played } from './played-place.ts'

const event = (ms: number, Action: string, Test: string, Output?: string) =>
  JSON.stringify({ Time: new Date(Date.UTC(2024, 0, 1) + ms).toISOString(), Action, Package: 'x/shop', Test, Output })
const records = (...lines: string[]) => recordsOf(readEvents(lines.join('\n')), 'x/shop', 'exit status 2')

describe('events', () => {
  test('become records in the order of the starts, with exact times', () => {
    expect(
      records(event(0, 'run', 'TestA'), event(7, 'pass', 'TestA'), event(8, 'run', 'TestB'),
        event(9, 'output', 'TestB', '    b_test.go:3: no\n'), event(10, 'fail', 'TestB')),
    ).toEqual([
      { id: 'x/shop.TestA', outcome: 'pass', attempts: 1, setupMs: null, testMs: 7, teardownMs: null },
      { id: 'x/shop.TestB', outcome: 'fail', attempts: 1, setupMs: null, testMs: 2, teardownMs: null, message: '    b_test.go:3: no' },
    ])
  })

  test('the time that a parallel test waits for its turn is not its own', () => {
    expect(records(event(0, 'run', 'TestA'), event(1, 'pause', 'TestA'), event(100, 'cont', 'TestA'), event(104, 'pass', 'TestA')))
      .toMatchObject([{ testMs: 5 }])
  })

  test('a test that took the process with it has failed, one that waited has no record', () => {
    expect(records(event(0, 'run', 'TestA'), event(1, 'pause', 'TestA'), event(2, 'run', 'TestB'), 'not json {')).toMatchObject([
      { id: 'x/shop.TestB', outcome: 'fail', message: 'the process ended during the test (exit status 2)' },
    ])
  })

  test('a test that runs twice has two records', () => {
    expect(
      records(event(0, 'run', 'TestA'), event(1, 'pass', 'TestA'), event(2, 'run', 'TestA'), event(3, 'fail', 'TestA')).map(r => r.outcome),
    ).toEqual(['pass', 'fail'])
  })
})

describe('names', () => {
  test('of subtests are patterns part by part, and mean nothing but themselves', () => {
    expect(runPattern(['TestA', 'TestB/a.b/[c|d]', 'TestA'])).toBe('^TestA$|^TestB$/^a\\.b$/^\\[c\\|d\\]$')
  })

  test('are told from what TestMain prints', () => {
    expect(namesIn('TestMain talks\nTestA\nbegin\nExample\nFuzzX\nok  \tx\t0.1s\nTestÜ\nBenchmarkY\n')).toEqual([
      'TestA',
      'Example',
      'FuzzX',
      'TestÜ',
    ])
  })

  test('belong to the longest import path that fits', () => {
    const packages = ['x.io/a', 'x.io/a.b'].map(path => ({ path, dir: '', files: [] }))
    expect(packageOf('x.io/a.b.TestC/d.e', packages)?.path).toBe('x.io/a.b')
    expect(packageOf('x.io/a.TestC', packages)?.path).toBe('x.io/a')
    expect(packageOf('y.TestC', packages)).toBeUndefined()
  })

  test.each([
    [['A', 'C'], true],
    [['C', 'A'], false],
    [['A', 'A'], false],
    [['B/x', 'B/y', 'C'], true],
    [['B/x', 'A', 'B/y'], false],
    [['B/x', 'B/x'], false],
  ])('%j in the order A B C: %s', (names, own) => expect(isOwnOrder(names, ['A', 'B', 'C'])).toBe(own))
})

test('packages without tests are left out', () => {
  const text = [
    '{\n\t"Dir": "/project/a",\n\t"ImportPath": "x/a"\n}\n',
    '{\n\t"Dir": "/project/b",\n\t"ImportPath": "x/b",\n\t"XTestGoFiles": [\n\t\t"b_test.go"\n\t]\n}\n',
  ].join('')
  expect(packagesOf(text, '/project')).toEqual([{ path: 'x/b', dir: 'b', files: ['b_test.go'] }])
})

describe('a run', () => {
  const LISTING = JSON.stringify({ Dir: '/project/b', ImportPath: 'x/b', TestGoFiles: ['b_test.go'] }, null, 1)
  const FILES = {
    'go.mod': 'module x',
    'b/b_test.go':
      'package b\n\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\n\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}\n',
  }
  const id = (name: string) => ({ id: `x/b.${name}`, file: 'b/b_test.go', name })

  async function played(request: Partial<Request>, answer: (command: Command, place: Played) => object) {
    const place = playedPlace(FILES, (command, p) => {
      if (command.argv[1] === 'list') return { stdout: LISTING }
      if (command.argv[1] === '-test.list') return { stdout: 'TestA\nTestB\n' }
      return command.argv.includes('-c') ? {} : answer(command, p)
    })
    const detection = go.detect(place)!
    const prepared = await go.prepare!(place, detection)
    return {
      place,
      report: await go.run(place, detection, prepared, { tests: null, parallel: false, ...request }),
      listed: await go.list(place, detection, prepared),
    }
  }

  test('compiles once, runs in the folder of the package, and says what a user would type', async () => {
    const { place, report, listed } = await played({ tests: [id('TestB')] },
      () => ({ stdout: [event(0, 'run', 'TestB'), event(1, 'pass', 'TestB')].join('\n') }))
    expect(listed).toEqual([{ id: 'x/b.TestA', name: 'TestA', file: 'b/b_test.go', line: 5 }, {
      id: 'x/b.TestB',
      name: 'TestB',
      file: 'b/b_test.go',
      line: 6,
    }])
    expect(place.commands.filter(c => c.argv.includes('-c'))).toHaveLength(1)
    expect(place.commands.find(c => c.argv[2] === 'test2json')).toMatchObject({
      cwd: 'b',
      argv: expect.arrayContaining(['/temp/go-0.test', '-test.run=^TestB$', '-test.parallel=1']),
    })
    expect(report).toMatchObject({
      records: [{ id: 'x/b.TestB', outcome: 'pass' }],
      command: ['go', 'test', '-count=1', '-v', '-run=^TestB$', '-parallel=1', 'x/b'],
    })
  })

  test('lays the order over the package, and calls the TestMain that is there', async () => {
    const { place } = await played({ tests: [id('TestB'), id('TestA')] }, () => ({}))
    const overlay = JSON.parse(place.files.get('/temp/go-1/overlay.json')!) as { Replace: Record<string, string> }
    expect(place.files.get(overlay.Replace['/project/b/flakesniff_order_test.go']!)).toMatch(/^package b\n[^]*flakesniffTestMain\(m\)/)
    expect(place.files.get(overlay.Replace['/project/b/b_test.go']!)).toContain('func flakesniffTestMain(m *testing.M)')
    expect(place.commands.find(c => c.argv[2] === 'test2json')!.env).toEqual({ FLAKESNIFF_GO_ORDER: 'TestB\nTestA' })
  })

  test('a race is told by the log of the detector', async () => {
    const { report } = await played({ race: true }, (command, place) => {
      place.files.set(`${command.env!['GORACE']!.slice('log_path='.length)}.42`, 'WARNING: DATA RACE')
      return { stdout: event(0, 'run', 'TestA') }
    })
    expect(report.race).toBe(true)
  })

  test('no test that fits is broken, not passed', async () => {
    expect((await played({ tests: [id('TestC')] }, () => ({ stdout: '{"Action":"pass","Package":"x/b"}' }))).report).toMatchObject({
      records: [],
      broken: 'no test of x/b fits the names that were asked for',
    })
    expect((await played({ tests: [{ id: 'y.TestC', file: null, name: 'TestC' }] }, () => ({}))).report).toMatchObject({
      records: [],
      broken: 'no package here has a test called y.TestC',
    })
  })
})

test('a package that does not build says why', async () => {
  const place = playedPlace({ 'go.mod': '' }, (
    { argv },
  ) => (argv[1] === 'list'
    ? { stdout: '{\n"Dir": "/project",\n"ImportPath": "x",\n"TestGoFiles": ["a_test.go"]\n}\n' }
    : { code: 1, stderr: '# x\n./a_test.go:1:1: undefined: y' }))
  const detection = go.detect(place)!
  await expect(go.list(place, detection, await go.prepare!(place, detection))).rejects.toThrow(
    'x does not build for tests: # x\n./a_test.go:1:1: undefined: y',
  )
})

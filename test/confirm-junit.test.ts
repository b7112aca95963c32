import { describe, expect, test } from 'vitest'
import type { Listed } from '../src/confirm/runner.ts'
import { readEvents, recordsOf } from '../src/confirm/runners/gradle/events.ts'
import { gradle } from '../src/confirm/runners/gradle/gradle.ts'
import { invocationNamed, methodOf, recordsInOrder, withoutIndex } from '../src/confirm/runners/junit.ts'
import { casesIn } from '../src/confirm/runners/junit-xml.ts'
import { nextest } from '../src/confirm/runners/nextest/nextest.ts'
import { surefire } from '../src/confirm/runners/surefire/surefire.ts'
import { playedPlace } from './played-place.ts'

const suite = (...cases: string[]) => `<?xml version="1.0"?><testsuite name="shop.CartTest">${cases.join('')}</testsuite>`
const passing = (name: string) => `<testcase name="${name}" classname="shop.CartTest" time="0.002"/>`
const listed = (...ids: string[]): Listed[] => ids.map(id => ({ id, name: id, file: null }))

describe('an XML report', () => {
  test('tells outcomes, times, and tries that failed before one passed', () => {
    const cases = casesIn(suite(
      passing('a'),
      '<testcase name="b" classname="C" time="1,000.5"><failure message="no &lt;b&gt;">stack</failure><rerunFailure message="no"/></testcase>',
      '<testcase name="c" classname="C"><skipped message="why"/></testcase>',
      '<testcase name="d" classname="C" time="0"><flakyFailure message="once"/></testcase>',
    ))
    expect(cases.map(c => [c.name, c.outcome, c.attempts, c.ms, c.message])).toEqual([
      ['a', 'pass', 1, 2, ''],
      ['b', 'fail', 2, 1_000_500, 'no <b>'],
      ['c', 'skip', 1, null, 'why'],
      ['d', 'pass', 2, 0, 'once'],
    ])
  })

  test('may hold signs that XML forbids', () =>
    expect(casesIn(suite('<testcase name="a&#0;\u0001" classname="C"/>')).map(c => c.name)).toEqual(['a']))
  test('that is cut short says nothing', () => expect(casesIn(suite(passing('a')).slice(0, -8))).toEqual([]))
})

describe('names of JUnit', () => {
  test.each([['C#adds', 'adds'], ['C#adds(String)[2]', 'adds'], ['C#rep()[1]', 'rep'], ['C#adds[0: a.b]', 'adds']])(
    'the method of %s is %s',
    (id, method) => expect(methodOf(id)).toBe(method),
  )
  test.each([['C#adds(String)[2]', 'C#adds(String)'], ['C#rep()[1]', 'C#rep'], ['C#adds', 'C#adds']])('%s is of %s',
    (id, whole) => expect(withoutIndex(id)).toBe(whole))

  test('one invocation can be named, though only its method is listed', () => {
    expect(invocationNamed('C#rep()[2]', listed('C#rep'))).toMatchObject({ id: 'C#rep()[2]', name: 'rep()[2]' })
    expect(invocationNamed('C#other()[2]', listed('C#rep'))).toBeNull()
  })
})

describe('records of JUnit', () => {
  const records = (xml: string, order: string, tests: readonly Listed[] | null, known: readonly Listed[] = []) =>
    recordsInOrder(playedPlace({ '/temp/junit-order': order }), casesIn(xml), { tests, parallel: false }, known).map(r => [r.id, r.outcome])

  test('stand in the order that was noted last', () => {
    expect(records(suite(passing('a'), passing('b')), 'shop.CartTest#a\nshop.CartTest#b\nshop.CartTest#b\nshop.CartTest#a\n', null))
      .toEqual([['shop.CartTest#b', 'pass'], ['shop.CartTest#a', 'pass']])
  })

  test('a method that ran several times has failed where one of them has', () => {
    expect(records(suite(passing('p(int)[1]'), '<testcase name="p(int)[2]" classname="shop.CartTest"><failure/></testcase>'), '', null))
      .toEqual([
        ['shop.CartTest#p(int)[1]', 'pass'],
        ['shop.CartTest#p(int)[2]', 'fail'],
        ['shop.CartTest#p(int)', 'fail'],
      ])
  })

  test('only what was chosen counts, and what we skipped never ran', () => {
    expect(
      records(
        suite(passing('p(int)[1]'),
          '<testcase name="p(int)[2]" classname="shop.CartTest"><skipped message="flakesniff: not chosen"/></testcase>'),
        '',
        listed('shop.CartTest#p(int)[1]'),
      ),
    ).toEqual([['shop.CartTest#p(int)[1]', 'pass']])
    expect(records(suite(passing('a')), '', listed('shop.CartTest#b'))).toEqual([])
  })

  test('a set-up of the class that fails, fails its tests', () => {
    expect(
      records(suite('<testcase name="" classname="shop.CartTest"><error message="no set-up"/></testcase>'), '',
        listed('shop.CartTest#a', 'shop.TillTest#a')),
    ).toEqual([['shop.CartTest#a', 'fail']])
  })
})

describe('a run of Surefire', () => {
  const prepared = { maven: { mvn: 'mvn', args: ['-B'] }, sources: { roots: [], classpath: [] }, jupiter: '/probe', known: new Map() }
  const run = (tests: readonly Listed[], xml: string | undefined) => {
    const place = playedPlace({ 'pom.xml': '', ...(xml !== undefined && { '/temp/reports/example.shop/TEST-shop.CartTest.xml': xml }) },
      () => ({ code: 1, stdout: '[ERROR] Something\n' }))
    return { place, report: surefire.run(place, surefire.detect(place)!, prepared, { tests, parallel: false }) }
  }

  test('asks for methods by name, and narrows where a name is not enough', async () => {
    const { place, report } = run(listed('shop.CartTest#a', 'shop.CartTest#p(int)[2]', 'shop.CartTest$In#b'), suite(passing('a')))
    expect((await report).records.map(r => r.id)).toEqual(['shop.CartTest#a'])
    expect(place.commands[0]!.argv).toEqual(
      expect.arrayContaining([
        '-Dtest=shop.CartTest#a+p,shop.CartTest$In#b',
        '-Djunit.jupiter.extensions.autodetection.enabled=true',
        '-Dflakesniff.reports=/temp/reports',
      ]),
    )
    expect(place.files.get('/temp/junit/chosen')).toBe('shop.CartTest#a\nshop.CartTest#p(int)[2]\nshop.CartTest$In#b\n')
  })

  test('without a report is broken', async () =>
    expect(await run(listed('shop.CartTest#a'), undefined).report).toMatchObject({
      records: [],
      broken: 'no test was reported (exit status 1): Something',
    }))
  test('refuses names that -Dtest has no way to say', async () =>
    expect(await run(listed('shop.CartTest#a+b'), '').report).toMatchObject({
      records: [],
      broken: expect.stringContaining('no way to choose shop.CartTest#a+b'),
    }))
})

describe('a run of nextest', () => {
  const run = (xml: string) => {
    const place = playedPlace({ 'Cargo.toml': '', '.config/nextest.toml': 'retries = 3\n', '/temp/junit.xml': xml },
      () => ({ code: 4, stderr: 'error: no tests to run' }))
    return {
      place,
      report: nextest.run(place, nextest.detect(place)!, { reuse: ['--reuse'], starts: new Map() }, {
        tests: [{ id: 'shop::api a::b', name: 'a::b', file: null }],
        parallel: false,
      }),
    }
  }
  const ran = (output: string) =>
    `<testsuites><testsuite name="shop::api"><testcase name="a::b" classname="shop::api" time="0.1"><system-out>${output}</system-out></testcase></testsuite></testsuites>`

  test('chooses exactly', async () => {
    const { place, report } = run(ran('running 1 test\ntest a::b ... ok\n\ntest result: ok. 1 passed'))
    expect((await report).records).toMatchObject([{ id: 'shop::api a::b', outcome: 'pass' }])
    expect(place.commands[0]!.argv).toContain('(binary_id(=shop::api) & test(=a::b))')
  })

  test('a test that ends its process with 0 is no pass', async () =>
    expect((await run(ran('running 1 test\n')).report).records).toMatchObject([{ outcome: 'fail' }]))
  test('without a report is broken', async () =>
    expect(await run('').report).toMatchObject({ records: [], broken: expect.stringContaining('no tests to run') }))
  test('its retries are named', () =>
    expect(nextest.retries!(run('').place, { reasons: [], folder: '' })).toEqual(['retries = 3 in .config/nextest.toml']))
})

test('events of Gradle become records; a second try shows, and so does a test that took its process along', () => {
  const lines = [
    { e: 'start', type: 'C', name: 'a()' },
    { e: 'end', type: 'C', name: 'a()', outcome: 'FAILURE', ms: 3, message: 'no' },
    { e: 'start', type: 'C', name: 'a()' },
    { e: 'end', type: 'C', name: 'a()', outcome: 'SUCCESS', ms: 4, message: null },
    { e: 'start', type: 'C', name: 'b[x y]' },
  ].map(e => JSON.stringify(e)).join('\n')
  expect(recordsOf(readEvents(lines), 'exit status 1')).toMatchObject([
    { id: 'C#a', outcome: 'pass', attempts: 2, testMs: 4 },
    { id: 'C#b[x y]', outcome: 'fail', message: 'the process ended during the test (exit status 1)' },
  ])
})

describe('Gradle lists by a run, and one that is cut short', () => {
  const SOURCE = `package shop;

public class CartTest {
    @Test(timeout = seconds(2))
    public void adds() throws IOException, InterruptedException {
        add("@Test void none() {");
    }

    @Before
    public void open() {}

    @org.junit.jupiter.api.Test
    void sells() {}
}
`
  const task = {
    e: 'task',
    roots: ['/project/src/test/java'],
    classes: ['shop.CartTest', 'shop.CartTest$Row', 'shop.BaseTest', 'shop.Till'],
  }
  const listedBy = async (...events: object[]) => {
    const place = playedPlace({
      'src/test/java/shop/CartTest.java': SOURCE,
      'src/test/java/shop/BaseTest.java': 'abstract class BaseTest {\n    @Test void runs() {}\n}\n',
      'src/test/java/shop/Till.java': 'class Till { void open() {} }\n',
    }, (command, { files }) => {
      if (command.argv.includes('test')) files.set('/temp/events.jsonl', events.map(e => JSON.stringify(e)).join('\n'))
      return undefined
    })
    const detection = { reasons: [], folder: '' }
    return (await gradle.list(place, detection, await gradle.prepare!(place, detection))).map(t => `${t.id} ${t.file}:${t.line}`)
  }
  const written = ['shop.CartTest#adds src/test/java/shop/CartTest.java:5', 'shop.CartTest#sells src/test/java/shop/CartTest.java:13']

  test('before it told of anything is read in the sources', async () => expect(await listedBy(task)).toEqual(written))
  test('in the midst is, too', async () =>
    expect(await listedBy(task, { e: 'start', type: 'shop.ATest', name: 'ends' })).toEqual(['shop.ATest#ends null:undefined', ...written]))
  test('is believed where it came to its end', async () =>
    expect(
      await listedBy(task, { e: 'start', type: 'shop.ATest', name: 'a' }, {
        e: 'end',
        type: 'shop.ATest',
        name: 'a',
        outcome: 'SUCCESS',
        ms: 1,
        message: null,
      }),
    ).toEqual(['shop.ATest#a null:undefined']))
  test('without a task has nothing to say', async () => expect(listedBy()).rejects.toThrow('no test was reported'))
})

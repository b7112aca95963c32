// The MCP server as a client of the SDK meets it, over a real pipe.

import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { VERSION, rules } from '../src/index.ts'
import { contract } from '../src/surfaces/mcp/tools.ts'
import { codeOf, startServer, type Answer, type Served } from './mcp-client.ts'
import { BIN } from './repository.ts'

const repository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const SLEEPY = 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n'

let scratch: string, folder: string, served: Served
beforeAll(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'flakesniff-mcp-')))
  folder = join(scratch, 'root')
  cpSync(repository('fixtures/python-shop'), join(folder, 'shop'), { recursive: true })
  cpSync(repository('fixtures/trace-python'), join(folder, 'trace'), { recursive: true })
  writeFileSync(join(folder, 'test_a.py'), SLEEPY)
  mkdirSync(join(scratch, 'elsewhere'))
  writeFileSync(join(scratch, 'elsewhere', 'test_b.py'), SLEEPY)
  symlinkSync(join(scratch, 'elsewhere'), join(folder, 'way-out'))
  served = await startServer(folder)
})
afterAll(async () => {
  await served.close()
  rmSync(scratch, { recursive: true, force: true })
})

const cli = (cwd: string, ...args: readonly string[]) =>
  JSON.parse(spawnSync(process.execPath, [BIN, ...args, '--format', 'json'], { cwd, encoding: 'utf8' }).stdout)
const resultOf = ({ envelope }: Answer): any => (envelope.ok ? envelope.result : expect.fail(envelope.error.message))
const failureOf = ({ envelope }: Answer) => (envelope.ok ? expect.fail('it succeeded') : envelope.error)

describe('the contract', () => {
  test('schema/mcp-tools.json is what the source says', async () => {
    await expect(`${JSON.stringify(contract(), null, 2)}\n`).toMatchFileSnapshot(repository('schema/mcp-tools.json'))
  })

  test('initialize tells the name, the version and that there are tools', () => {
    expect(served.client.getServerVersion()).toMatchObject({ name: 'flakesniff', version: VERSION })
    expect(served.client.getServerCapabilities()).toMatchObject({ tools: {} })
    expect(served.client.getInstructions()).toContain('lint')
  })

  test('the newest revision of the protocol, which has no initialize, is served as well', async () => {
    const other = await startServer(folder, [], '2026-07-28')
    expect(other.client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    expect((await other.client.listTools()).tools).toEqual((await served.client.listTools()).tools)
    expect(resultOf(await other.call('lint', { paths: ['.'] }))).toEqual(resultOf(await served.call('lint', { paths: ['.'] })))
    expect(codeOf(await other.call('nothing'))).toBe('UNKNOWN_TOOL')
    await other.close()
  })

  test('tools/list is the snapshot, with the version of the contract; confirm is listed only where it is enabled', async () => {
    const snapshot = JSON.parse(readFileSync(repository('schema/mcp-tools.json'), 'utf8'))
    const listed = await served.client.listTools()
    expect(listed.tools).toEqual(snapshot.tools)
    expect(listed._meta).toMatchObject({ 'flakesniff/schemaVersion': snapshot.schemaVersion })
    const more = await startServer(folder, ['--enable-confirm'])
    expect((await more.client.listTools()).tools).toEqual([...snapshot.tools, ...snapshot.withEnableConfirm])
    await more.close()
  })

  test.each([['rules', {}], ['lint', { paths: ['test_a.py'] }], ['explain', { rule: 'fixed-sleep' }], ['report', { paths: ['shop'] }], [
    'lint',
    {},
  ], ['nothing', {}]])('%s %j is answered by an envelope, the same as data and as text', async (name, given) => {
    const { envelope, text, isError } = await served.call(name, given)
    expect(JSON.parse(text)).toEqual(envelope)
    expect(isError).toBe(!envelope.ok)
    expect(Object.keys(envelope).sort()).toEqual(['_meta', 'ok', envelope.ok ? 'result' : 'error'].sort())
    expect(envelope._meta).toEqual({ schemaVersion: 1, version: VERSION, tool: name, durationMs: expect.any(Number) })
    const valid = new Ajv({ strict: false }).compile(contract().tools[0]!.outputSchema)
    expect(valid(envelope), JSON.stringify(valid.errors)).toBe(true)
  })
})

describe('the tools', () => {
  test.each([[{ paths: ['.'] }, ['.']], [{ paths: ['shop', 'test_a.py'], preset: 'audit' }, ['shop', 'test_a.py', '--preset', 'audit']], [{
    paths: ['trace'],
    preset: 'strict',
  }, ['trace', '--preset', 'strict']]])('lint %j gives what the command prints', async (given, args) => {
    const { schemaVersion, summary, findings, notices } = cli(folder, ...args)
    expect(findings).not.toEqual([])
    expect(resultOf(await served.call('lint', given))).toEqual({ schemaVersion, summary, findings, notices })
  })

  test('lint gives fewer findings where limit says so, and tells how many it left out', async () => {
    const all = resultOf(await served.call('lint', { paths: ['.'] }))
    expect(resultOf(await served.call('lint', { paths: ['.'], limit: 1 }))).toEqual({
      ...all,
      findings: all.findings.slice(0, 1),
      omitted: all.findings.length - 1,
    })
  })

  test('report gives what the command prints, as data and as Markdown', async () => {
    expect(resultOf(await served.call('report', { paths: ['shop'] }))).toEqual({ format: 'json', report: cli(folder, 'report', 'shop') })
    const page = spawnSync(process.execPath, [BIN, 'report', 'shop'], { cwd: folder, encoding: 'utf8' }).stdout
    expect(resultOf(await served.call('report', { paths: ['shop'], format: 'markdown' }))).toEqual({ format: 'markdown', report: page })
  })

  test('rules lists them, explain gives a page', async () => {
    expect(resultOf(await served.call('rules'))).toEqual({ rules: cli(folder, 'rules') })
    const { meta } = rules[0]!
    expect(resultOf(await served.call('explain', { rule: meta.id }))).toMatchObject({
      rule: meta.id,
      title: meta.title,
      page: spawnSync(process.execPath, [BIN, 'explain', meta.id], { encoding: 'utf8' }).stdout,
    })
  })
})

describe('errors', () => {
  test.each([
    ['an unknown argument', 'lint', { paths: ['.'], presett: 'strict' }, 'INVALID_PARAMS', 'did you mean "preset"?'],
    ['a missing argument', 'lint', {}, 'INVALID_PARAMS', 'paths is missing'],
    ['an argument of the wrong type', 'lint', { paths: 'test_a.py' }, 'INVALID_PARAMS', 'paths must be array'],
    ['a word that is none of the choices', 'lint', { paths: ['.'], preset: 'strickt' }, 'INVALID_PARAMS', 'recommended, strict, audit'],
    ['an argument where there are none', 'rules', { category: 'time' }, 'INVALID_PARAMS', 'it takes none'],
    ['an unknown rule', 'explain', { rule: 'fixed-slep' }, 'INVALID_PARAMS', 'fixed-sleep'],
    ['an unknown tool', 'lintt', {}, 'UNKNOWN_TOOL', 'did you mean "lint"?'],
    ['a tool that is off', 'confirm', { test: 'test_a.py:3' }, 'TOOL_DISABLED', '--enable-confirm'],
    ['a path that is not there', 'lint', { paths: ['test_a.py', 'nowhere'] }, 'PATH_NOT_FOUND', 'nowhere'],
    ['a path outside the root', 'lint', { paths: ['../elsewhere'] }, 'PATH_OUTSIDE_ROOT', '--root'],
    ['a path outside the root that is not there', 'lint', { paths: ['../nowhere'] }, 'PATH_OUTSIDE_ROOT', '--root'],
    ['an absolute path outside the root', 'report', { paths: ['/'] }, 'PATH_OUTSIDE_ROOT', '--root'],
    ['a link that leads out', 'lint', { paths: ['way-out/test_b.py'] }, 'PATH_OUTSIDE_ROOT', '--root'],
    ['a path with a NUL', 'lint', { paths: ['a\0b'] }, 'INVALID_PARAMS', 'NUL'],
    ['too little time', 'lint', { paths: ['.'], timeoutMs: 1 }, 'TIMEOUT', 'timeoutMs'],
  ])('are told by a code of their own: %s', async (_, name, given, code, hint) => {
    const answer = await served.call(name, given)
    expect(failureOf(answer).code).toBe(code)
    expect(failureOf(answer).message).toContain(hint)
    expect(failureOf(answer).message).not.toContain('\n    at ')
  })

  test('a fault in the configuration is told with its place', async () => {
    const faulty = join(scratch, 'faulty')
    mkdirSync(faulty)
    writeFileSync(join(faulty, 'flakesniff.json'), '{ "presett": "strict" }')
    const other = await startServer(faulty)
    expect(failureOf(await other.call('lint', { paths: ['.'] }))).toMatchObject({
      code: 'BAD_CONFIGURATION',
      message: expect.stringMatching(/flakesniff\.json:1:3/),
    })
    await other.close()
  })

  test('a second root allows more, and the time limit of the server holds for every call', async () => {
    const other = await startServer(scratch, ['--root', 'root', '--root', 'elsewhere', '--timeout-ms', '1'])
    expect(codeOf(await other.call('lint', { paths: ['../elsewhere/test_b.py'], timeoutMs: 60_000 }))).toBe('TIMEOUT')
    await other.close()
  })

  test.each([[['--root', 'nowhere'], 'is no folder'], [['--max-parallel', '0'], 'whole number'], [['--roott', '.'], '--root'], [
    ['stray'],
    'stray',
  ]])('the command line %j is refused', (args, hint) => {
    const run = spawnSync(process.execPath, [BIN, 'mcp', ...args], { cwd: folder, input: '', encoding: 'utf8' })
    expect(run.status).toBe(2)
    expect(run.stderr).toContain(hint)
    expect(run.stdout).toBe('')
  })
})

/** The SDK's client does not listen any more when it has cancelled a call or ends a server: here every line that comes is kept. */
function startByHand(...args: readonly string[]) {
  const server = spawn(process.execPath, [BIN, 'mcp', ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  let out = ''
  server.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const send = (message: object) => void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } },
  })
  send({ method: 'notifications/initialized' })
  const answers = (): any[] => out.split('\n').slice(0, -1).map(line => JSON.parse(line))
  const answer = async (id: number) => (await vi.waitUntil(() => answers().find(m => m.id === id), { timeout: 20_000, interval: 1 })).result
  return {
    send,
    answers,
    answer,
    kill: () => server.kill('SIGTERM'),
    end: () => void server.stdin.end(),
    exited: new Promise<number | null>(resolve => server.on('exit', resolve)),
  }
}

describe('many calls, and calls that end early', () => {
  test('twenty calls at once with a limit of two: two or more are done, the others refused, none lost', async () => {
    const { findings } = cli(folder, '.')
    const other = await startServer(folder, ['--max-parallel', '2'])
    const answers = await Promise.all(Array.from({ length: 20 }, () => other.call('lint', { paths: ['.'] })))
    const done = answers.filter(a => a.envelope.ok)
    expect(done.length).toBeGreaterThanOrEqual(2)
    expect(answers.filter(a => codeOf(a) === 'OVERLOADED')).toHaveLength(20 - done.length)
    for (const answer of done) expect(resultOf(answer).findings).toEqual(findings)
    expect(codeOf(await other.call('lint', { paths: ['.'] }))).toBe('ok')
    await other.close()
  })

  test('with a limit of one, the second is refused at once, and what needs no work is still answered', async () => {
    const other = await startServer(folder, ['--max-parallel', '1'])
    const order: string[] = []
    const first = other.call('lint', { paths: ['.'] }).then(a => order.push(codeOf(a)))
    const second = other.call('lint', { paths: ['.'] }).then(a => order.push(codeOf(a)))
    const third = other.call('rules').then(a => order.push(`rules ${codeOf(a)}`))
    await Promise.all([first, second, third])
    expect(order).toEqual(['OVERLOADED', 'rules ok', 'ok'])
    await other.close()
  })

  test('a call that its client cancels ends, is answered with CANCELLED, and leaves room for the next', async () => {
    const server = startByHand('--max-parallel', '1')
    server.send({ id: 2, method: 'tools/call', params: { name: 'lint', arguments: { paths: ['.'] } } })
    // Its refusal shows that the call before it is at work.
    server.send({ id: 3, method: 'tools/call', params: { name: 'lint', arguments: { paths: ['.'] } } })
    expect((await server.answer(3)).structuredContent.error.code).toBe('OVERLOADED')
    server.send({ method: 'notifications/cancelled', params: { requestId: 2 } })
    const answer = await server.answer(2)
    expect(answer).toMatchObject({ isError: true, structuredContent: { ok: false, error: { code: 'CANCELLED' } } })
    expect(JSON.parse(answer.content[0].text)).toEqual(answer.structuredContent)
    server.send({ id: 4, method: 'tools/call', params: { name: 'lint', arguments: { paths: ['.'] } } })
    expect((await server.answer(4)).structuredContent.ok).toBe(true)
    expect(server.answers().map(m => m.id)).toEqual([1, 3, 2, 4])
    server.end()
    expect(await server.exited).toBe(0)
  })

  test('the client of the SDK takes a call that it cancelled for ended, and goes on', async () => {
    const other = await startServer(folder, ['--max-parallel', '1'])
    const cancel = new AbortController()
    const cancelled = expect(other.call('lint', { paths: ['.'] }, cancel.signal)).rejects.toThrow()
    expect(codeOf(await other.call('lint', { paths: ['.'] }))).toBe('OVERLOADED')
    cancel.abort()
    await cancelled
    await expect.poll(async () => codeOf(await other.call('lint', { paths: ['.'] })), { timeout: 20_000 }).toBe('ok')
    await other.close()
  })

  test('a server that is asked to end answers what is open with CANCELLED and goes', async () => {
    const server = startByHand()
    // The answer to the later call shows that the earlier one has begun.
    server.send({ id: 2, method: 'tools/call', params: { name: 'lint', arguments: { paths: ['.'] } } })
    server.send({ id: 3, method: 'tools/call', params: { name: 'explain', arguments: { rule: 'fixed-sleep' } } })
    await server.answer(3)
    server.kill()
    expect(await server.exited).toBe(0)
    expect((await server.answer(2)).structuredContent).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
  })

  test('a client that goes away takes the work with it', async () => {
    writeFileSync(join(scratch, 'elsewhere', 'flakesniff.json'), '{ "jobs": 4 }')
    for (let i = 0; i < 50; i++) writeFileSync(join(scratch, 'elsewhere', `test_${i}.py`), SLEEPY.repeat(50))
    const server = spawn(process.execPath, [BIN, 'mcp'], { cwd: join(scratch, 'elsewhere'), stdio: ['pipe', 'ignore', 'ignore'] })
    const exited = new Promise<number | null>(resolve => server.on('exit', resolve))
    server.stdin.write(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"by-hand","version":"1"}}}\n',
    )
    server.stdin.end('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lint","arguments":{"paths":["."]}}}\n')
    expect(await exited).toBe(0)
  })

  test('confirm runs a test where it is enabled, and a cancelled one takes its processes with it', async () => {
    const project = join(scratch, 'confirm')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "name": "a", "type": "module", "scripts": { "test": "node --test" } }')
    writeFileSync(join(project, 'calm.test.js'), "import { test } from 'node:test'\n\ntest('calm', () => {})\n")
    writeFileSync(join(project, 'hangs.test.js'),
      "import { writeFileSync } from 'node:fs'\nimport { test } from 'node:test'\n\ntest('hangs', () => {\n  writeFileSync('pid', String(process.pid))\n  return new Promise(() => setInterval(() => {}, 1000))\n})\n")
    const other = await startServer(project, ['--enable-confirm'])
    const calm = resultOf(await other.call('confirm', { test: 'calm.test.js:3', runs: 2, perturb: ['tz-shift'] }))
    expect(calm).toMatchObject({ schemaVersion: 1, verdict: 'not-reproduced', target: { file: 'calm.test.js' } })
    expect(failureOf(await other.call('confirm', { test: 'nothing.test.js:3' })).code).toBe('CANNOT_CONFIRM')
    expect(failureOf(await other.call('confirm', { test: '../elsewhere/test_b.py:3' })).code).toBe('PATH_OUTSIDE_ROOT')
    expect(failureOf(await other.call('confirm', { test: 'calm.test.js:3', perturb: ['tz-shft'] })).message).toContain('tz-shift')
    const cancel = new AbortController()
    const hangs = expect(other.call('confirm', { test: 'hangs.test.js:4' }, cancel.signal)).rejects.toThrow()
    const pid = join(project, 'pid')
    await expect.poll(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '', { timeout: 40_000 }).toBe(true)
    cancel.abort()
    await hangs
    await expect.poll(() => isThere(Number(readFileSync(pid, 'utf8'))), { timeout: 20_000 }).toBe(false)
    await other.close()
  })
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

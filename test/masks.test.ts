import { describe, expect, test } from 'vitest'
import { readChosen } from '../src/project/chosen.ts'
import { readMasks } from '../src/project/masks.ts'

const masks = (path: string, text: string) =>
  readMasks([{ path, text }]).map(m => `${text.slice(0, m.span.start).split('\n').length} ${m.command} ${m.how}${m.kept ? ' kept' : ''}`)
const chosen = (path: string, text: string) => readChosen([{ path, text }]).map(c => c.how)

describe('what the tests say is dropped', () => {
  test.each<[string, string, string]>([
    ['Makefile', 'test:\n\tbats test/ || true\n', '2 bats test/ || true'],
    ['Makefile', 'test:\n\t-pytest tests\n', '2 pytest tests a dash before it'],
    ['package.json', '{\n  "scripts": { "test": "jest --ci || true" }\n}\n', '2 jest --ci || true'],
    ['.github/workflows/ci.yml', 'steps:\n  - run: pytest -q || true\n', '2 pytest -q || true'],
    [
      '.github/workflows/ci.yml',
      'steps:\n  - run: |\n      cd shop && go test ./... || echo "failed"\n',
      '3 go test ./... || echo "failed"',
    ],
    ['.gitlab-ci.yml', 'unit:\n  script:\n    - cargo test > out.txt || true\n', '3 cargo test > out.txt || true kept'],
  ])('%s %j', (path, text, expected) => {
    expect(masks(path, text)).toEqual([expected])
  })

  test.each<[string, string]>([
    ['Makefile', 'test:\n\tbats test/\n'],
    ['Makefile', 'test:\n\tpip install pytest || true\n'],
    ['Makefile', 'test:\n\tpytest || (echo failed; exit 1)\n'],
    ['Makefile', 'test:\n\tmkdir out || true; pytest\n'],
    ['Makefile', '# pytest || true\n'],
    ['examples/Makefile', 'test:\n\tpytest || true\n'],
  ])('not in %s %j', (path, text) => {
    expect(masks(path, text)).toEqual([])
  })
})

describe('a configuration chooses tests by name', () => {
  test.each<[string, string, string[]]>([
    ['pytest.ini', '[pytest]\naddopts = -ra -k test_login\n', ['-k test_login']],
    ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = ["-q", "-k", "login"]\n', ['-k login']],
    ['.mocharc.yml', 'grep: "login"\n', ['grep: "login"']],
    ['jest.config.js', 'module.exports = {\n  testNamePattern: "login",\n}\n', ['testNamePattern: "login"']],
    ['pytest.ini', '[pytest]\naddopts = -ra -k "not slow"\n', []],
    ['setup.cfg', '[tool:pytest]\naddopts = -m smoke --keep\n', []],
  ])('%s %j', (path, text, expected) => {
    expect(chosen(path, text)).toEqual(expected)
  })
})

import { join } from 'node:path'
import { demand, run } from './run.mjs'

const QUIET = { PYTHONDONTWRITEBYTECODE: '1', PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', PYTEST_ADDOPTS: '' }

export function pytestTests(copy, tools) {
  const python = pythonWithPytest(tools)
  const { stdout } = demand(python, ['-m', 'pytest', '--co', '-q', '-p', 'no:cacheprovider', '--rootdir', copy], { cwd: copy, env: QUIET })
  return stdout.split('\n').filter(line => line.includes('::')).map(pairOf)
}

function pairOf(id) {
  const [path, ...names] = id.replace(/\[.*\]$/, '').split('::')
  return [path, names.join('::')]
}

function pythonWithPytest(tools) {
  if (run('python3', ['-c', 'import pytest']).status === 0) return 'python3'
  const venv = join(tools, 'venv')
  const python = join(venv, 'bin', 'python')
  demand('python3', ['-m', 'venv', venv])
  demand(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'pytest'])
  return python
}

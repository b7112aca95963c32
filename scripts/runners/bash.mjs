import { mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { demand, filesOf, run } from './run.mjs'

const BATS = 'bats@1.13.0'

export function bashTests(copy, tools) {
  return [...batsTests(copy, tools), ...shunit2Tests(copy, tools)]
}

function batsTests(copy, tools) {
  demand('npm', ['install', '--prefix', tools, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', BATS], { cwd: tools })
  const bats = join(tools, 'node_modules', 'bats', 'bin', 'bats')
  return filesOf(copy, /\.bats$/).flatMap(path => {
    const { stdout, stderr } = run(bats, ['-F', 'tap', path], { cwd: copy })
    const titles = [...stdout.matchAll(/^(?:not )?ok \d+ (.*?)(?: # skip.*)?$/gm)].map(match => match[1])
    if (!stdout.startsWith(`1..${titles.length}\n`)) throw new Error(`bats did not finish ${path}\n${stdout}${stderr}`)
    return titles.map(title => [path, title])
  })
}

// shUnit2 says the name of each test on a line of its own before it runs it.
function shunit2Tests(copy, tools) {
  const PATH = [process.env.PATH, ...shunit2Folder(tools)].join(delimiter)
  return filesOf(copy, /_test\.sh$/).flatMap(path => {
    const { stdout, stderr } = run('sh', [path], { cwd: copy, env: { PATH } })
    const titles = stdout.match(/^test\w*$/gm) ?? []
    if (!new RegExp(`^Ran ${titles.length} tests?\\.$`, 'm').test(stdout))
      throw new Error(`shunit2 did not finish ${path}\n${stdout}${stderr}`)
    return titles.map(title => [path, title])
  })
}

function shunit2Folder(tools) {
  if (run('sh', ['-c', 'command -v shunit2']).status === 0) return []
  const folder = join(tools, 'shunit2')
  mkdirSync(folder)
  try {
    demand('dpkg', ['-x', downloaded('shunit2', folder), folder], { cwd: folder })
  } catch (error) {
    throw new Error(`needs shunit2, which is not on the PATH and could not be downloaded either: ${error.message}`)
  }
  return [join(folder, 'usr', 'bin')]
}

// Downloading and unpacking takes no rights, as installing would. Where the machine has no package
// lists (most containers), they are fetched into the folder first.
function downloaded(name, folder) {
  const download = ['-qq', 'download', name]
  if (run('apt-get', download, { cwd: folder }).status !== 0) {
    const [lists, cache] = ['lists', 'cache'].map(name => join(folder, name))
    mkdirSync(join(lists, 'partial'), { recursive: true })
    mkdirSync(join(cache, 'archives', 'partial'), { recursive: true })
    // As root, apt would change to a user who may not enter the folder.
    const own = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`, '-o', 'APT::Sandbox::User=root']
    demand('apt-get', ['-qq', 'update', ...own], { cwd: folder })
    demand('apt-get', [...download, ...own], { cwd: folder })
  }
  return readdirSync(folder).find(file => file.endsWith('.deb'))
}

import { filesOf, run } from './run.mjs'

export function nodeTests(copy) {
  return filesOf(copy, /\.test\.[cm]?js$/).flatMap(path => {
    // One at a time, because the report does not tell the files apart.
    const { stdout, stderr } = run(process.execPath, ['--test', '--test-reporter=tap', path], { cwd: copy })
    const titles = titlesIn(stdout)
    if (titles.length === 0 || titles.some(title => title.endsWith(path)))
      throw new Error(`node --test cannot load ${path}\n${stdout}${stderr}`)
    return titles.map(title => [path, title])
  })
}

// Depth is four spaces a step. That an entry was only a suite is said after its result.
function titlesIn(tap) {
  const names = []
  const titles = []
  for (const line of tap.split('\n')) {
    const [, indent, subtest, result] = /^((?: {4})*)(?:# Subtest: (.*)|(ok|not ok) \d+ .*)$/.exec(line) ?? []
    if (subtest !== undefined) names.splice(indent.length / 4, Infinity, unescaped(subtest))
    else if (result) titles.push(names.slice(0, indent.length / 4 + 1).join(' '))
    else if (/^ +type: 'suite'$/.test(line)) titles.pop()
  }
  return titles
}

function unescaped(name) {
  return name.replace(/\\([\\#])/g, '$1')
}

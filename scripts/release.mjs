// Makes the tag of a release: a commit beside the branch whose tree can be installed as it is, by pre-commit, by npm from
// a git address and by GitHub Actions. It carries dist/, and a package.json that builds nothing and needs no tools.
// The branch is left alone; push the tag by hand.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What a tag carries beside the files of the package. */
const BESIDE = ['.pre-commit-hooks.yaml', 'action.yml', 'action', 'templates', 'docs']

const git = (args, options = {}) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, ...options }).trim()

function fail(message) {
  console.error(`release: ${message}`)
  process.exit(1)
}

if (git(['status', '--porcelain', '--untracked-files=no']) !== '')
  fail('there are changes that are not committed; commit or stash them first')
const head = git(['rev-parse', 'HEAD'])
const manifest = JSON.parse(git(['show', `${head}:package.json`]))
const tag = `v${manifest.version}`
if (git(['tag', '--list', tag]) !== '') fail(`the tag ${tag} is there already; raise the version in package.json`)
if (!existsSync(join(root, 'node_modules/typescript/bin/tsc'))) fail('the compiler is not installed; run `npm ci` first')

const scratch = mkdtempSync(join(tmpdir(), 'flakesniff-release-'))
try {
  const source = join(scratch, 'source'), tree = join(scratch, 'tree')
  unpack(head, source)
  symlinkSync(realpathSync(join(root, 'node_modules')), join(source, 'node_modules'))
  execFileSync(process.execPath, [join(source, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], { cwd: source,
    stdio: 'inherit' })
  for (const path of [...packed(source), ...BESIDE]) copy(join(source, path), join(tree, path))
  writeFileSync(join(tree, 'package.json'), toJson(withoutTools(manifest)))
  writeFileSync(join(tree, 'package-lock.json'),
    toJson(lockWithoutTools(JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8')))))
  const commit = commitOf(tree)
  git(['tag', '--annotate', tag, commit, '--message', `flakesniff ${manifest.version}`])
  console.log(`${tag}: ${commit}, beside ${head}; push it with \`git push origin ${tag}\``)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** What is committed, not what lies in the folder. */
function unpack(commit, folder) {
  mkdirSync(folder)
  const archive = join(scratch, 'source.tar')
  git(['archive', '--format=tar', `--output=${archive}`, commit])
  execFileSync('tar', ['-xf', archive, '-C', folder])
}

/** npm itself says what belongs to the package. */
function packed(folder) {
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder, encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 }),
  )
  return files.map(f => f.path)
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true })
}

function withoutTools({ scripts: _scripts, devDependencies: _dev, overrides: _overrides, ...rest }) {
  return rest
}

function lockWithoutTools(lock) {
  const kept = Object.entries(lock.packages).filter(([, p]) => !p.dev && !p.devOptional)
  return { ...lock, version: manifest.version,
    packages: Object.fromEntries(kept.map(([path, p]) => [path, path === '' ? { ...withoutTools(p), version: manifest.version } : p])) }
}

function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** The same tree at the same commit gives the same commit: its date is that of the branch's. */
function commitOf(folder) {
  const date = git(['show', '--no-patch', '--format=%cI', head])
  const env = { ...process.env, GIT_DIR: git(['rev-parse', '--absolute-git-dir']), GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: join(scratch, 'index'), GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  const at = { cwd: folder, env }
  git(['-c', 'core.autocrlf=false', 'add', '--all', '--force'], at)
  return git(['commit-tree', git(['write-tree'], at), '-p', head, '-m', `flakesniff ${manifest.version}, built`], at)
}

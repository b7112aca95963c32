// Cures that a runner's configuration gives to a whole folder: the clock faked for everybody, mocks put back after each
// test, the network cut off, time zone and locale pinned. Each says which file it rests on.

import type { Cure, Language } from '../facts/facts.ts'
import { type RunnerFile, commands, folderOf, isManifest, isRecord, json, nameOf, section, valueIn, withoutComments,
  withoutXmlComments } from './evidence.ts'

/** Something that holds for the tests of a folder and of all below it. */
export interface FolderCure {
  readonly kind: Cure
  /** Those of all languages where it is left out. */
  readonly language?: Language
  readonly folder: string
  readonly because: string
  /** It holds only for classes that extend this one. */
  readonly base?: string
  /** It holds only for tests that name this fixture. */
  readonly fixture?: string
  /** It holds only for files that import this one. */
  readonly module?: string
  /** It holds only where this function of that file is called; with `starts`, where the server by this name is started. */
  readonly helper?: string
  readonly starts?: true
  /** It holds only for classes that are extended by this one, by annotation or as a rule. */
  readonly extension?: string
  /** It holds only for this command of the shell. */
  readonly command?: string
  /** It holds only for files that have no function of this name, which would stand in its place. */
  readonly hook?: string
  /** It holds only for files that put a folder of this name first among those where commands are looked for. */
  readonly programs?: string
  /** A seed for this library alone: files that draw from the global generator of the other one are not cured. */
  readonly seeds?: 'random' | 'numpy'
}

export function readCures(files: readonly RunnerFile[]): FolderCure[] {
  return [...files.flatMap(file => [...scripted(file), ...pytest(file), ...tox(file), ...jvm(file), ...cargo(file)]), ...commanded(files)]
}

type Said = readonly [pattern: RegExp, kind: Cure, what: string]

const find = (file: RunnerFile, text: string, language: Language, said: readonly Said[]): FolderCure[] =>
  said.flatMap((
    [pattern, kind, what],
  ) => (pattern.test(text) ? [{ kind, language, folder: folderOf(file.path), because: `${file.path} ${what}` }] : []))

// The quotes and the colon of a key in JSON and in a script.
const KEY = String.raw`["']?\s*:\s*`
const key = (name: string, value: string) => new RegExp(String.raw`\b${name}${KEY}${value}`)

const REAL_CLOCK = String.raw`[^}]{0,500}\b(?:legacyFakeTimers${KEY}true\b|doNotFake${KEY}\[[^\]]{0,300}["']Date["'])`

const SCRIPTED: readonly Said[] = [
  // The old timers leave the clock alone, and so do others that are told to.
  [key('fakeTimers', String.raw`\{(?!${REAL_CLOCK})[^}]{0,500}\benableGlobally${KEY}true\b`), 'fake-clock',
    'fakes the timers of every test'],
  [key('timers', String.raw`["'](?:fake|modern)["']`), 'fake-clock', 'fakes the timers of every test'],
  [key('(?:restoreMocks|mockReset|resetMocks)', String.raw`true\b`), 'restore-mocks', 'puts mocks back after every test'],
  [key('unstubEnvs', String.raw`true\b`), 'restore-env', 'puts the environment back after every test'],
  [key('unstubGlobals', String.raw`true\b`), 'restore-globals', 'puts globals back after every test'],
  [/\bTZ["']?\s*(?::|=(?!=))\s*["'`][\w/+-]+["'`]/, 'zone', 'pins the time zone'],
]

const PLAYWRIGHT: readonly Said[] = [
  [key('timezoneId', String.raw`["'][\w/+-]+["']`), 'zone', 'pins the time zone'],
  [key('locale', String.raw`["'][\w-]+["']`), 'locale', 'pins the locale'],
]

function scripted(file: RunnerFile): FolderCure[] {
  const name = nameOf(file.path), text = withoutComments(file.text)
  if (name.startsWith('playwright')) return builtOn(file, text, [...SCRIPTED, ...PLAYWRIGHT])
  if (/^(?:vitest|vite|jest)\b/.test(name)) return builtOn(file, text, SCRIPTED)
  if (!isManifest(file.path)) return []
  const manifest = json(file.text)
  const own = ['jest', 'vitest', 'ava'].map(runner => manifest?.[runner]).filter(isRecord)
  return own.flatMap(settings => builtOn(file, JSON.stringify(settings), SCRIPTED))
}

/** What a configuration says, and what those say that it is built on, unless it says something else of it. */
function builtOn(file: RunnerFile, text: string, said: readonly Said[]): FolderCure[] {
  const others = (file.bases ?? []).flatMap(base => {
    const theirs = withoutComments(base.text)
    const left = said.filter(([pattern]) => {
      const named = /^\w+/.exec(pattern.exec(theirs)?.[0] ?? '')?.[0]
      return named !== undefined && !new RegExp(`\\b${named}["']?\\s*[:=]`).test(text)
    })
    return find(base, theirs, 'typescript', left).map(cure => ({ ...cure, folder: folderOf(file.path) }))
  })
  return [...find(file, text, 'typescript', said), ...others]
}

const PYTEST: readonly Said[] = [
  [/--disable-socket\b/, 'fake-net', 'cuts off the network (pytest-socket)'],
  [/--block-network\b/, 'fake-net', 'cuts off the network (pytest-recording)'],
  [/-p[\s"',=]*(?:randomly|pytest_randomly)\b/, 'seed', 'seeds the generators before every test (pytest-randomly)'],
  [/^[ \t"']*(?:[DR]:)*TZ\s*=/m, 'zone', 'pins the time zone'],
  [/^[ \t"']*(?:[DR]:)*LC_ALL\s*=/m, 'locale', 'pins the locale'],
]

const PYTEST_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'pytest.ini': ['pytest'],
  '.pytest.ini': ['pytest'],
  'pyproject.toml': ['tool.pytest', 'tool.pytest.ini_options', 'tool.pytest_env'],
  'tox.ini': ['pytest'],
  'setup.cfg': ['tool:pytest'],
}

/** A plugin that is installed is at work: pytest-randomly reseeds before every test unless it is turned off. */
const RANDOMLY = /(?:^|[\s"'])pytest[-_]randomly\b/m

/** What tox gives to the commands of its environments. */
function tox(file: RunnerFile): FolderCure[] {
  const set = (TOX_SECTIONS[nameOf(file.path)] ?? []).flatMap(name => section(file.text, name) ?? []).map(text =>
    valueIn(text, 'set_?env') ?? ''
  ).join('\n')
  return find(file, set, 'python', PAIRS)
}

const TOX_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'tox.ini': ['testenv'],
  'setup.cfg': ['tox:testenv'],
  'pyproject.toml': ['testenv', 'tool.tox', 'tool.tox.env_run_base'],
}
/** Pairs of INI and TOML, in a list of lines or a table. */
const PAIRS: readonly Said[] = [
  [/(?:^|[\s{,"'])TZ["']?\s*=\s*["'{]?\s*[\w/+-]+/, 'zone', 'pins the time zone'],
  [/(?:^|[\s{,"'])LC_ALL["']?\s*=\s*["'{]?\s*\w+/, 'locale', 'pins the locale'],
]

/** `[env]` of Cargo's configuration is given to whatever `cargo test` runs. */
const cargo = (file: RunnerFile): FolderCure[] =>
  find(file, /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(file.path) ? section(file.text, 'env') ?? '' : '', 'rust', PAIRS)

function pytest(file: RunnerFile): FolderCure[] {
  const names = PYTEST_SECTIONS[nameOf(file.path)] ?? []
  const text = names.flatMap(n => section(file.text, n) ?? []).join('\n')
  const options = `${valueIn(text, 'addopts') ?? ''}\n${valueIn(text, 'env') ?? ''}\n${section(file.text, 'tool.pytest_env') ?? ''}`
  const depends = names.length > 0 && RANDOMLY.test(file.text.replace(/^[ \t]*#.*$/gm, '')) && !/-p[\s"',=]*no:randomly\b/.test(options)
  const because = `${file.path} asks for pytest-randomly, which seeds the generators before every test`
  return [...(depends ? [{ kind: 'seed' as const, language: 'python' as const, folder: folderOf(file.path), because }] : []),
    ...find(file, options, 'python', PYTEST)]
}

const JVM: readonly Said[] = [
  [/(?:-D|\b)user\.timezone["'\]]*\s*(?:[=:,>]|to\b)+\s*["']?[\w/+-]+/, 'zone', 'pins the time zone'],
  [/(?:-D|\b)user\.language["'\]]*\s*(?:[=:,>]|to\b)+\s*["']?\w+/, 'locale', 'pins the locale'],
]

function jvm(file: RunnerFile): FolderCure[] {
  const name = nameOf(file.path)
  const text = name === 'pom.xml'
    ? withoutXmlComments(file.text)
    : /^build\.gradle(?:\.kts)?$/.test(name)
    ? withoutComments(file.text)
    : undefined
  return text === undefined ? [] : find(file, text, 'java', JVM)
}

const PROGRAMS: readonly (readonly [language: Language, program: string])[] = [
  // A script of its own is no test, unless it is called one.
  ['typescript',
    String.raw`jest|vitest|mocha|playwright|ava|tap|node(?=[^;&|\n]{0,300}\s(?:--test\b|\S{0,200}(?:test|spec|jest|mocha|vitest)))`],
  ['python', 'pytest'],
  ['go', String.raw`go\s+test`],
  ['rust', String.raw`cargo\s+(?:test|nextest)`],
  ['bash', 'bats'],
]

/** `TZ=UTC jest` in a make file or a script: who runs the tests as they are meant to be run has it. */
function commanded(files: readonly RunnerFile[]): FolderCure[] {
  const prefixed = commands(files.filter(f => isManifest(f.path) || /^(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|tox\.ini)$/.test(nameOf(f.path))),
    String.raw`(?:TZ|LC_ALL)=[\w/.:+-]+`)
  return prefixed.flatMap(c =>
    PROGRAMS.flatMap(([language, program]) => (new RegExp(String.raw`\s(?:\S*/)?(?:${program})(?=\s|$)`).test(c.text)
      ? [{ kind: c.text.startsWith('TZ') ? 'zone' as const : 'locale' as const, language, folder: c.folder,
        because: `${c.file} runs the tests with ${c.text.split(/\s/)[0]}` }]
      : [])
    )
  )
}

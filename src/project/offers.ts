// Files that tests take something from: a module whose hooks hold for whoever imports it, a function that freezes the clock for
// whoever calls it, a class or an extension that others name. Found by what such files are called; and how one file names another.

import type { Call, Language } from '../facts/facts.ts'
import type { FolderCure } from './cures.ts'
import { type RunnerFile, folderOf, nameOf } from './evidence.ts'
import type { SetupFile } from './setups.ts'

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const SCRIPT = /\.[cm]?[jt]sx?$/
const HELPS = 'helpers?|support|utils?|set-?up|hooks?|mocks?|common|shared|clock|timers?|harness|testing|server|msw'
const SCRIPT_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|test-?(?:utils?|helpers?|support)|cypress|__mocks__|mocks)\//
const SCRIPT_HELPER = new RegExp(String.raw`(?:^|[/._-])(?:${HELPS})(?=[/._-]|[^/]*\.[cm]?[jt]sx?$)`, 'i')
const GO_NAMES = 'helpers?|utils?|common|setup|testing|harness|clock|time|synctest|bubble|fixtures?|mocks?|fakes?'
const GO_HELPER = new RegExp(
  String.raw`(?:^|\/|_)(?:${GO_NAMES})\w*_test\.go$|(?:^|\/)\w*test(?:ing|utils?|helpers?|lib|kit|support)\/[^/]+\.go$`,
)
const RUST_NAMES = 'common|support|utils?|helpers?|harness|testing|shared|runtime|mod'
const RUST_HELPER = new RegExp(
  String
    .raw`(?:^|\/)tests\/(?:.+\/)?(?:${RUST_NAMES})(?:\/[^/]+)?\.rs$|(?:^|\/)(?:test_?(?:utils?|helpers?|support|common)|testing)(?:\/mod)?\.rs$`,
)
const JAVA_TESTS = /(?:^|\/)(?:src\/)?(?:test|it|testFixtures|integrationTest)\//

/** Beside the set-up files; what they are for, only their text tells. */
export function offeringFiles(paths: readonly string[]): SetupFile[] {
  let sources: ReadonlySet<string> | undefined
  const tested = (name: string) => (sources ??= new Set(paths.filter(p => p.endsWith('.java')).map(nameOf))).has(name)
  return paths.flatMap((path): SetupFile[] => {
    if (path.endsWith('.java')) {
      if (!JAVA_TESTS.test(path)) return []
      const name = nameOf(path).slice(0, -'.java'.length)
      if (/(?:Extension|Rule|Resource)$/.test(name)) return [{ path, folder: '', extension: name }]
      // A class by the name of a test, and nothing by that name to be tested: others may extend it.
      const of = /^(\w+?)(?:Tests?|IT|Spec)$/.exec(name)?.[1]
      return of !== undefined && !tested(`${of}.java`) ? [{ path, folder: '', base: name, offers: true }] : []
    }
    const helps = path.endsWith('.go') ? GO_HELPER.test(path) : path.endsWith('.rs')
      ? RUST_HELPER.test(path)
      : SCRIPT.test(path) && SCRIPT_FOLDER.test(path) && SCRIPT_HELPER.test(path) && !/\.(?:test|spec|stories|d)\.[cm]?[jt]sx?$/.test(path)
    return helps ? [{ path, folder: '', offers: true }] : []
  })
}

/** Whether a word stands in it of what one file may do for another; without one it is not parsed. */
export const offersBy = (path: string, text: string): boolean =>
  path.endsWith('.java')
    ? JAVA_WORDS.test(text) && JAVA_FORMS.test(text)
    : (path.endsWith('.go') ? GO_WORDS : path.endsWith('.rs') ? RUST_WORDS : SCRIPT_WORDS).test(text)
const GO_WORDS = /\bsynctest\.(?:Test|Run)\(|\brand\.Seed\(|\bhttpmock\.Activate|\bgock\.New\(/
const RUST_WORDS = /\bstart_paused\(|\btime::(?:pause|advance)\b|\bfastrand::seed\(/
/** What nobody runs by itself: a class without tests, an extension, a rule. */
const JAVA_FORMS =
  /\babstract\s+class\b|\bextends\s+(?:ExternalResource|TestWatcher)\b|\bimplements\s[\w\s,.]{0,300}(?:Callback|TestRule|MethodRule)\b/
const JAVA_WORDS =
  /(?:TimeZone|Locale)\.setDefault|System\s*\.(?:set|clear)Propert|RestoreSystem|SystemProperties|MockedStatic|mockStatic|setCurrentMillis/
const SCRIPT_WORDS = new RegExp([
  '[fF]akeTimers|setSystemTime|[mM]ock-?[dD]ate|timekeeper|seedrandom|\\.seed\\(',
  '\\bnock\\b|setup(?:Server|Worker)\\(|fetch-?[mM]ock|stubGlobal',
  'restoreAllMocks|resetAllMocks|unstubAll|sinon\\.restore|\\benv\\.TZ\\b',
].join('|'))

/** The modules by their paths that a script names: what it imports runs before it. */
export const specifiersIn = (text: string): string[] =>
  Array.from(text.matchAll(/(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["']([^"'\n]{1,300})["']/g), m => m[1]!)

const plain = (path: string): string => path.replace(SCRIPT, '').replace(/(?:^|\/)index$/, '')

/** Whether a script that names another so means that file. Names with an alias are told by how they end. */
export const leadsTo = (path: string, specifier: string, module: string): boolean =>
  specifier.startsWith('.') ? plain(joined(parentOf(path), specifier)) === plain(module) : endsIn(specifier, module)

function endsIn(specifier: string, module: string): boolean {
  const inside = /^(?:[@~#]\/?|src\/)(.+\/.+)$/.exec(specifier)?.[1]
  return inside !== undefined && `/${plain(module)}`.endsWith(`/${plain(inside)}`)
}

function joined(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) part === '..' ? parts.pop() : part !== '.' && part !== '' && parts.push(part)
  return parts.join('/')
}

/**
 * Whether a file takes anything from another: it imports it, or lies in the same package. Asked for many others, so that the text is looked
 * through once.
 */
export function takesOf(language: Language, path: string, text: string): (module: string) => boolean {
  let named: { readonly files: ReadonlySet<string>; readonly others: readonly string[] } | undefined
  const names = () => {
    const all = language === 'go' ? Array.from(text.matchAll(/"[\w.-]+(?:\/[\w.-]+)+"/g), m => m[0].slice(1, -1)) : specifiersIn(text)
    return { files: new Set(all.filter(s => s.startsWith('.')).map(s => plain(joined(parentOf(path), s)))),
      others: all.filter(s => !s.startsWith('.')) }
  }
  return module => {
    if (path === module || language === 'bash') return path !== module
    const folder = parentOf(module)
    if (language === 'go' && folder === parentOf(path)) return true
    if (language === 'go' || language === 'typescript') {
      const { files, others } = named ??= names()
      return language === 'go'
        ? folder !== '' && others.some(o => o.endsWith(`/${folder}`))
        : files.has(plain(module)) || others.some(o => endsIn(o, module))
    }
    const own = nameOf(module).replace(/\.\w+$/, ''), name = own === 'mod' || own === '__init__' ? nameOf(folder) : own
    if (!text.includes(name)) return false
    return language === 'rust'
      ? new RegExp(`\\b${name}\\b\\s*(?:;|::)`).test(text)
      : new RegExp(
        `^\\s*(?:from\\s+[\\w.]*\\b${name}\\s+import|from\\s+[\\w.]+\\s+import\\b[^\\n]*\\b${name}\\b|import\\s+[\\w.]*\\b${name}\\b)`,
        'm',
      ).test(text)
  }
}

/** Whether a call is one of what another file lends. */
export function isLent({ module = '', helper = '', starts, language }: FolderCure, call: Call, path: string): boolean {
  if (language === 'typescript') {
    const named = starts
      ? (/[.](?:listen|start)$/.test(call.name) && call.receiver?.is === 'name' ? call.receiver.path : '')
      : call.resolution === 'import'
      ? call.name
      : ''
    return named.endsWith(`.${helper}`) && leadsTo(path, named.slice(0, -helper.length - 1), module)
  }
  if (language === 'go' || language === 'bash')
    return call.name === helper || (language === 'go' && call.name.endsWith(`${parentOf(module)}.${helper}`))
  return new RegExp(`(?:^|[.:])${helper}$`).test(call.name) && call.resolution === 'import'
}

/** Extensions that JUnit finds by itself hold for every test of their folder. */
export function foundByJUnit(cures: readonly FolderCure[], configs: readonly RunnerFile[]): FolderCure[] {
  const lists = configs.filter(f => nameOf(f.path) === 'org.junit.jupiter.api.extension.Extension')
  if (lists.length === 0
    || !configs.some(f => /\bjunit\.jupiter\.extensions\.autodetection\.enabled["'>\s]*[=:,>]\s*["']?true/.test(f.text))) return []
  return cures.flatMap(cure =>
    lists.filter(f => cure.extension !== undefined && new RegExp(`\\.${cure.extension}\\s*(?:#.*)?$`, 'm').test(f.text)).map(f => {
      const { extension: _, ...rest } = cure
      return { ...rest, folder: folderOf(f.path) }
    })
  )
}

/** Programs that lie among tests of the shell by the names of others: they stand in for them where their folder is looked into first. */
export function standInPrograms(paths: readonly string[]): FolderCure[] {
  return paths.flatMap((path): FolderCure[] => {
    const [, folder = '', programs, command] =
      /^(?:(.*?)\/?)([\w.-]*(?:stub|mock|fake|shim|bin)[\w.-]*)\/(date|curl|wget|git|ssh|docker|kubectl|aws|gh)$/.exec(path) ?? []
    if (programs === undefined || command === undefined || !/(?:^|\/)(?:tests?|spec|bats)(?:\/|$)/.test(folder)) return []
    const because = `${path} stands in for ${command}`
    const tests = folder.replace(/(?:^|\/)(?:fixtures|test_helper|helpers?|support)$/, '')
    return [{ language: 'bash', folder: tests, programs, because,
      ...(command === 'date' ? { kind: 'fake-clock' } : { kind: 'fake-net', command }) }]
  })
}

/** Whether a text of the shell puts a folder of that name before the others. */
export const looksFirstIn = (programs: string, text: string): boolean =>
  new RegExp(`\\bPATH=["']?[^\\n:;]*/${programs.replace(/[.]/g, '\\.')}/?["']?:`).test(text)

// What the configuration of runners pins for every test: the time zone and the locale. Read as text.

import type { Language } from '../facts/facts.ts'
import { type RunnerFile, folderOf, isManifest, isScript, nameOf, withoutComments, withoutXmlComments } from './evidence.ts'

export interface Pin {
  readonly what: 'zone' | 'locale'
  readonly folder: string
  /** The language whose tests it reaches; all where it is left out. */
  readonly language?: Language
}

const ZONE = /(?:^|[\s"'`{,;])TZ["']?\s*(?::=|[=:?])\s*["']?[A-Za-z]/m
const LOCALE = /(?:^|[\s"'`{,;])(?:LC_ALL|LANG)["']?\s*(?::=|[=:?])\s*["']?[A-Za-z]/m
const JVM_ZONE = /user\.timezone\b/
const JVM_LOCALE = /user\.(?:language|locale|country)\b/

export function pinsIn(files: readonly RunnerFile[]): Pin[] {
  return files.flatMap(file => {
    const { language, text } = read(file)
    if (text === undefined) return []
    const folder = folderOf(file.path)
    const [zone, locale] = language === 'java' ? [JVM_ZONE, JVM_LOCALE] : [ZONE, LOCALE]
    return [...(zone.test(text) ? [{ what: 'zone' as const, folder, ...(language && { language }) }] : []), ...(locale.test(text) ? [{ what: 'locale' as const, folder, ...(language && { language }) }] : [])]
  })
}

function read(file: RunnerFile): { readonly language?: Language; readonly text?: string } {
  const name = nameOf(file.path)
  if (isManifest(file.path) || /\.config\.[cm]?[jt]s$|^\.mocharc\./.test(name)) return { language: 'typescript', text: isManifest(file.path) ? file.text : withoutComments(file.text) }
  if (/^(?:\.?pytest\.ini|pyproject\.toml|setup\.cfg|tox\.ini|noxfile\.py)$/.test(name)) return { language: 'python', text: file.text.replace(/^\s*#.*$/gm, '') }
  if (name === 'pom.xml' || name === 'testng.xml') return { language: 'java', text: withoutXmlComments(file.text) }
  if (/^build\.gradle/.test(name)) return { language: 'java', text: withoutComments(file.text) }
  if (name === 'gradle.properties') return { language: 'java', text: file.text }
  return isScript(file.path) ? { text: file.text.replace(/^\s*#.*$/gm, '') } : {}
}

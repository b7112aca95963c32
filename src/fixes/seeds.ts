// A seed that is the same in every run.

import type { Call, Language } from '../facts/facts.ts'
import type { Fix } from '../rules/rule.ts'
import { bracketsAfter, fix, insert, replace, type Sheet } from './edits.ts'
import { unusedImport } from './imports.ts'

const SEED = '1'
/** Modules that a seed is often taken from. */
const SOURCES = ['time', 'os']
/** Generators that take a whole number as their seed when they are made. */
const MADE: Readonly<Partial<Record<Language, RegExp>>> = {
  java: /^java\.util\.Random\.new$/,
  python: /^(random\.Random|numpy\.random\.(default_rng|RandomState))$/,
}
/** Their seed is a number in the first argument. */
const SEEDED: Readonly<Partial<Record<Language, RegExp>>> = {
  java: /^java\.util\.Random\.new$|\.setSeed$/,
  python: /^(random\.(Random|seed)|numpy\.random\.(seed|default_rng|RandomState))$/,
  go: /^math\/rand(\/v2)?\.(NewSource|Seed)$/,
  rust: /::seed_from_u64$/,
  typescript: /seed/i,
}

/** The seed is computed where it is given; a variable may have other uses. */
export function constantSeed(sheet: Sheet, call: Call): Fix[] {
  const list = bracketsAfter(sheet, call.nameSpan.end)
  const [seed] = call.args
  if (!SEEDED[sheet.facts.language]?.test(call.name) || call.args.length !== 1 || !seed || seed.is === 'name' || !list
    || list.end !== call.span.end) return []
  const given = { start: list.start + 1, end: list.end - 1 }
  return fix('Seed it with a constant', false, [replace(given, /^(String\(|[`'"])/.test(sheet.textOf(given)) ? `'${SEED}'` : SEED),
    ...SOURCES.flatMap(m => unusedImport(sheet, m, [given]))])
}

/** A generator that was made without a seed. */
export function seedGenerator(sheet: Sheet, call: Call): Fix[] {
  const list = bracketsAfter(sheet, call.nameSpan.end)
  if (!MADE[sheet.facts.language]?.test(call.name) || call.args.length > 0 || !list || list.end !== call.span.end
    || list.end - list.start !== 2) return []
  return fix('Seed it with a constant', false, [insert(list.start + 1, SEED)])
}

// A tree against the shape: every fault is told with what was written and what was expected, all of them at once.

import { didYouMean } from './nearest.ts'
import type { Shape } from './shape.ts'
import type { Entry, Fault, Tree } from './tree.ts'

export interface Validated {
  readonly value: unknown
  readonly faults: readonly Fault[]
}

interface Check {
  readonly ruleIds: readonly string[]
  readonly faults: Fault[]
}

export function validate(tree: Tree, shape: Shape, ruleIds: readonly string[]): Validated {
  const check: Check = { ruleIds, faults: [] }
  const value = read(tree, shape, '', check)
  return { value, faults: check.faults.sort((a, b) => a.at - b.at) }
}

function read(tree: Tree, shape: Shape, path: string, check: Check): unknown {
  switch (shape.is) {
    case 'either': {
      const fits = shape.of.find(s => sameKind(tree, s))
      // For a plain value, say everything that could have stood here.
      return fits && (tree.is !== 'value' || fitsValue(tree, fits as ValueShape))
        ? read(tree, fits, path, check)
        : wrong(tree, shape, path, check)
    }
    case 'map':
      return tree.is === 'map' ? readMap(tree, shape, path, check) : wrong(tree, shape, path, check)
    case 'by-rule':
      return tree.is === 'map' ? readRules(tree.entries, shape.of, path, check) : wrong(tree, shape, path, check)
    case 'any-map':
      return tree.is === 'map' ? plain(tree) : wrong(tree, shape, path, check)
    case 'list':
      return tree.is === 'list'
        ? tree.items.map((item, i) => read(item, shape.of, `${path}[${i}]`, check))
        : wrong(tree, shape, path, check)
    default:
      return fitsValue(tree, shape) ? tree.value : wrong(tree, shape, path, check)
  }
}

type ValueShape = Extract<Shape, { is: 'one-of' | 'text' | 'count' | 'yes-no' }>

function fitsValue(tree: Tree, shape: ValueShape): tree is Extract<Tree, { is: 'value' }> {
  if (tree.is !== 'value') return false
  const { value } = tree
  if (shape.is === 'count') return typeof value === 'number' && Number.isSafeInteger(value) && value >= shape.least
  if (shape.is === 'yes-no') return typeof value === 'boolean'
  return typeof value === 'string' && (shape.is === 'text' ? value.trim() !== '' : shape.of.includes(value))
}

/** Which of several shapes somebody was aiming at. */
function sameKind(tree: Tree, shape: Shape): boolean {
  if (tree.is === 'map') return shape.is === 'map' || shape.is === 'any-map' || shape.is === 'by-rule'
  if (tree.is === 'list') return shape.is === 'list'
  return typeof tree.value === 'string'
    ? shape.is === 'text' || shape.is === 'one-of'
    : typeof tree.value === 'number' && shape.is === 'count'
}

function readMap(tree: Extract<Tree, { is: 'map' }>, shape: Extract<Shape, { is: 'map' }>, path: string,
  check: Check): Record<string, unknown>
{
  const known = Object.keys(shape.keys)
  const result: Record<string, unknown> = {}
  for (const { key, at, value } of once(tree.entries, path, check)) {
    const inner = Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined
    if (inner) result[key] = read(value, inner, path === '' ? key : `${path}.${key}`, check)
    else check.faults.push({ at,
        message: `unknown key ${quote(key)}${where(path)}${didYouMean(key, known) || `; known keys are ${known.map(quote).join(', ')}`}` })
  }
  for (const key of shape.needs ?? [])
    if (!(key in result)) check.faults.push({ at: tree.at, message: `${quote(path)} lacks the key ${quote(key)}` })
  return result
}

function readRules(entries: readonly Entry[], shape: Shape, path: string, check: Check): Record<string, unknown> {
  // Keys come from a file: without a prototype, none of them is already there.
  const result = Object.create(null) as Record<string, unknown>
  for (const { key, at, value } of once(entries, path, check)) {
    if (check.ruleIds.includes(key)) result[key] = read(value, shape, `${path}.${key}`, check)
    else check.faults.push({ at,
        message: `unknown rule ${quote(key)}${where(path)}${didYouMean(key, check.ruleIds) || '; «flakesniff rules» lists them all'}` })
  }
  return result
}

function once(entries: readonly Entry[], path: string, check: Check): readonly Entry[] {
  const seen = new Set<string>()
  return entries.filter(({ key, at }) => {
    if (seen.has(key)) check.faults.push({ at, message: `the key ${quote(key)}${where(path)} is there twice` })
    return !seen.has(key) && seen.add(key)
  })
}

const where = (path: string) => (path === '' ? '' : ` in ${quote(path)}`)

function wrong(tree: Tree, shape: Shape, path: string, check: Check): undefined {
  const words = wordsOf(shape)
  const hint = tree.is === 'value' && typeof tree.value === 'string' ? didYouMean(tree.value, words) : ''
  const subject = path === '' ? 'the configuration' : quote(path)
  check.faults.push({ at: tree.at, message: `${subject}: expected ${expected(shape)}, received ${received(tree)}${hint}` })
  return undefined
}

const wordsOf = (
  shape: Shape,
): readonly string[] => shape.is === 'one-of' ? shape.of : shape.is === 'either' ? shape.of.flatMap(wordsOf) : []

export function expected(shape: Shape): string {
  switch (shape.is) {
    case 'one-of':
      return orList(shape.of.map(quote))
    case 'text':
      return 'a string that is not empty'
    case 'yes-no':
      return 'true or false'
    case 'count':
      return `a whole number, ${shape.least} or more`
    case 'list':
      return `a list, each item ${expected(shape.of)}`
    case 'map':
      return `an object with ${orList(Object.keys(shape.keys).map(quote))}`
    case 'by-rule':
      return 'an object with rule ids for keys'
    case 'any-map':
      return 'an object'
    case 'either':
      return shape.of.map(expected).join(', or ')
  }
}

const orList = (words: readonly string[]) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
const quote = (word: string) => JSON.stringify(word)

function received(tree: Tree): string {
  if (tree.is === 'map') return 'an object'
  if (tree.is === 'list') return 'a list'
  const shown = JSON.stringify(tree.value)
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown
}

function plain(tree: Tree): unknown {
  if (tree.is === 'value') return tree.value
  if (tree.is === 'list') return tree.items.map(plain)
  return Object.assign(Object.create(null), Object.fromEntries(tree.entries.map(e => [e.key, plain(e.value)]))) as unknown
}

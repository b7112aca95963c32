// The schema that editors use and the validator that the command uses say the same.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isConfigError, loadConfig } from '../src/config/config.ts'
import { CONFIG_SHAPE, LANGUAGES as CONFIGURABLE, type Shape } from '../src/config/shape.ts'
import { LANGUAGES } from '../src/parsers/registry.ts'

interface Schema {
  readonly $ref?: string
  readonly enum?: readonly string[]
  readonly type?: string
  readonly minimum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly definitions?: Readonly<Record<string, Schema>>
}

const schema = JSON.parse(readFileSync(new URL('../schema/flakesniff.schema.json', import.meta.url), 'utf8')) as Schema
const resolved = (s: Schema): Schema => (s.$ref ? resolved(schema.definitions![s.$ref.replace('#/definitions/', '')]!) : s)

/** Both as the same plain text, so that a difference shows as one. */
function ofSchema(unresolved: Schema): unknown {
  const s = resolved(unresolved)
  if (s.anyOf) return { either: s.anyOf.map(ofSchema) }
  if (s.enum) return { words: s.enum }
  if (s.type === 'array') return { list: ofSchema(s.items!) }
  if (s.type === 'integer') return { least: s.minimum }
  if (s.type !== 'object') return s.type
  if (typeof s.additionalProperties === 'object') return { rules: ofSchema(s.additionalProperties) }
  if (s.additionalProperties === undefined) return 'any object'
  return { keys: Object.fromEntries(Object.entries(s.properties!).map(([k, v]) => [k, ofSchema(v)])), needs: s.required ?? [] }
}

function ofShape(s: Shape): unknown {
  switch (s.is) {
    case 'either':
      return { either: s.of.map(ofShape) }
    case 'one-of':
      return { words: s.of }
    case 'list':
      return { list: ofShape(s.of) }
    case 'count':
      return { least: s.least }
    case 'text':
      return 'string'
    case 'yes-no':
      return 'boolean'
    case 'by-rule':
      return { rules: ofShape(s.of) }
    case 'any-map':
      return 'any object'
    case 'map':
      return { keys: Object.fromEntries(Object.entries(s.keys).map(([k, v]) => [k, ofShape(v)])), needs: s.needs ?? [] }
  }
}

test('schema and validator know the same keys and values', () => {
  expect(ofSchema(schema)).toEqual(ofShape(CONFIG_SHAPE))
})

test('names can be declared for every language there is', () => {
  expect(CONFIGURABLE).toEqual(LANGUAGES)
})

describe('they agree on', () => {
  let folder: string
  const check = new Ajv({ strict: false }).compile(schema)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'flakesniff-schema-'))
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function accepts(config: unknown): boolean {
    writeFileSync(join(folder, 'c.json'), JSON.stringify(config))
    try {
      loadConfig(folder, ['fixed-sleep'], 'c.json')
      return true
    } catch (error) {
      if (isConfigError(error)) return false
      throw error
    }
  }

  test.each<[unknown, boolean]>([
    [{}, true],
    [{ rules: { 'fixed-sleep': 'off' } }, true],
    [{ rules: { 'fixed-sleep': { options: {} } } }, true],
    [{ sleeps: ['a', { name: 'b', arg: 1 }] }, true],
    [{ overrides: [{ files: [] }] }, true],
    [[], false],
    [{ jobs: '1' }, false],
    [{ jobs: 1.5 }, false],
    [{ ignore: [' '] }, false],
    [{ rules: { 'fixed-sleep': 'warn' } }, false],
    [{ overrides: [{}] }, false],
    [{ clocks: [{ name: 'b', arg: 1 }] }, false],
    [{ batsSequential: { x: 1 } }, false],
    [{ waits: [{ name: 'x', arg: 1.5 }] }, false],
    [{ other: 1 }, false],
  ])('%j: %s', (config, expected) => {
    expect([check(config), accepts(config)]).toEqual([expected, expected])
  })
})

// The facts pages: in each language's facts.md, a source fence is followed by a `facts` fence that says what the parser
// made of it. `npm run update` writes them; a drift fails.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { printFacts } from '../src/facts/print.ts'
import { annotate, indexCatalog } from '../src/parsers/annotate.ts'
import { LANGUAGES, frontendOf } from '../src/parsers/registry.ts'

describe.each(LANGUAGES)('the facts page of %s', language => {
  const path = fileURLToPath(new URL(`../src/parsers/${language}/facts.md`, import.meta.url))

  test('says what the parser makes of each example', async () => {
    expect(existsSync(path), `${path} is missing`).toBe(true)
    const frontend = await frontendOf(language)
    await frontend.load()
    const catalog = indexCatalog(frontend.catalog)
    const page = readFileSync(path, 'utf8')
    let examples = 0
    const written = page.replace(/```(\w+)(?: (\S+))?\n([\s\S]*?)```\n\n```facts\n[\s\S]*?```/g,
      (_, fence: string, name: string | undefined, source: string) => {
        expect(frontend.fences).toContain(fence)
        examples++
        const file = name ?? `test_example${frontend.extensions[0]}`
        const parsed = frontend.parse(source, { path: file, kind: 'test', testFunctions: [] })
        annotate(parsed, catalog, frontend.durations)
        return `\`\`\`${fence}${name ? ` ${name}` : ''}\n${source}\`\`\`\n\n\`\`\`facts\n${printFacts(parsed)}\n\`\`\``
      })
    expect(examples).toBeGreaterThan(5)
    await expect(written).toMatchFileSnapshot(path)
  })
})

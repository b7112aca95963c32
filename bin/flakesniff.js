#!/usr/bin/env node
import { existsSync } from 'node:fs'

if (!existsSync(new URL('../dist/surfaces/cli/main.js', import.meta.url))) {
  console.error('flakesniff: this checkout is not built yet; run `npm run build` first')
  process.exit(2)
}
const { main } = await import('../dist/surfaces/cli/main.js')
process.exitCode = await main(process.argv.slice(2))

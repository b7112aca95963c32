// Port 0: the system picks one that is free.

import type { Call, Language, Unit } from '../facts/facts.ts'
import type { Fix } from '../rules/rule.ts'
import { fix, replace, wholeText, type Sheet } from './edits.ts'

/** How a test asks which port it got. A command of the shell does not tell, and many take no zero. */
const READ_BACK: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /\.(server_port|server_address|getsockname\(\))/,
  typescript: /\.address\(\)/,
  java: /\.(getLocalPort|getLocalSocketAddress|getAddress|getPort)\(\)/,
  go: /\.(Addr\(\)|Listener\.Addr)/,
  rust: /\.(local_addr|local_address)\(\)/,
}

/**
 * Asks for any free port where the number stands in the call and nowhere else, so that nobody else relies on it. Safe where the
 * test reads the port back from what listens.
 */
export function anyFreePort(sheet: Sheet, unit: Unit, call: Call, port: number): Fix[] {
  const readBack = READ_BACK[sheet.facts.language]
  const number = new RegExp(`(?<![\\w.])${port}(?![\\w.])`, 'g')
  const inCall = [...sheet.textOf(call.span).matchAll(number)]
  const inFile = wholeText(sheet).match(number) ?? []
  if (!readBack || inCall.length !== 1 || inFile.length !== 1) return []
  const start = call.span.start + inCall[0]!.index
  const asked = readBack.test(sheet.textOf({ start: call.span.end, end: unit.span.end }))
  return fix('Let the system pick a free port', asked, [replace({ start, end: start + String(port).length }, '0')])
}

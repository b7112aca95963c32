// Things that a test opens and somebody must close.

import type { Call, FileFacts, Unit, Value } from '../facts/facts.ts'
import { ancestors, around, has } from '../facts/query.ts'
import { keptIn, names } from './background.ts'

const CLOSES = /(close|closed|stop|shutdown|terminate|kill|remove|rm|rmtree|remove_dir_all|unlink|clean_?up|dispose|wait|communicate|destroy|release|quit|teardown|disconnect|exit|after|finally|defer|use|enter_context|register|addfinalizer|finalizer|manage|track)\w*$/i

/** Whether what a call opened is closed, kept for others or handed to somebody who may close it. */
export function isClosed(file: Pick<FileFacts, 'units'>, unit: Unit, call: Call, textOf: (unit: Unit, from: number) => string): boolean {
  if (call.result === 'returned' || [...around(unit, call.in)].some(r => r.kind === 'with' || (r.kind === 'closure' && r.call !== undefined && unit.calls[r.call]!.result === 'returned'))) return true
  const index = unit.calls.indexOf(call)
  if (unit.regions.some(r => r.kind === 'with' && (r.call === index || (call.span.start >= r.span.start && call.span.end <= r.span.end)))) return true
  const keeper = keptIn(unit, call)
  // Used in place, it may be anybody's; a chain that ends in a variable is followed from there.
  if (keeper === undefined) return true
  if (/[.[]/.test(keeper) || !unit.writes.some(w => w.target === keeper && w.declares)) return true
  if (unit.returns.some(v => names(unit, v, keeper)) || unit.writes.some(w => w.target !== keeper && names(unit, w.value, keeper) && holdsWhole(w.value, keeper))) return true
  const closing = (u: Unit, c: Call) => (CLOSES.test(c.name) || has(c, 'restore', 'closes')) && [...(c.receiver ? [c.receiver] : []), ...c.args, ...Object.values(c.named)].some(v => names(u, v, keeper))
  const nested = file.units.filter(u => u === unit || ancestors(file, u).includes(unit))
  if (nested.some(u => u.calls.some(c => closing(u, c)))) return true
  // Given whole to another function, or spelt in a way we do not read: `close(srv)`, `() => srv.close()`.
  if (unit.calls.some(c => c !== call && c.args.some(a => a.is === 'name' && a.path === keeper) && !/^(len|str|fmt\.|testing\.)/.test(c.name))) return true
  const word = keeper.replace(/\W/g, '')
  return new RegExp(`\\b${word}\\s*(?:\\?\\.|\\.|::|\\[)\\s*(?:\\w*(?:close|stop|shutdown|terminate|kill|clean|dispose|wait|Symbol)\\w*)`, 'i').test(textOf(unit, call.span.end))
}

const holdsWhole = (value: Value, path: string): boolean => (value.is === 'name' ? value.path === path : value.is === 'group' ? value.of.some(v => holdsWhole(v, path)) : false)

const FILE = /^(java\.io\.)?File(InputStream|OutputStream|Reader|Writer)\.new$/
/** What reads or writes it to its end and leaves the closing to whoever opened it. */
const CONSUMES = /(^|\.)(toString|readLines|toByteArray|readFully|load|copy|copyLarge|parse|store|read|write|writeLines|readValue|fromJson|toJson|unmarshal|marshal|digest|\w*Hex|IOUtils\.\w+)$/

/** `IOUtils.toString(new FileInputStream(file))`: nobody else knows the stream. */
export const consumed = (unit: Unit): Call | undefined =>
  unit.calls.find(c => CONSUMES.test(c.name) && c.args.some(a => a.is === 'call' && FILE.test(unit.calls[a.call]!.name)))

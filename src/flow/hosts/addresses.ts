// Addresses that stand apart from the call which goes there: in a request that is made before, in a list that is gone through, in what a
// client begins every address with.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { outsideHost, type Host } from './hosts.ts'
import { keptOf, makerOf } from './stand-ins.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly textOf: (span: Span) => string
}

/** Where a request has its address, by what makes it. */
const MAKES: readonly (readonly [RegExp, number])[] = [
  [/(^|[.:])(URL|URI|HttpUrl)\.(new|create|parse|get)$|(^|[.:])Request\.new$|^urllib\.request\.Request$/, 0],
  [/(^|[./])http\.NewRequest$|^(requests|httpx)\.Request$|^reqwest::(blocking::)?Request::new$/, 1],
  [/(^|[./])http\.NewRequestWithContext$/, 2],
]
const NAMES_IT = /[.:](uri|url|newBuilder)$/

/** The address of a request that is made before it is sent: `NewRequest("GET", url, nil)`, `newBuilder().uri(…).build()`. */
export function requested(value: Value, unit: Unit, before: number, steps = 12): Value | undefined {
  const only = value.is === 'group' && value.of.length === 1 ? value.of[0]! : value
  let call = only.is === 'call' ? unit.calls[only.call] : undefined
  // What is built step by step has its address on one of the steps.
  for (let left = steps; call && left > 0; left--) {
    const at = MAKES.find(([name]) => name.test(call!.name))?.[1]
    if (at !== undefined) return call.args[at] ?? call.named['url']
    if (NAMES_IT.test(call.name) && call.args[0]) return call.args[0]
    const on: Value | null = call.receiver
    const kept: Value | null = on?.is === 'name' && /[.:](build|prepare)$/.test(call.name)
      ? unit.writes.findLast(w => w.target === on.path && w.span.start < before)?.value ?? null
      : on
    call = kept?.is === 'call' ? unit.calls[kept.call] : undefined
  }
  return undefined
}

const FIELD = /[.](\w*(?:ur[il]|href|link|endpoint|address|host)\w*)$/i
const LIST = /(^|[.:])(of|asList|listOf|tuple|list|iter|arguments)$|\{\}$/

/** An outer address among those that a name goes through: a loop over a list of them, a row of a table, a parameter with a list for it. */
export function oneOf(path: string, unit: Unit, view: View): string | undefined {
  const field = FIELD.exec(path)
  const root = field ? path.slice(0, field.index) : path
  const kept = keptOf(root, unit, view.facts)
  const texts = kept ? [...literalsIn(kept.value, kept.in, view)] : unit.params.includes(root) ? given(root, unit) : []
  return texts.find(t => outsideHost(t)?.documentation === false)
}

function* literalsIn(value: Value, unit: Unit, view: View, depth = 0): Generator<string> {
  if (depth > 5) return
  if (value.is === 'literal' && typeof value.value === 'string' && depth > 0) yield value.value
  if (value.is === 'group') { for (const v of value.of) yield* literalsIn(v, unit, view, depth + 1) }
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (call && LIST.test(call.name) && !/Client\{\}$/.test(call.name)) {
    for (const v of [...call.args, ...Object.values(call.named)]) yield* literalsIn(v, unit, view, depth + 1)
  }
  const kept = value.is === 'name' && depth > 0 ? keptOf(value.path, unit, view.facts) : undefined
  if (kept) yield* literalsIn(kept.value, kept.in, view, depth + 1)
}

/** `@pytest.mark.parametrize("url", ["https://…"])`, `@ValueSource(strings = {"https://…"})`. */
function given(param: string, unit: Unit): string[] {
  const names = new RegExp(`^\\W*(?:\\w+,\\s*)*${param}\\b`)
  const lists = unit.markers.filter(m => (/parametrize$/.test(m.name) ? names.test(m.key ?? '') : /ValueSource$/.test(m.name)))
  return lists.flatMap(m => [...(m.key ?? '').matchAll(/["'](https?:\/\/[^"']+)["']/g)].map(f => f[1]!))
}

/** Clients that are made with the beginning of all their addresses, and how they are told it. */
const BASED =
  /^(axios\.create|got\.extend|ky\.(create|extend)|ofetch\.(\$fetch\.)?create|httpx\.(Async)?Client|aiohttp\.ClientSession|requests_toolbelt\.\S*BaseUrlSession)$/
const BASE = /^(baseURL|base_url|prefixUrl|baseUrl)$/
const ASKS = /(^|[.:])(get|post|put|patch|delete|head|request|stream|options|got|ky)$/

/** The host of a client that was told it when it was made: `axios.create({ baseURL })`, then `client.get('/')`. */
export function basedHost(call: Call, unit: Unit, view: View): Host | undefined {
  const made = ASKS.test(call.name) ? makerOf(call, unit, view) : undefined
  if (!made || !BASED.test(made.call.name)) return undefined
  const base = Object.entries(made.call.named).find(([key]) => BASE.test(key))?.[1]
    ?? (/ClientSession$/.test(made.call.name) ? made.call.args[0] : undefined)
  const path = fold(call.args[0], unit, view.folding)
  const host = typeof path === 'string' && /^\w+:/.test(path) ? undefined : outsideHost(base && fold(base, made.in, view.folding))
  // Nobody keeps a client for an address of the documentation but to look at it.
  return host?.documentation ? undefined : host
}

const TAKES =
  /^(-d|--data\S*|-H|--header|-e|--referer|-A|--user-agent|-x|--proxy|--resolve|-o|--output|-O|-u|--user|-F|--form|-T|-b|-c|-w|--write-out)$/

/** What a command of the shell goes to, where a variable holds it: `curl -s "$API/rates"`. */
export const wordsFor = (call: Call, language: FileFacts['language']): Value[] =>
  (language === 'bash' ? call.args : []).filter((_, i) => {
    const before = call.args[i - 1]
    return !(before?.is === 'literal' && TAKES.test(String(before.value)))
  })

// A simple command: its name as the catalog knows it, its arguments, and the commands it runs in turn.

import { literal, type Resolution, type Span, type Value } from '../../facts/facts.ts'
import { addCall, addRegion, type Result } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { asToken, assertCommand, assertTest, type Word } from './assertions.ts'
import { calculated } from './calculators.ts'
import { CATALOG } from './catalog.ts'
import { asNumber, declares, joined, seconds, testValue, word } from './expressions.ts'
import { ASKS, MAKES_LAST, OBJECTS, OPTIONS, PATHS, QUOTES, SHELLS, TOOLS, WRAPPERS, rowOf } from './frameworks.ts'
import { isOwn, quietly, textOf, type Place, type Scope } from './scope.ts'

type Named = Record<string, Value>

/** Names of the catalog with more than one word, the longest first, by their first. */
const VARIANTS: ReadonlyMap<string, readonly (readonly string[])[]> = variants()

function variants(): Map<string, string[][]> {
  const found = new Map<string, string[][]>()
  for (const row of CATALOG)
    for (const name of typeof row.name === 'string' ? [row.name] : row.name) {
      const [first = '', ...rest] = name.split(' ')
      if (rest.length > 0 && !name.includes('()')) found.set(first, [...(found.get(first) ?? []), rest])
    }
  for (const list of found.values()) list.sort((a, b) => b.length - a.length)
  return found
}

export function command(node: Node, at: Place, scope: Scope, result: Result): Value {
  const named: Named = {}
  const words: Word[] = []
  for (const child of node.children) {
    // `TZ=UTC date` changes the child's environment only.
    if (child.type === 'variable_assignment') named[textOf(field(child, 'name'), scope)] = prefix(child, at, scope)
    else if (child.type === 'herestring_redirect') named['stdin'] = herestring(child, at, scope)
    else if (child.type === 'file_redirect') {
      redirect(child, at, scope)
      duplicate(child, named, scope)
    } else if (child.field === 'name' || child.field === 'argument') words.push(read(child, at, scope))
  }
  if (at.stdin) named['stdin'] = at.stdin
  const stdin = named['stdin']
  return invoke(words, named, node, stdin ? { ...at, stdin } : at, scope, result)
}

function prefix(node: Node, at: Place, scope: Scope): Value {
  const value = field(node, 'value')
  return value ? word(value, at, scope) : literal('')
}

export function herestring(node: Node, at: Place, scope: Scope): Value {
  const text = node.children.find(c => c.named)
  return text ? word(text, at, scope) : literal('')
}

function read(node: Node, at: Place, scope: Scope): Word {
  const inner = node.type === 'command_name' ? node.children[0] ?? node : node
  const value = word(inner, at, scope)
  return { span: inner, literal: value.is === 'literal' ? spelled(inner, value.value, scope) : undefined,
    bare: !/string|concatenation/.test(inner.type), value }
}

/** Numbers keep their spelling: `-0` is a flag of `run`. */
const spelled = (node: Node, value: string | number | boolean | null, scope: Scope): string =>
  typeof value === 'number' ? textOf(node, scope) : String(value)

/** `>&3` and `3>&-` say where a command writes: under the sign, what it is given. The innermost of several is the first to come. */
export function duplicate(node: Node, named: Record<string, Value>, scope: Scope): void {
  const found = /^(\d*)>\s*(?:&\s*(\d+|-)|\/dev\/(?:fd\/(\d+)|stderr\b|stdout\b))/.exec(textOf(node, scope))
  // Into a file, and so not to a reader.
  if (!found && /^1?>>?[^&]/.test(textOf(node, scope))) named['>&'] ??= literal('file')
  if (!found) return
  const target = found[2] ?? found[3] ?? (found[0].endsWith('stderr') ? '2' : '1')
  named[`${found[1] === '1' ? '' : found[1]}>&`] ??= literal(target === '-' ? '-' : Number(target))
}

/** A redirection into a file makes it. */
export function redirect(node: Node, at: Place, scope: Scope): void {
  const sign = node.children.find(c => !c.named)?.type ?? ''
  const destination = field(node, 'destination')
  if (!destination || !sign.includes('>') || sign === '<>' || /^>&-?$/.test(sign)) return
  const path = word(destination, at, scope)
  const text = path.is === 'literal' ? String(path.value) : ''
  if (destination.type === 'process_substitution' || /^\/dev\/(null|stdout|stderr|stdin|tty|fd\/\d+)$/.test(text)) return
  addCall(at.unit, { span: node, name: sign.includes('>>') ? '>>' : '>', resolution: 'global', args: [path], in: at.region,
    result: 'discarded' })
  if (isDateProgram(path) && scope.text.includes('PATH=')) standInForDate(node, at)
}

/** A program of that name, found before the one of the machine, tells what time it is. */
const isDateProgram = (path: Value): boolean => {
  const last = path.is === 'text' ? path.parts.at(-1) : path
  return last?.is === 'literal' && /\/g?date$/.test(String(last.value))
}

/** From here on `date` is what the test wants it to be. */
export function standInForDate(span: Span, at: Place): void {
  addCall(at.unit, { span, name: 'stand-in for date', resolution: 'global', args: [], in: at.region, result: 'discarded' })
}

const PUTS_FILE = /^(cp|ln|mv|install|tee)$/
const STANDS_IN = /^(\w+_)?(stub|mock|fake|shim)(_\w+)?$/i

/** `cp fake-date "$BIN/date"`, `stub date '+%F : echo 2024-01-02'`, `alias date=…`. */
function replacesDate(name: string, words: readonly Word[], scope: Scope): boolean {
  const last = words.at(-1)
  if (PUTS_FILE.test(name)) return last !== undefined && isDateProgram(last.value) && scope.text.includes('PATH=')
  if (name === 'alias') return words.some(w => /^date=/.test(scope.text.slice(w.span.start, w.span.end)))
  return STANDS_IN.test(name) && words[0]?.literal === 'date'
}

const BIN = /^\/(?:usr\/)?(?:local\/)?s?bin\//

/** A command by its words, and before it whatever it runs: `run timeout 5 sleep 1` is three calls. */
function invoke(words: readonly Word[], named: Named, span: Span, at: Place, scope: Scope, result: Result): Value {
  const [first, ...rest] = words
  if (!first) return { is: 'unknown' }
  const plain = first.literal?.replace(/^\\/, '').replace(BIN, '')
  const name = plain ?? ofVariable(first, scope)
    ?? scope.text.slice(first.span.start, first.span.end).replaceAll('"', '').replace(/^\$\{(\w+)\}/, '$$$1')
  const own = isOwn(name, span.start, scope)
  const resolution: Resolution = own ? 'local' : plain === undefined ? 'guess' : 'global'
  if (result === 'used' && !own && (name === 'echo' || (name === 'printf' && !isClock(rest) && rest[0]?.literal !== '-v')))
    return printed(name, rest)
  const computed = own ? undefined : compute(name, rest)
  if (computed) {
    if (name === 'test' && result === 'discarded' && at.asserts) assertTest(at.unit, computed, span, at.region)
    return computed
  }
  const told = own || (name === 'bc' && result !== 'used') ? undefined : calculated(name, rest, named['stdin'])
  if (told) {
    if (result === 'discarded' && at.asserts) assertTest(at.unit, told, span, at.region)
    return told
  }
  const firstRegion = at.unit.regions.length
  const wrapped = plain === undefined ? undefined : innerCommand(name, own, rest, span, at, scope, result)
  const shaped = own
    ? { name, args: rest.map(w => w.value) }
    : isSilentRead(name, rest, scope)
    ? { name: 'sleep', args: [optionsOf(rest, OPTIONS['read']!)['-t']!] }
    : shape(name, rest, named)
  const value = addCall(at.unit, { span, nameSpan: first.span, resolution, receiver: null, named, in: at.region,
    result: heeded(name, named, at, scope) ? 'used' : result, ...shaped })
  handOver(at, firstRegion, value)
  if (plain !== undefined && replacesDate(name, rest, scope)) standInForDate(span, at)
  if (plain !== undefined) aftermath(name, own, rest, span, at, scope, value, wrapped)
  if (result === 'discarded' && at.asserts && plain !== undefined) assertCommand(name, rest, span, at, scope, wrapped)
  return wrapped && !own && passesThrough(name) && !(name === 'time' && scope.text.includes('TIMEFORMAT=')) ? wrapped : value
}

/** `"$PGBIN/pg_ctl"`: in whatever folder, a tool whose options are known goes by its name. */
function ofVariable({ span }: Word, scope: Scope): string | undefined {
  const name = /^"?\$\{?\w+\}?"?\/([\w-]+)"?$/.exec(scope.text.slice(span.start, span.end))?.[1]
  return name !== undefined && rowOf(OPTIONS, name) ? name : undefined
}

/** bats ends the test where a command that stands alone fails, and `read -t` fails when the time is up. */
const heeded = (name: string, named: Named, at: Place, scope: Scope): boolean =>
  name === 'read' && '-t' in named && at.asserts && scope.runner === 'bats'

/** `test` and `expr` are spelled as commands, but they are operators. */
function compute(name: string, words: readonly Word[]): Value | undefined {
  if (name === 'test') return testValue(words.map(asToken))
  if (name !== 'expr' || words.length !== 3 || !/^[-+*/%]$/.test(words[1]!.literal ?? '')) return undefined
  return { is: 'op', op: words[1]!.literal!, of: [words[0]!.value, words[2]!.value].map(asNumber) }
}

/** What the command prints is what the command it runs prints. */
function passesThrough(name: string): boolean {
  const wrapper = rowOf(WRAPPERS, name)
  return SHELLS.has(name) || name === 'eval' || (wrapper !== undefined && !wrapper.captures && !wrapper.repeats)
}

function handOver(at: Place, from: number, value: Value): void {
  if (value.is !== 'call') return
  for (let i = from; i < at.unit.regions.length; i++) {
    const region = at.unit.regions[i]!
    if (region.kind === 'closure' && region.in === at.region && region.call === undefined)
      at.unit.regions[i] = { ...region, call: value.call }
  }
}

/** What `$(echo …)` and `$(printf …)` give is text. */
function printed(name: string, words: readonly Word[]): Value {
  const parts = words.filter(w => !(name === 'echo' && w.bare && /^-[neE]+$/.test(w.literal ?? ''))).map(w => w.value)
  // One line for each.
  if (name === 'printf' && words[0]?.literal?.replace('\\n', '\n') === '%s\n' && parts.length > 2 && parts.every(p => p.is === 'literal'))
    return literal(parts.slice(1).map(p => (p.is === 'literal' ? String(p.value) : '')).join('\n'))
  return parts.length === 1 ? parts[0]! : parts.every(p => p.is === 'literal') ? joined(parts) : { is: 'text', parts }
}

// ---------------------------------------------------------------------------------- commands run by commands

function innerCommand(name: string, own: boolean, words: readonly Word[], span: Span, at: Place, scope: Scope, result: Result):
  | Value
  | undefined
{
  if (SHELLS.has(name) && !own) return shellScript(words, at, scope)
  if (QUOTES.test(name) && words[0])
    return quotedScript(words[0],
      /try_until/.test(name) ? addRegion(at.unit, { kind: 'closure', in: at.region, span: words[0].span }) : at.region, at, scope)
  if (name === 'eval' && words.length === 1) return quotedScript(words[0]!, at.region, at, scope)
  if (name === 'trap' ? words.length > 1 : name === 'test_when_finished' && words.length === 1)
    return quotedScript(words[0]!, addRegion(at.unit, { kind: 'closure', in: at.region, span }), at, scope)
  if ((name === 'assert' || name === 'refute') && words[0] && isCommand(words[0]) && !isOperator(words[1]))
    return invoke(words, {}, after(words[0].span, span), quietly(at), scope, 'used')
  const wrapper = rowOf(WRAPPERS, name)
  if (!wrapper || (own && !wrapper.captures && !wrapper.repeats)) return undefined
  if (wrapper.unless && words.some(w => wrapper.unless!.includes(w.literal ?? ''))) return undefined
  const env: Named = {}
  const start = commandStart(words, wrapper, env)
  const inner = words.slice(start)
  const head = inner[0]
  if (head?.literal === undefined || (inner.length > 0 && !head.bare && /[\s;|&]/.test(head.literal))) return undefined
  const region = wrapper.repeats ? addRegion(at.unit, { kind: 'closure', in: at.region, span: after(head.span, span) }) : at.region
  const as: readonly Word[] = wrapper.as ? [{ ...head, literal: wrapper.as, value: literal(wrapper.as) }, ...inner] : inner
  const place: Place = { ...quietly(at), region, ...(at.stdin && { stdin: at.stdin }) }
  return invoke(as, env, after(head.span, span), place, scope, wrapper.captures || wrapper.repeats ? 'used' : result)
}

const after = (from: Span, to: Span): Span => ({ start: from.start, end: to.end })
const isCommand = ({ bare, literal: text }: Word): boolean => bare && text !== 'test' && /^[a-z_]\w*$/i.test(text ?? '')
const isOperator = (word: Word | undefined): boolean => /^(=|==|!=|=~|!~|-eq|-ne|-lt|-le|-gt|-ge)$/.test(word?.literal ?? '')

/** Where the command begins behind flags, their values, assignments and leading arguments. */
function commandStart(words: readonly Word[], wrapper: (typeof WRAPPERS)[string], env: Named): number {
  let lead = wrapper.lead ?? 0
  let i = 0
  for (; i < words.length; i++) {
    const { literal: text, value, bare } = words[i]!
    if (text === '--') return i + 1 + lead
    const assigned = /^([A-Za-z_]\w*)=(.*)$/s.exec(
      text ?? (value.is === 'text' && value.parts[0]?.is === 'literal' ? String(value.parts[0].value) : ''),
    )
    if (text !== undefined && bare && /^(-.+|!|\?)$/.test(text)) {
      if (wrapper.valued?.includes(text)) i++
      if (wrapper.captures && /^(!|-[1-9]\d*)$/.test(text)) env['?'] = literal(text === '!' ? true : Number(text.slice(1)))
    } else if (assigned) env[assigned[1]!] = text === undefined ? value : literal(assigned[2]!)
    else if ((wrapper.repeats || wrapper.as) && /^(\d+(\+\w+)?|\?)$/.test(text ?? '')) {
      // The status it is meant to end with.
      if (wrapper.as && /^[1-9]\d*$/.test(text!)) env['?'] = literal(Number(text))
    } else if (lead > 0) lead--
    else break
  }
  return i
}

/** `bash -c '…'`: the flags may be written together (`-ec`). */
function shellScript(words: readonly Word[], at: Place, scope: Scope): Value | undefined {
  const flag = words.findIndex(w => /^-[a-z]*c$/.test(w.literal ?? ''))
  const script = flag < 0 ? undefined : words[flag + 1]
  if (!script) return undefined
  const value = quotedScript(script, addRegion(at.unit, { kind: 'subshell', in: at.region, span: script.span }), at, scope)
  return value?.is === 'unknown' ? undefined : value
}

/**
 * Only a script that stands in the file as it is run can be read in place; one that calls something while it is quoted is not read twice.
 */
function quotedScript(word: Word, region: number, at: Place, scope: Scope): Value | undefined {
  const source = scope.text.slice(word.span.start, word.span.end)
  const inside: Place = { ...quietly(at), region }
  const quote = source[0]
  if (quote !== '"' && quote !== "'") return /^[\w-]+$/.test(source) ? scope.script(source, word.span.start, inside) : undefined
  if (source.length < 2 || source.at(-1) !== quote) return undefined
  const script = source.slice(1, -1)
  if (quote === "'") return script.includes("'") ? undefined : scope.script(script, word.span.start + 1, inside)
  if (/\$\(|`|(?<!\\)\$(\$|\{?(RANDOM|SRANDOM|SECONDS|EPOCH\w+|BASHPID|BATS_\w+))/.test(script.replace(/\\[$`]/g, '..'))) return undefined
  // `\$x` in double quotes is `$x` to the inner shell; a blank keeps the length.
  return scope.script(script.replace(/\\(["$`\\])/g, ' $1'), word.span.start + 1, inside)
}

// ------------------------------------------------------------------------------------------ names, arguments

/** `read -t 0.5 <> <(:)`: nobody ever writes there, so it is a pause. */
const isSilentRead = (name: string, words: readonly Word[], scope: Scope): boolean =>
  name === 'read' && /^[^#\n]*<>\s*<\(\s*:\s*\)/m.test(scope.text) && targets(words).length === 0
  && '-t' in optionsOf(words, OPTIONS['read']!)

const PAUSES = [
  /^\s*select\s*\(?\s*undef,\s*undef,\s*undef,\s*([\d.]+|shift|\$ARGV\[0\])\s*\)?\s*;?\s*$/,
  /^\s*(?:use Time::HiRes[^;]*;\s*)?(?:Time::HiRes::)?sleep\s*\(?\s*([\d.]+|shift|\$ARGV\[0\])\s*\)?\s*;?\s*$/,
  /^\s*import time\s*;\s*time\.sleep\(([\d.]+)\)\s*$/,
  /^\s*from time import sleep\s*;\s*sleep\(([\d.]+)\)\s*$/,
]

/** `perl -e 'select(undef, undef, undef, 0.25)'`: another language is asked for nothing but a pause. */
function scriptedPause(name: string, words: readonly Word[]): Value | undefined {
  const flag = /^(perl|ruby|python[\d.]*)$/.test(name) ? words.findIndex(w => /^-[a-zA-Z]*[ecE]$/.test(w.literal ?? '')) : -1
  const script = flag < 0 ? undefined : words[flag + 1]?.literal
  const told = script === undefined ? undefined : PAUSES.map(p => p.exec(script)?.[1]).find(t => t !== undefined)
  return told === undefined ? undefined : /^[\d.]+$/.test(told) ? literal(Number(told)) : words[flag + 2]?.value
}

/** `set timeout 1` in a script of expect holds for every prompt. */
function promptLimit(words: readonly Word[], stdin: Value | undefined): Value | undefined {
  const given = [stdin, ...words.map(w => w.value)].flatMap(v => (v?.is === 'text' ? v.parts : v ? [v] : []))
  const told = given.map(
    v => (v.is === 'literal' ? /^\s*set timeout (\d+)\s*$/m.exec(String(v.value).replaceAll(';', '\n'))?.[1] : undefined),
  ).find(t => t !== undefined)
  return told === undefined ? undefined : literal(Number(told))
}

/** The name as the catalog spells it, and arguments where it expects them. */
function shape(name: string, words: readonly Word[], named: Named): { name: string; args: Value[] } {
  const options = rowOf(OPTIONS, name)
  if (options) Object.assign(named, optionsOf(words, options))
  const values = words.map(w => w.value)
  const paused = scriptedPause(name, words)
  if (paused) return { name: 'sleep', args: [paused] }
  const prompt = name === 'expect' ? promptLimit(words, named['stdin']) : undefined
  if (prompt) named['timeout'] = prompt
  if (name === 'date' || name === 'gdate')
    return { name: isFixedDate(words) ? `${name} -d` : hasFlag(words, '-s') ? 'date -s' : name, args: values }
  if (name === 'printf' && isClock(words)) return { name: 'printf %()T', args: values }
  if (name === 'sleep' || name === 'gsleep') return { name, args: total(values.map(seconds)) }
  if (name === 'timeout' || name === 'gtimeout') return { name, args: timeoutArgs(words) }
  const paths = rowOf(PATHS, name)
  if (paths) return { name, args: positional(words, paths, named) }
  if (MAKES_LAST.has(name)) {
    const last = positional(words, ['-m', '--mode', '-o', '-g', '-S'], {}).at(-1)
    if (last) named['to'] = last
    return { name, args: values }
  }
  const tool = /^python[\d.]*$/.test(name) ? 'python' : name
  const port = portOf(tool, words, named)
  if (port) named['port'] = port
  const url = urlOf(words)
  if (url) named['url'] = url
  return variantOf(tool, name, words)
}

/** `kubectl -n x wait`: what is asked stands behind whom it is asked of. */
function behindGlobals(tool: string, words: readonly Word[]): readonly Word[] {
  if (!/^(kubectl|oc|helm)$/.test(tool)) return words
  let at = 0
  while (/^-/.test(opening(words[at])))
    at += /^(-n|-s|--(namespace|context|kubeconfig|kube-context|cluster|user|server|as))$/.test(opening(words[at])) ? 2 : 1
  return words.slice(at)
}

const opening = (word: Word | undefined): string =>
  word?.literal ?? (word?.value.is === 'text' && word.value.parts[0]?.is === 'literal' ? String(word.value.parts[0].value) : '')

/** `git -C x clone` is not seen as `git clone`: the subcommand must come first, flags may stand anywhere. */
function variantOf(tool: string, name: string, all: readonly Word[]): { name: string; args: Value[] } {
  const words = behindGlobals(tool, all)
  for (const tail of VARIANTS.get(tool) ?? []) {
    const verbs = tail.filter(t => !t.startsWith('-') && tool !== 'python')
    const flags = tail.filter(t => t.startsWith('-') && tool !== 'python')
    const module = tool === 'python' && words.findIndex((w, i) => w.literal === '-m' && words[i + 1]?.literal === tail[1]) < 0
    if (module || !verbs.every((v, i) => words[i]?.literal === v) || !flags.every(f => hasFlag(words, f))) continue
    return { name: [tool, ...tail].join(' '), args: words.slice(verbs.length).map(w => w.value) }
  }
  const verbs = TOOLS.has(tool) ? words.slice(0, OBJECTS.has(words[0]?.literal ?? '') ? 2 : 1) : []
  if (verbs.length > 0 && verbs.every(w => w.bare && /^[a-z][a-z-]*$/.test(w.literal ?? '')))
    return { name: [tool, ...verbs.map(w => w.literal)].join(' '), args: words.slice(verbs.length).map(w => w.value) }
  return { name, args: words.map(w => w.value) }
}

/** `-u` is also in `-du`. */
function hasFlag(words: readonly Word[], flag: string): boolean {
  const letter = flag.length === 2 ? flag[1]! : undefined
  return words.some(w =>
    w.literal === flag || (w.bare && letter !== undefined && /^-[a-zA-Z]+$/.test(w.literal ?? '') && w.literal!.includes(letter))
  )
}

function optionsOf(words: readonly Word[], options: Readonly<Record<string, string>>): Named {
  const found: Named = {}
  words.forEach((w, i) => {
    const exact = w.literal === undefined ? undefined : rowOf(options, w.literal)
    if (exact && words[i + 1]) found[exact] ??= seconds(words[i + 1]!.value)
    const joint = w.literal?.startsWith('--') ? w.literal.indexOf('=') : -1
    const key = joint > 0 ? rowOf(options, w.literal!.slice(0, joint)) : undefined
    if (key) found[key] ??= seconds(literal(w.literal!.slice(joint + 1)))
    const start = w.value.is === 'text' && w.value.parts[0]?.is === 'literal' ? String(w.value.parts[0].value) : ''
    const begun = start.startsWith('--') && start.endsWith('=') ? rowOf(options, start.slice(0, -1)) : undefined
    if (begun && w.value.is === 'text') found[begun] ??= joined(w.value.parts.slice(1))
  })
  return found
}

/** Flags go under their own name, what they take is dropped; the rest are the paths. */
function positional(words: readonly Word[], valued: readonly string[], named: Named): Value[] {
  const paths: Value[] = []
  for (let i = 0; i < words.length; i++) {
    const { literal: text, value, bare } = words[i]!
    if (!bare || text === undefined || !/^-./.test(text)) paths.push(value)
    else {
      named[text] = literal(true)
      if (valued.includes(text)) i++
    }
  }
  return paths
}

/** `sleep 1m 30` is ninety seconds. */
function total(values: readonly Value[]): Value[] {
  if (values.length < 2 || !values.every(v => v.is === 'literal' && typeof v.value === 'number')) return [...values]
  return [literal(values.reduce((sum, v) => sum + (v.is === 'literal' ? Number(v.value) : 0), 0))]
}

function timeoutArgs(words: readonly Word[]): Value[] {
  let i = 0
  while (i < words.length && words[i]!.bare && words[i]!.literal?.startsWith('-'))
    i += /^(-k|-s|--kill-after|--signal)$/.test(words[i]!.literal!) ? 2 : 1
  const [limit, ...rest] = words.slice(i).map(w => w.value)
  return limit ? [seconds(limit), ...rest] : []
}

const RELATIVE =
  /\b(now|today|yesterday|tomorrow|ago|next|last|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)\b|^[-+]\s*\d/i
const ABSOLUTE = /@|\d{4}-\d\d|\d\d:\d\d|^\d{8}/

/** `date -d 2020-01-01` and `date -r file` say nothing of now; `date -d '1 hour ago'` does. */
function isFixedDate(words: readonly Word[]): boolean {
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const start = word.literal
      ?? (word.value.is === 'text' && word.value.parts[0]?.is === 'literal' ? String(word.value.parts[0].value) : '')
    if (!/^(-[a-zA-Z]*[drf](?![a-z])|--date|--reference|--file)/.test(start) || start.startsWith('-I')) continue
    const inline = start.replace(/^(-[a-zA-Z]*?[drf]|--\w+=?)/, '')
    const given = inline !== '' ? inline : words[i + 1]?.literal ?? ''
    return !RELATIVE.test(given) || ABSOLUTE.test(given)
  }
  return false
}

/** `printf '%(%F)T' -1` prints the time; with a number of seconds it prints that time. */
function isClock(words: readonly Word[]): boolean {
  const format = words.findIndex(w => /%\([^)]*\)T/.test(w.literal ?? ''))
  return format >= 0 && (words[format + 1] === undefined || words[format + 1]!.literal === '-1')
}

const NETWORK = /^(?:[a-z][\w+.-]*:\/\/|[\w.-]+@[\w.-]+:)/i

function urlOf(words: readonly Word[]): Value | undefined {
  const start = (v: Value): string => (v.is === 'literal' ? String(v.value) : v.is === 'text' && v.parts[0] ? start(v.parts[0]) : '')
  return words.find(w => NETWORK.test(start(w.value)))?.value
}

/** The port a command listens on, where its words say so. */
function portOf(tool: string, words: readonly Word[], named: Named): Value | undefined {
  if (/^(nc|ncat|netcat)$/.test(tool) && hasFlag(words, '-l'))
    return named['-p'] ?? words.findLast(w => /^\d+$/.test(w.literal ?? '') || w.value.is !== 'literal')?.value
  if (tool === 'python') {
    const module = words.findIndex(w => /^(http\.server|SimpleHTTPServer)$/.test(w.literal ?? ''))
    if (module < 0) return undefined
    const given = words[module + 1]
    return given && !given.literal?.startsWith('-') ? given.value : literal(8000)
  }
  if (tool === 'socat') return listenPort(words)
  if (tool === 'php' && named['-S']) return hostPort(named['-S'], -1)
  return named['-p'] && /^(docker|podman|nerdctl)$/.test(tool) ? hostPort(named['-p'], -2) : undefined
}

function listenPort(words: readonly Word[]): Value | undefined {
  for (const { value } of words) {
    const head = value.is === 'literal'
      ? String(value.value)
      : value.is === 'text' && value.parts[0]?.is === 'literal'
      ? String(value.parts[0].value)
      : ''
    const listens = /^[a-z\d]+-l(?:isten)?:(\d*)/i.exec(head)
    if (!listens || /^unix/i.test(head)) continue
    if (listens[1] !== '') return literal(Number(listens[1]))
    return value.is === 'text' ? value.parts[1] : undefined
  }
  return undefined
}

/** `-p 127.0.0.1:8080:80` publishes at 8080, `-p 80` wherever there is room. */
function hostPort(value: Value, place: number): Value | undefined {
  if (value.is === 'literal') {
    const port = String(value.value).split(':').at(place)
    return port && /^\d+$/.test(port) && String(value.value).includes(':') ? literal(Number(port)) : undefined
  }
  return value.is === 'text' ? value.parts.find(p => p.is !== 'literal') : undefined
}

// ------------------------------------------------------------------------------- what a command leaves behind

function aftermath(name: string, own: boolean, words: readonly Word[], span: Span, at: Place, scope: Scope, value: Value,
  wrapped: Value | undefined): void
{
  const { unit, region } = at
  const write = (target: string, given: Value) =>
    unit.writes.push({ span, target, value: given, in: region, declares: declares(target, at, scope), adds: false })
  if (rowOf(WRAPPERS, name)?.captures || (own && /^run_\w+$/.test(name))) {
    write('status', value)
    write('output', wrapped ?? value)
    write('lines', { is: 'group', of: [wrapped ?? value] })
  }
  if (own) return
  switch (name) {
    case 'read':
    case 'mapfile':
    case 'readarray': {
      const from = at.stdin ?? at.input ?? value
      for (const target of targets(words)) write(target, from)
      return
    }
    case 'printf':
      if (words[0]?.literal === '-v' && words[1]?.literal)
        write(words[1].literal, isClock(words) ? value : { is: 'text', parts: words.slice(2).map(w => w.value) })
      else if (unit.role.is === 'helper' && !at.redirected) unit.returns.push(printed(name, words))
      return
    case 'echo':
      if (unit.role.is === 'helper' && !at.redirected) unit.returns.push(printed(name, words))
      return
    case 'load':
    case 'source':
    case '.':
    case 'bats_load_library':
    case 'bats_load_safe': {
      if (words[0]) scope.imports.push({ span, local: '*', name: pathOf(words[0], scope) })
      return
    }
    case 'set':
      return errexit(words, span, at, scope)
    default:
      return skipCommand(name, words, span, at, scope)
  }
}

function targets(words: readonly Word[]): string[] {
  const names: string[] = []
  for (let i = 0; i < words.length; i++) {
    const text = words[i]!.literal
    if (text?.startsWith('-')) i += /^-[a-zA-Z]*[tndpuNiOsCck]$/.test(text) && !/^-r?s$/.test(text) ? 1 : 0
    else if (text !== undefined && /^[A-Za-z_]\w*$/.test(text)) names.push(text)
  }
  return names
}

const THIS_FILE = '(?:\\$0|\\$\\{?BASH_SOURCE(?:\\[0\\])?\\}?|\\$\\{?BATS_TEST_FILENAME\\}?)'
const HERE = new RegExp(
  `^(?:\\$\\{?BATS_TEST_DIRNAME\\}?|\\$\\(dirname\\s+(?:--\\s+)?${THIS_FILE}\\)|\\$\\{BASH_SOURCE(?:\\[0\\])?%/\\*\\})(?=/|$)`,
)

/** The path as it is written, from the file's own folder where it says so. */
function pathOf(word: Word, scope: Scope): string {
  return (word.literal ?? scope.text.slice(word.span.start, word.span.end).replace(/["']/g, '')).replace(HERE, '.')
}

/** Between `set +e` and `set -e` nothing fails, unless somebody looks at `$?`. */
function errexit(words: readonly Word[], span: Span, at: Place, scope: Scope): void {
  const text = words.map(w => w.literal ?? '').join(' ')
  if (/^\+[a-z]*e|^\+o errexit/.test(text)) scope.lax.set(at.unit, { span, firstCall: at.unit.calls.length, region: at.region })
  else if (/^-[a-z]*e|^-o errexit/.test(text)) closeErrexit(at.unit, scope, at.unit.calls.length - 1)
}

export function closeErrexit(unit: Place['unit'], scope: Scope, end: number): void {
  const open = scope.lax.get(unit)
  if (!open) return
  scope.lax.delete(unit)
  const looksAtStatus = unit.writes.some(w => w.span.start > open.span.start && w.value.is === 'name' && w.value.path === '?')
  if (looksAtStatus || end <= open.firstCall) return
  const calls = Array.from({ length: end - open.firstCall }, (_, i) => open.firstCall + i)
  unit.swallows.push({ span: open.span, how: 'set +e', calls, text: calls.map(i => unit.calls[i]!.name).join(' '), in: open.region })
}

/** `run which jq; [ "$status" -eq 0 ] || skip` hangs on `which jq`, not on how something went. */
function asked({ unit, guard }: Place, scope: Scope): string | undefined {
  if (!/\$\{?status\b/.test(guard ?? '')) return undefined
  const ran = unit.writes.findLast(w => w.target === 'output')?.value
  const call = ran?.is === 'call' ? unit.calls[ran.call] : undefined
  if (!call) return undefined
  const text = scope.text.slice(call.span.start, call.span.end)
  return ASKS.has(call.name) || /(\s|-)(version|help|info)$|\s-[vVh]$/.test(text) ? text : undefined
}

function skipCommand(name: string, words: readonly Word[], span: Span, at: Place, scope: Scope): void {
  const reason = words[0] ? words[0].literal ?? scope.text.slice(words[0].span.start, words[0].span.end).replace(/^"|"$/g, '') : null
  if (name === 'skip' || name === 'startSkipping')
    at.unit.skips.push({ span, how: name, reason, condition: at.guard && (asked(at, scope) ?? at.guard) })
  else if (/^_?skip_(if|unless)/.test(name))
    at.unit.skips.push({ span, how: name, reason, condition: at.guard ?? name.replace(/^_?skip_(if_)?/, '').replaceAll('_', ' ') })
}

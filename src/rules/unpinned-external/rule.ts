import type { Call, Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { effectOf, argumentOf, isTestCode } from '../../facts/query.ts'
import { isToFail } from '../../flow/hosts.ts'
import { defineRule, type FileView } from '../rule.ts'
import { confidenceOf, least } from '../wording.ts'

export default defineRule(
  {
    id: 'unpinned-external', title: 'A test starts or installs something by a name that means another version tomorrow', category: 'environment', severity: 'warning',
    triggers: ['external'], confirm: ['net-off'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      const told = new Set<string>()
      for (const call of unit.calls) {
        const effect = effectOf(call, 'external')
        const loose = effect && !isToFail(call) && (effect.what === 'image' ? imageIn(call, argumentOf(call, effect), unit, view) : packageIn(call, unit, view))
        if (!loose || told.has(loose)) continue
        told.add(loose)
        yield { at: call.span, unit: unit.id, confidence: least(confidenceOf(call), 'medium'), message: `${loose} names no version: tomorrow's test runs against something else` }
      }
    }
  },
)

/** The image: a text without a digest, whose tag is missing or moves. */
function imageIn(call: Call, value: Value | undefined, unit: Unit, view: FileView): string | undefined {
  const inner = value?.is === 'call' ? unit.calls[value.call]?.args[0] : value
  const text = fold(inner ?? firstWord(call.args, unit, view), unit, view.folding)
  if (typeof text !== 'string' || !isImage(text) || text.includes('@') || /^(localhost|docker-archive|oci|dir|containers-storage)\b/.test(text)) return undefined
  // In a command line a bare word may as well be a command: only a path of a registry or a tag makes it an image.
  if (!inner && !/[/:]/.test(text)) return undefined
  return !/:[^/]+$/.test(text) || /:(latest|stable|edge|nightly|main|master)$/.test(text) ? text : undefined
}

/** The first word of a command line that is no flag and no value of one. */
function firstWord(words: readonly Value[], unit: Unit, view: FileView): Value | undefined {
  const isFlag = (v: Value | undefined) => v !== undefined && /^-/.test(String(fold(v, unit, view.folding) ?? (v.is === 'text' ? fold(v.parts[0], unit, view.folding) : '')))
  return words.find((word, i) => !isFlag(word) && !takesValue(words[i - 1], unit, view))
}

const isImage = (text: string): boolean => /^[a-z0-9][a-z0-9._/-]*(:[\w.-]+)?(@sha256:\w+)?$/.test(text) && text.length > 2

/** `-v x`, `--name x`: the word behind such a flag is not the image. */
function takesValue(before: Value | undefined, unit: Unit, view: FileView): boolean {
  const flag = fold(before, unit, view.folding)
  return typeof flag === 'string' && /^-/.test(flag) && !flag.includes('=') && !/^(-[dit]+|--(rm|detach|interactive|tty|privileged|init|read-only|quiet|replace|tls-verify))$/.test(flag)
}

/** The first package on the command line that has no version. */
function packageIn(call: Call, unit: Unit, view: FileView): string | undefined {
  const words = call.args.map(a => fold(a, unit, view.folding))
  if (words.some(w => typeof w === 'string' && /^(-r|-c|-e|--requirement|--editable|--no-index|--offline|--locked|--help|-h|--version)$/.test(w))) return undefined
  const first = words.find((w): w is string => typeof w === 'string' && /^[@A-Za-z]/.test(w))
  if (!first || /[=<>~]|@[v\d^~]/.test(first.slice(1)) || /^(\.|\/|\w+:\/\/|\w+\.(whl|tgz|gz|txt)$)/.test(first) || first.includes('$')) return undefined
  return `${call.name} ${first}`
}

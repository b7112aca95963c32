import type { Call, Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { argumentOf, effectOf, has, isTestCode } from '../../facts/query.ts'
import { isToFail } from '../../flow/hosts/hosts.ts'
import { commandOf, fetchOf, looseImage, looseImageIn, loosePackage } from '../../flow/hosts/installs.ts'
import { defineRule, type FileView } from '../rule.ts'
import { confidenceOf, least } from '../wording.ts'
import { COMMANDS } from './words.ts'

export default defineRule(
  {
    id: 'unpinned-external',
    title: 'A test starts or installs something by a name that means another version tomorrow',
    category: 'environment',
    severity: 'warning',
    triggers: ['external'],
    words: COMMANDS,
    confirm: ['net-off'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      const told = new Set<string>()
      for (const call of unit.calls) {
        const loose = isToFail(call) ? undefined : fetched(call, unit, view)
        if (!loose || told.has(loose) || isMade(loose, view)) continue
        told.add(loose)
        yield { at: call.span, unit: unit.id, confidence: least(confidenceOf(call), 'medium'),
          message: `${loose} names no version: tomorrow's test runs against something else` }
      }
    }
  },
)

function fetched(call: Call, unit: Unit, view: FileView): string | undefined {
  const effect = effectOf(call, 'external')
  const words = (values: readonly Value[]) => values.map(a => fold(a, unit, view.folding)).map(w => (typeof w === 'string' ? w : undefined))
  if (effect?.what === 'package') return loosePackage(call.name, words(call.args))
  if (effect) {
    const value = argumentOf(call, effect)
    const inner = value?.is === 'call' ? unit.calls[value.call]?.args[0] : value
    return inner ? looseImage(fold(inner, unit, view.folding)) : looseImageIn(wordsOf(call, unit, view))
  }
  const line = isPlayed(view) ? undefined : commandOf(call, unit, view.folding)
  const fetch = line && fetchOf(line)
  return fetch && (fetch.what === 'image' ? looseImageIn(fetch.words) : loosePackage(fetch.by, fetch.words))
}

/** A flag with something unknown at its end is a flag still: `--volume=$data:/data`. */
const wordsOf = (call: Call, unit: Unit, view: FileView): (string | undefined)[] =>
  call.args.map(a => {
    const whole = fold(a, unit, view.folding), first = a.is === 'text' ? fold(a.parts[0], unit, view.folding) : undefined
    return typeof whole === 'string' ? whole : typeof first === 'string' && first.startsWith('-') ? first : undefined
  })

/** The test itself has built or tagged an image of this name. */
const isMade = (name: string, { facts }: FileView): boolean =>
  facts.units.some(u =>
    u.calls.some(c =>
      /\b(build|tag|commit|import|load)\b/.test(`${c.name} ${c.args.map(a => (a.is === 'literal' ? String(a.value) : '')).join(' ')}`)
      && [...c.args, ...c.args.flatMap(a => (a.is === 'group' ? a.of : []))].some(a =>
        a.is === 'literal' && (a.value === name || a.value === name.replace(/:latest$/, ''))
      )
    )
  )

/** Commands are not run: a stand-in takes them. */
const isPlayed = ({ facts }: FileView): boolean =>
  facts.units.some(u =>
    u.calls.some(c =>
      has(c, 'mock', 'stub', 'restore')
      && c.args.some(a => a.is === 'literal' && /child_process|subprocess|execa|cross-spawn/.test(String(a.value)))
    )
  )

// Which values are rounded: results of arithmetic on fractions, whose last digits depend on the order and the machine.

import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { valuesIn } from '../../facts/query.ts'
import { keptIn } from '../zones/zone.ts'

/** Sums over many numbers, and functions that only come close. */
const AGGREGATES =
  /^(numpy\.(mean|nanmean|average|cumsum|interp|gradient|std|var|dot|matmul|trapz|cov|corrcoef|median|percentile|quantile|exp|log|sqrt|linalg\.\w+)|statistics\.(mean|fmean|stdev|pstdev|variance)|math\.(exp|log|sqrt|sin|cos|tan|pow|dist|hypot)|Math\.(exp|log|sqrt|sin|cos|tan|pow|hypot)|\?\.(mean|std|var|score|log_loss|norm|cov|corr|cumsum|softmax)|(\?|\w+)\.(predict_(log_)?proba|decision_function|score_samples|inverse_transform)|(torch|tensorflow|jax|scipy)\.(\w+\.)*(matmul|softmax|mean|std|fft|ifft|rfft|solve|inv|svd|conv\w*)|numpy\.fft\.\w+)$/
const TIMES =
  /(^|[._])(started|expires|finished|stopped|created|start|stop|end|time|now|deadline|at|mono|elapsed|duration|t\d?)$|_(at|time|mono|ts)(_\w+)?$/
/** Functions of the project whose names say that they add up many fractions or turn angles. */
const RECKONS =
  /(^|[.:_a-z])(mean|average|variance|std_?dev|normali[sz]e|haversine|cosine|distance|bearing|correlation|entropy|softmax|centroid|radians)([A-Z_]\w*)?$/i
const SUMS = /[.:](sum|reduce|fold|average|mean|product)$/
const SPLITS = /[.:](par_iter|into_par_iter|par_bridge|par_chunks|parallelStream|parallel)$/

export interface Rounded {
  /** `table`: an expected value that is reckoned in the test. */
  readonly how: 'times' | 'aggregate' | 'arithmetic' | 'parallel' | 'table'
}

type File = Pick<FileFacts, 'units'>

export function rounded(file: File, unit: Unit, value: Value | undefined, offset: number, depth = 0): Rounded | undefined {
  if (!value || depth > 4) return undefined
  if (value.is === 'name') {
    const kept = keptIn(file, unit, value.path, offset)
    if (isAddedUp(file, unit, value.path)) return { how: 'arithmetic' }
    if (!kept) return undefined
    return value.path.includes('.')
      ? ofField(file, kept.unit, kept.value, value.path)
      : rounded(file, kept.unit, kept.value, kept.offset, depth + 1)
  }
  // A list of one, or a comprehension: what it makes, then what it goes over.
  if (value.is === 'group')
    return value.of.length < 3
      ? value.of.filter((v, i) => i === 0 || v.is === 'call').map(v => rounded(file, unit, v, offset, depth + 1)).find(r =>
        r?.how === 'aggregate' || value.of.length === 1
      )
      : undefined
  if (value.is === 'call') return ofCall(file, unit, unit.calls[value.call])
  if (value.is !== 'op' || value.of.length !== 2 || !/^[-+*/]$/.test(value.op)) return undefined
  if (value.op === '-' && value.of.every(v => v.is === 'name' && v.path.includes('.') && TIMES.test(v.path))) return { how: 'times' }
  const inner = value.of.map(v => rounded(file, unit, v, offset, depth + 1)).find(r => r !== undefined)
  return inner
    ?? (value.of.some(v => isFraction(v) || (v.is === 'name' && isFraction(keptIn(file, unit, v.path, offset)?.value)))
      ? { how: 'arithmetic' }
      : undefined)
}

/** `Math.pow(2, 51)`: powers of whole numbers are whole numbers. */
const isWhole = ({ name, args }: Call): boolean =>
  /pow$/.test(name) && args.length === 2 && args.every(a => a.is === 'literal' && Number.isInteger(a.value) && Number(a.value) >= 0)

/** The test itself hands in the very number that it expects: it is carried over, or stays as it is. */
export function isCarried(unit: Unit, expected: Value): boolean {
  if (expected.is === 'group') return expected.of.some(isFraction) && expected.of.every(e => !isFraction(e) || isCarried(unit, e))
  const isOutside = ({ span }: { readonly span: Span }) => !unit.assertions.some(a => a.span.start <= span.start && a.span.end >= span.end)
  const given = [...unit.calls.filter(isOutside).flatMap(c => [...c.args, ...Object.values(c.named)]),
    ...unit.writes.filter(isOutside).map(w => w.value)]
  const number = numberIn(expected)
  return number !== undefined && given.some(v => [...valuesIn(v, unit)].some(n => numberIn(n) === number))
}

const ofCall = (file: File, unit: Unit, call: Call | undefined): Rounded | undefined =>
  !call || isWhole(call)
    ? undefined
    : isParallelSum(unit, call) || givesParallelMean(file, call)
    ? { how: 'parallel' }
    : AGGREGATES.test(call.name)
    ? { how: 'aggregate' }
    : SUMS.test(call.name) && holdsFractions(file, unit, call.receiver)
    ? { how: 'arithmetic' }
    : undefined

/** A list of the test's own with a fraction in it, through whatever goes over it. */
function holdsFractions(file: File, unit: Unit, value: Value | null | undefined, depth = 0): boolean {
  if (!value || depth > 6) return false
  if (value.is === 'group') return value.of.some(v => isFraction(v) || (v.is === 'group' && holdsFractions(file, unit, v, depth + 1)))
  if (value.is === 'name') {
    const kept = keptIn(file, unit, value.path, Infinity)
    return kept !== undefined && holdsFractions(file, kept.unit, kept.value, depth + 1)
  }
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  return call !== undefined
    && (holdsFractions(file, unit, call.receiver, depth + 1)
      || (/[.:](of|stream|iter)$/.test(call.name) && call.args.some(a => holdsFractions(file, unit, a, depth + 1))))
}

/** `for _, x := range xs { sum += x }`, where there are fractions among them. */
function isAddedUp(file: File, unit: Unit, name: string): boolean {
  const goesOver = (v: Value, region: number): boolean =>
    v.is === 'name'
    && unit.writes.some(w =>
      w.target === v.path && w.in === region && w.value.is === 'group' && w.value.of.some(from => holdsFractions(file, unit, from))
    )
  return unit.writes.some(w =>
    w.adds && w.target === name && unit.regions[w.in]!.kind === 'loop'
    && (isFraction(w.value) || [...valuesIn(w.value, unit)].some(v => goesOver(v, w.in)))
  )
}

/** Threads add up their shares in the order in which they are done. */
export function isParallelSum(unit: Unit, call: Call): boolean {
  // `sum::<u64>()`: whole numbers add up to the same in any order.
  if (!SUMS.test(call.name) || /^[iu](\d+|size)::/.test(call.name)) return false
  for (let at = call.receiver, depth = 0; at?.is === 'call' && depth < 8; depth++) {
    const from: Call = unit.calls[at.call]!
    if (SPLITS.test(from.name)) return true
    at = from.receiver
  }
  return false
}

/** A function of the file that gives such a sum of fractions: it says so, or divides it. */
function givesParallelMean({ units }: File, { target }: Call): boolean {
  const helper = target === undefined ? undefined : units[target]
  const sums = (v: Value, divided: boolean): boolean =>
    v.is === 'op' && v.op === '/'
      ? sums(v.of[0]!, true)
      : v.is === 'call' && isParallelSum(helper!, helper!.calls[v.call]!) && (divided || /^f\d+::/.test(helper!.calls[v.call]!.name))
  return helper !== undefined && helper.returns.some(v => sums(v, false))
}

/** `result.mean` of a helper that reckons it under that name; `case.want` of a table that does. */
function ofField(file: File, unit: Unit, value: Value, path: string): Rounded | undefined {
  const field = path.slice(path.lastIndexOf('.') + 1)
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const helper = call?.target === undefined ? undefined : file.units[call.target]
  const write = helper?.writes.findLast(w => w.target === field)
  // Whole numbers are summed up in any order; only fractions are divided, or told by their name.
  if (helper && write)
    return write.value.is === 'op' && write.value.op === '/'
        && write.value.of.some(v => v.is === 'call' && isParallelSum(helper, helper.calls[v.call]!))
      ? { how: 'parallel' }
      : undefined
  // A table may be the file's own: what is called in it is called there.
  const kept = value.is === 'group' && value.of.length === 1 && value.of[0]!.is === 'name'
    ? keptIn(file, unit, value.of[0]!.path, Infinity)
    : undefined
  const cells = kept?.value.is === 'group'
    ? kept.value.of.flatMap(row => {
      const call = row.is === 'call' ? kept.unit.calls[row.call] : undefined
      return call ? [...call.args, ...Object.values(call.named)] : row.is === 'group' ? row.of : []
    })
    : []
  return cells.flatMap(c => (c.is === 'group' ? c.of : [c])).some(isQuotient) ? { how: 'table' } : undefined
}

const isQuotient = (value: Value): boolean =>
  value.is === 'op' && value.op === '/' && value.of.every(v => v.is === 'literal' && typeof v.value === 'number') && !isExact(value.of)
const isExact = ([a, b]: readonly Value[]): boolean =>
  a?.is === 'literal' && b?.is === 'literal' && Number.isInteger((Number(a.value) / Number(b.value)) * 1024)

/** What a function of the project gives that adds up many fractions, by its name; names looked behind. */
export function isReckoned(file: File, unit: Unit, value: Value | undefined, offset: number, depth = 0): boolean {
  if (!value || depth > 3) return false
  if (value.is === 'call') return RECKONS.test(unit.calls[value.call]?.name ?? '') || SUMS.test(unit.calls[value.call]?.name ?? '')
  if (value.is === 'op') return value.of.some(v => isReckoned(file, unit, v, offset, depth + 1))
  const kept = value.is === 'name' ? keptIn(file, unit, value.path, offset) : undefined
  return kept !== undefined && isReckoned(file, kept.unit, kept.value, kept.offset, depth + 1)
}

/** A number that is written down, with or without a sign before it. */
const numberIn = (value: Value | undefined): number | undefined =>
  value?.is === 'op' && value.op === '-' && value.of.length === 1
    ? numberIn(value.of[0])
    : value?.is === 'literal' && typeof value.value === 'number'
    ? Math.abs(value.value)
    : undefined

/** A number that no binary fraction hits: 0.1, not 0.5. */
export const isFraction = (value: Value | undefined): boolean => !Number.isInteger((numberIn(value) ?? 0) * 1024)

const digitsOf = (value: Value | undefined): number => {
  const number = numberIn(value) ?? 0
  return Number.isInteger(number) ? 0 : String(number).replace(/e.*$/, '').replace(/^[0.]+/, '').replace('.', '').length
}

/** A number with all the digits that a computer prints: somebody ran the code and copied them. */
export const isPrinted = (value: Value | undefined): boolean => digitsOf(value) >= 15

/** So many digits nobody thinks of: they are what one machine once printed. A `float32(…)` has no more than eight. */
export const isCopied = (value: Value | undefined, digits = 10): boolean =>
  value?.is === 'group' ? value.of.some(v => isCopied(v, value.of.length === 1 ? 8 : digits)) : digitsOf(value) >= digits

/** A double that lies between 4 and 8 has its last binary digit here. */
const HAIR = 1e-15

/** `abs(a - b) <= 1e-15`, `assertEquals(a, b, 1e-16)`: a slack that only the smallest of numbers have room for. */
export function isWithinHair({ compare, operands, tolerance }: Assertion, unit: Unit): boolean {
  const isHair = (v: Value | undefined): boolean => {
    const slack = numberIn(v) ?? 0
    return slack > 0 && slack <= HAIR
  }
  const isGap = (v: Value | undefined): boolean => {
    const call = v?.is === 'call' ? unit.calls[v.call] : undefined
    const gap = call && /(^|[.:])f?abs$/i.test(call.name) ? call.args[0] ?? call.receiver : undefined
    return gap?.is === 'op' && gap.op === '-' && gap.of.length === 2
  }
  return compare === 'near'
    ? isHair(tolerance)
    : /^<=?$/.test(compare)
    ? isHair(operands[1]) && isGap(operands[0])
    : /^>=?$/.test(compare) && isHair(operands[0]) && isGap(operands[1])
}

/** What only carries a number over keeps its digits. */
const CARRIES =
  /[pP]arse|[lL]oad|[dD]ecode|[dD]eserial|[rR]ead|[fF]loat|[dD]ecimal|[jJ][sS][oO][nN]|[fF]etch|[qQ]uery|[cC]onvert|[uU]nmarshal|from_?[sS]tr|valueOf|\bget(_|[A-Z])\w*$|round|[tT]ime|[sS]tamp|\bto(_\w+|[A-Z]\w*)$/

/** What a store reckons of many numbers when it is asked, by the name that the answer is found under. */
const ASKED_FIGURE =
  /(^|_)(percentiles?|quantiles?|avg|average|mean|std(_?dev\w*)?|variance|median|score|(extended_)?stats|entropy|similarity)(_|\d|$)/i

/** `answer["stats"]["percentiles"]["99.0"]`: of a query, and yet nothing that somebody has stored. */
const asksFigure = (unit: Unit, value: Value | undefined): boolean =>
  value !== undefined
  && [...valuesIn(value, unit)].some(v =>
    v.is === 'op' && v.op === '[]' && v.of[1]?.is === 'literal' && ASKED_FIGURE.test(String(v.of[1].value))
  )

/** They lay the same numbers out in another way. */
const LAYS_OUT = /(^|[.:])(to_?list|to_numpy|to_pylist|toArray|item|collect|unwrap|expect|numpy|flatten|ravel)$/

/** The call whose result a value is, straight or by a name, a field or an index. */
function computedBy(file: File, unit: Unit, value: Value | undefined, offset: number, depth = 0): { unit: Unit; call: Call } | undefined {
  if (!value || depth > 3) return undefined
  if (value.is === 'call') {
    const call = unit.calls[value.call]!
    return LAYS_OUT.test(call.name) && call.receiver ? computedBy(file, unit, call.receiver, offset, depth + 1) : { unit, call }
  }
  // However deep it lies in an answer, it is a part of it.
  if (value.is === 'op' && value.op === '[]') return computedBy(file, unit, value.of[0], offset, depth)
  if (value.is === 'group' && value.of.length === 1) return computedBy(file, unit, value.of[0], offset, depth + 1)
  const kept = value.is === 'name'
    ? keptIn(file, unit, value.path, offset) ?? keptIn(file, unit, value.path.split('.')[0]!, offset)
    : undefined
  return kept && computedBy(file, kept.unit, kept.value, kept.offset, depth + 1)
}

/** A result of the code under test that is reckoned, as far as its name and what it is given tell. */
export const isComputed = (file: File, unit: Unit, value: Value | undefined, offset: number): boolean => {
  const by = computedBy(file, unit, value, offset)
  // What is asked for by names alone is looked up.
  // The neighbour of a number is one number.
  const isNext = by !== undefined && /(^|[.:_])next_?(up|down|after)$/i.test(by.call.name)
  const isLookUp = by !== undefined && by.call.args.length > 0 && by.call.args.every(a => a.is === 'literal' && typeof a.value === 'string')
  const carries = by !== undefined && CARRIES.test(by.call.name) && !(/query/i.test(by.call.name) && asksFigure(unit, value))
  return by !== undefined && !isLookUp && !isNext && !carries && !by.call.name.endsWith('.new')
}

const FIGURES =
  /(^|[._a-z])(total|sum|mean|avg|average|price|amount|cost|tax|balance|score|ratio|area|volume|distance|weight|percent\w*)(\(\))?$/i

/** `total([1.1, 2.2])`, `cart.total()` after `cart.add(1.1)`: it is given fractions, and none of them is the one that is expected. */
export function reckonsFractions(file: File, unit: Unit, value: Value, expected: Value, offset: number): boolean {
  if (expected.is === 'group')
    return expected.of.some(isFraction) && expected.of.every(e => !isFraction(e) || reckonsFractions(file, unit, value, e, offset))
  const by = computedBy(file, unit, value, offset)
  const own = by && !CARRIES.test(by.call.name) && !/(^|\.)[A-Z]\w*$|\.new$/.test(by.call.name) ? fractionsOf(by.call) : []
  const given = own.length > 0 ? own : figureOf(unit, value, by?.call).flatMap(fractionsOf)
  return given.length > 0 && expected.is === 'literal' && given.every(f => f.is === 'literal' && f.value !== expected.value)
}

const fractionsOf = (call: Call): Value[] =>
  [...call.args, ...Object.values(call.named)].flatMap(a => (a.is === 'group' ? a.of : [a])).filter(isFraction)

/** A figure of an object that the test has fed: everything that it was made with and given. */
function figureOf(unit: Unit, value: Value, call: Call | undefined): Call[] {
  const path = value.is === 'name'
    ? value.path
    : call?.receiver?.is === 'name' && value.is === 'call'
    ? `${call.receiver.path}.${/\w+$/.exec(call.name)?.[0]}`
    : ''
  const root = path.split('.')[0]!
  if (!path.includes('.') || /^(self|this)$/.test(root) || !FIGURES.test(path)) return []
  return unit.calls.filter((c, i) =>
    (c.receiver?.is === 'name' && c.receiver.path === root)
    || unit.writes.some(w => w.target === root && w.value.is === 'call' && w.value.call === i)
  )
}

// What has no promised order, in the forms in which a test meets it, and the words that lead from one form to the next.

import type { EffectKind } from '../../facts/effects.ts'
import type { Call } from '../../facts/facts.ts'
import { rememberedByName } from '../../facts/remembered.ts'

export type OrderKind = Extract<EffectKind, 'unordered' | 'fs-order' | 'rows' | 'completion'>

/** `bag`: compared as a whole it is harmless. `each`: one after another in a loop. `ordered`: somebody has put it in order. */
type Form = 'bag' | 'sequence' | 'element' | 'text' | 'each' | 'ordered'

export interface Disorder {
  readonly kind: OrderKind
  readonly form: Form
  /** Where it comes from. */
  readonly origin: Call
  readonly unit: number
  /** It has two entries at least, as far as the file tells. */
  readonly many: boolean
  /** each: the loop it belongs to. */
  readonly loop?: number
  /** A helper of the file gives it, whatever it is given. */
  readonly helper?: boolean
}

export interface Expected extends Disorder {
  readonly form: 'sequence' | 'element' | 'text'
  /** The other side is spelled out in the test: nobody has put it in the same order. */
  readonly spelled: boolean
  /** The test takes more than one of them, or says that there are several. */
  readonly several?: boolean
  /** It went through code that is not in this file, which may put it in order. */
  readonly handed?: true
}

export const last = rememberedByName((name: string): string => /(\w+)$/.exec(name)?.[1] ?? name)
/** What still holds the same things in the same order. */
export const SAME =
  /^(keySet|values|entrySet|keys|items|iterator|listIterator|stream|parallelStream|iter|iter_mut|into_iter|into_keys|into_values|drain|elements|entries|map|filter|flatMap|filter_map|flat_map|cloned|copied|peek|boxed|mapToObj|copy|clone|rev|enumerate|chain|asList|reverse|reversed|unwrap|expect|with_context|into_inner|orElseThrow|asIterator|values_list|skip|All|Values|Keys|flatten|inspect|map_while|take_while|skip_while|min_depth|max_depth|follow_links|same_file_system|filter_entry)$/
export const PICKED =
  /^(next|first|findFirst|findAny|nth|last|pop|poll|popitem|getFirst|getLast|removeFirst|find_first|firstKey|head|fetchone)$/
export const INDEXED = /^(get|elementAt|at|item|index|Index|charAt|remove)$/
/** Functions that list what they are given. */
export const LISTS =
  /(^|[.:])(list|tuple|enumerate|map|filter|zip|iter|reversed|ArrayList\.new|LinkedList\.new|ArrayDeque\.new|Vector\.new|LinkedHashSet\.new|List\.copyOf|Lists\.newArrayList|Lists\.newLinkedList|ImmutableList\.copyOf|ImmutableSet\.copyOf|Arrays\.asList|Arrays\.stream|Stream\.of|Array\.from|Collect|Vec::from_iter|Vec::from)$/
export const GROWS = /^(put|add|insert|putIfAbsent|offer|setdefault|Store|entry)$/
export const GROWS_BY_MANY = /^(addAll|putAll|update|extend|computeIfAbsent|merge)$/
export const APPENDS =
  /(^\?|[.:]Vec|List|Deque|Builder|Buffer|Vector|Queue|Joiner|Writer)(\.|::)(append|push|push_back|add|addLast|push_str|writeln|WriteString|Write|WriteByte|WriteRune|print|println)$/
export const ONE_RECEIVED = /^<-|(\.|::)((try_|blocking_)?recv(_timeout)?|take)$/

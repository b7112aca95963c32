// What hides the changing parts of a snapshot.

import type { Span, Unit } from '../../facts/facts.ts'

const MASKS =
  /(^|[.:])(expect\.(any|anything|stringMatching|stringContaining|objectContaining)|replace|replaceAll|scrub\w*|normali[sz]e\w*|redact\w*|sanitize\w*|mask\w*|\w*Scrubber(\.\w+)?|\w*scrubbers?\.\w+)$/

/** Set before, it holds for the snapshots that follow. */
const SETTINGS = /(^|[.:])(add|set)_(dynamic_|sorted_)?(redactions?|filters?)$/
/** `assert_yaml_snapshot!(session, { ".id" => "[id]" })`. */
const REDACTS = /\{\s*"[.\w[\]*]*"\s*=>/

/** A matcher for the changing fields, or what scrubs them, stands in the assertion itself or was set before it. */
export const isMasked = (unit: Unit, { start, end }: Span, textOf: (span: Span) => string): boolean =>
  unit.calls.some(c => (c.span.start >= start && c.span.end <= end && MASKS.test(c.name)) || (c.span.end <= start && SETTINGS.test(c.name)))
  || REDACTS.test(textOf({ start, end }))

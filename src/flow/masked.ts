// What hides the changing parts of a snapshot.

import type { Span, Unit } from '../facts/facts.ts'

const MASKS = /(^|[.:])(expect\.(any|anything|stringMatching|stringContaining|objectContaining)|replace|replaceAll|scrub\w*|normali[sz]e\w*|redact\w*|sanitize\w*|mask\w*|\w*Scrubber(\.\w+)?|\w*scrubbers?\.\w+)$/

/** A matcher for the changing fields, or what scrubs them, stands in the assertion itself. */
export const isMasked = (unit: Unit, { start, end }: Span): boolean => unit.calls.some(c => c.span.start >= start && c.span.end <= end && MASKS.test(c.name))

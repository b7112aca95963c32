// What a stand-in is told to answer: data that nobody else makes, and that nobody goes by.

import type { Span, Unit } from '../facts/facts.ts'

/** `when(…).thenReturn(…)`, `mockResolvedValue(…)`: whatever is given to it comes from the test. */
export const ANSWERS = /[.:](thenReturn|willReturn|doReturn|andReturn|returns|returning|mock(Return|Resolved)Value(Once)?|resolves|Return)$/

/** `when(link.localAddress()).thenReturn(new InetSocketAddress("localhost", 12345))`: what stands there is only told. */
export const isAnswer = ({ start, end }: Span, unit: Unit): boolean =>
  unit.calls.some(c => ANSWERS.test(c.name) && c.span.start < start && c.span.end >= end)

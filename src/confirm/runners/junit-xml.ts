// The XML reports that Surefire, Gradle and nextest write, one `<testcase>` for each test.

import { parseXml, XmlElement } from '@rgrove/parse-xml'
import type { Outcome, TestRecord } from '../runner.ts'

export interface Case {
  /** The suite that it stands in: for nextest, the binary. */
  readonly suite: string
  readonly className: string
  readonly name: string
  readonly ms: number | null
  readonly outcome: Outcome
  readonly attempts: number
  readonly message: string
  /** What the test printed, where the report holds it. */
  readonly output: string
}

/** Nothing where the file is cut short, as a process that died leaves it. */
export function casesIn(xml: string): Case[] {
  try {
    return casesBelow(parseXml(withoutForbidden(xml)).root, '')
  } catch {
    return []
  }
}

// Writers of reports pass on control characters that tests print, which XML 1.0 has no way to say.
const withoutForbidden = (xml: string): string =>
  xml.replace(/&#(?:x0*(?:[0-8bcef]|1[0-9a-f])|0*(?:[0-8]|1[124-9]|2\d|3[01]));/gi, '').replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '')

function casesBelow(element: XmlElement | null, suite: string): Case[] {
  if (!element) return []
  if (element.name === 'testcase') return [caseOf(element, suite)]
  const within = element.name === 'testsuite' ? element.attributes['name'] ?? '' : suite
  return elementsOf(element).flatMap(e => casesBelow(e, within))
}

const elementsOf = (element: XmlElement): XmlElement[] => element.children.filter((c): c is XmlElement => c instanceof XmlElement)

// A retry that passed in the end leaves `flakyFailure`, one that never did `rerunFailure` beside the failure.
function caseOf(element: XmlElement, suite: string): Case {
  const children = elementsOf(element)
  const failed = children.find(c => c.name === 'failure' || c.name === 'error')
  const retries = children.filter(c => /^(?:flaky|rerun)(?:Failure|Error)$/.test(c.name))
  const skipped = children.find(c => c.name === 'skipped')
  const time = Number(element.attributes['time']?.replaceAll(',', ''))
  return {
    suite,
    className: element.attributes['classname'] ?? '',
    name: element.attributes['name'] ?? '',
    ms: Number.isFinite(time) ? time * 1000 : null,
    outcome: failed ? 'fail' : skipped ? 'skip' : 'pass',
    attempts: retries.length + 1,
    message: messageOf(failed ?? retries[0] ?? skipped),
    output: children.find(c => c.name === 'system-out')?.text ?? '',
  }
}

const messageOf = (element: XmlElement | undefined): string =>
  (element?.attributes['message'] || element?.text || '').trim().split('\n').slice(0, 6).join('\n')

export const recordOf = (id: string, { outcome, attempts, ms, message }: Case): TestRecord => ({ id, outcome, attempts, setupMs: null,
  testMs: ms, teardownMs: null, ...(outcome !== 'skip' && message !== '' && { message }) })

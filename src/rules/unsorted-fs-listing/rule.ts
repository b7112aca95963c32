import { sortListing } from '../../fixes/sorting.ts'
import { demandsIn } from '../../flow/order/demands.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

export default defineRule(
  {
    id: 'unsorted-fs-listing',
    title: 'A test expects the entries of a folder in one order',
    category: 'order',
    severity: 'warning',
    triggers: ['fs-order'],
    confirm: ['tmp-move'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const { unit, assertion, found, at, in: place, atSource } of demandsIn(facts, 'fs-order')) {
      const what = found.form === 'element' ? 'expects one particular entry' : 'expects one order of the entries'
      yield {
        at,
        unit: place,
        confidence: found.form === 'element' || !found.spelled ? 'medium' : confidenceOf(found.origin),
        message: atSource
          ? 'gives the entries of a folder in any order, and a test expects one'
          : `${what} of a folder, which the file system lists in any order`,
        related: [atSource ? { span: assertion.span, message: 'expected here' } : { span: found.origin.span, message: 'listed here' }],
        // Other tests may count on what a helper gives.
        fixes: found.unit === unit.id ? sortListing(view, found.origin, assertion) : [],
      }
    }
  },
)

import { sortListing } from '../../fixes/sorting.ts'
import { demandsIn } from '../../flow/order.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

export default defineRule(
  {
    id: 'unsorted-fs-listing', title: 'A test expects the entries of a folder in one order', category: 'order', severity: 'warning',
    triggers: ['fs-order'], confirm: ['tmp-move'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const { unit, assertion, found } of demandsIn(facts, 'fs-order')) {
      const what = found.form === 'element' ? 'expects one particular entry' : 'expects one order of the entries'
      yield {
        at: assertion.span, unit: unit.id, confidence: found.form === 'element' || !found.spelled ? 'medium' : confidenceOf(found.origin),
        message: `${what} of a folder, which the file system lists in any order`, related: [{ span: found.origin.span, message: 'listed here' }],
        fixes: sortListing(view, found.origin, assertion),
      }
    }
  },
)

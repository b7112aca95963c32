// For a program. The shape is promised by schema/flakesniff-confirm.schema.json.

import { toJson } from '../../report/visible.ts'
import type { Confirmation } from '../confirmation.ts'

export const formatConfirmJson = (confirmations: readonly Confirmation[]): string =>
  toJson(confirmations.length === 1 ? confirmations[0] : { schemaVersion: 1, confirmations })

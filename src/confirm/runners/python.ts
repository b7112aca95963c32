// Which Python runs a project's tests.

import { join } from 'node:path'
import type { Place } from '../runner.ts'

/** The project's own virtual environment, an activated one, or the Python of the path. */
export function pythonOf(place: Place): string {
  for (const name of ['.venv', 'venv']) if (place.names(`${name}/bin`).includes('python')) return join(place.root, name, 'bin/python')
  return place.env['VIRTUAL_ENV'] ? join(place.env['VIRTUAL_ENV'], 'bin/python') : 'python3'
}

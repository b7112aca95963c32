import { existsSync } from 'node:fs'
import type { Shake } from './perturbation.ts'

/** Both ends of the day, and two zones that are off by a half hour. The forms to the right need no time zone data. */
const ZONES: readonly (readonly [name: string, posix: string])[] = [
  ['Pacific/Kiritimati', '<+14>-14'],
  ['Etc/GMT+12', '<-12>12'],
  ['Asia/Kolkata', 'IST-5:30'],
  ['America/St_Johns', 'NST3:30NDT'],
]

export const tzShift: Shake = {
  name: 'tz-shift',
  reveals: 'local time where a fixed zone was meant',
  sure: true,
  variants: async () =>
    ZONES.map(([name, posix]) => {
      const zone = existsSync(`/usr/share/zoneinfo/${name}`) ? name : posix
      return { title: `TZ=${zone}`, env: { TZ: zone } }
    }),
}

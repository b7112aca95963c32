import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { familyOf, type Shake } from './perturbation.ts'

/** Ends of months and years, a leap day, both changes of the clocks, and years from now for what expires. */
const TIMES = ['2027-01-31 23:59:50', '2028-02-29 12:00:00', '2026-12-31 23:59:50', '2027-03-28 01:59:50', '2027-10-31 02:59:50',
  '2031-06-15 12:00:00', '2040-06-15 12:00:00'] as const

export const clockShift: Shake = {
  name: 'clock-shift',
  reveals: 'dates that end, turn or expire: midnight, the end of a month, leap days, hard-coded years',
  sure: true,
  variants: async world => {
    if (world.runner === 'go') return 'Go asks the kernel for the time, past libfaketime: give the code a clock of its own to shift'
    const library = faketime()
    if (library === undefined)
      return 'needs libfaketime (Debian, Ubuntu: apt-get install faketime; Fedora: dnf install libfaketime; macOS: brew install libfaketime)'
    const variants = familyOf(world.runner) === 'jvm' ? TIMES.slice(0, 3) : TIMES
    // Monotonic time is left alone: with it shifted, sleeps and timeouts go wrong in ways that prove nothing.
    return variants.map(time => ({ title: `the clock at ${time}`,
      env: { LD_PRELOAD: library, FAKETIME: `@${time}`, DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' } })
    )
  },
}

function faketime(): string | undefined {
  const multiarch = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').filter(n => n.endsWith('-linux-gnu')).map(n => `/usr/lib/${n}/faketime`)
    : []
  return [...multiarch, '/usr/lib/faketime', '/usr/lib64/faketime', '/usr/local/lib/faketime'].map(folder =>
    join(folder, 'libfaketime.so.1')
  ).find(path => existsSync(path))
}

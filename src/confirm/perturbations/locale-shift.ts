import { familyOf, type Shake, type Variant } from './perturbation.ts'

/** Turkish for its i, German for its comma, C for its bytes. */
const WANTED = ['tr_TR.UTF-8', 'de_DE.UTF-8', 'C'] as const

export const localeShift: Shake = {
  name: 'locale-shift',
  reveals: 'collation, case mapping and number formats of the machine',
  sure: true,
  variants: async world => {
    const family = familyOf(world.runner)
    const variant = (locale: string): Variant => ({ title: `LC_ALL=${locale}`, env: { LC_ALL: locale, LANG: locale } })
    // The JVM asks for properties rather than for the C library's locales, Node has all of them built in.
    if (family === 'jvm')
      return ['tr TR', 'de DE'].map(l => l.split(' ')).map(([language, country]) => ({ title: `${language}_${country}`,
        env: { JAVA_TOOL_OPTIONS: `-Duser.language=${language} -Duser.country=${country}` } })
      )
    if (family === 'node') return WANTED.map(variant)
    const installed = (await world.exec({ argv: ['locale', '-a'] })).stdout.split('\n').map(plain)
    const usable = WANTED.filter(l => l === 'C' || installed.includes(plain(l)))
    return usable.map(variant)
  },
}

const plain = (locale: string): string => locale.trim().toLowerCase().replace('utf-8', 'utf8')

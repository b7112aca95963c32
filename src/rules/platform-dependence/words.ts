/**
 * Flags that only one family of systems knows, with the command they belong to. `sed -i` wants a suffix on one, and none as a word of its
 * own on the other.
 */
export const ONLY_GNU: Readonly<Record<string, RegExp>> = {
  date: /^(-d|--date(=.*)?|--iso-8601.*)$/,
  readlink: /^(-f|-e|-m|--canonicalize)$/,
  stat: /^(-c.*|--format.*|--printf.*)$/,
  grep: /^(-P|--perl-regexp|-[a-zA-Z]*P[a-zA-Z]*)$/,
  sort: /^(-V|--version-sort)$/,
  base64: /^(-w.*|--wrap.*)$/,
  cp: /^(--reflink.*|--parents)$/,
  xargs: /^(-d|--delimiter.*|--no-run-if-empty)$/,
  touch: /^(-d|--date.*)$/,
  du: /^(-b|--bytes)$/,
  sed: /^(-[nErsz]*i|--in-place)$/,
}

/** A text with slashes where one is compared, and the files of the kernel. */
const SLASHED = '\\s*["\'`][\\w.@-]*/[\\w.@/-]+["\'`]'
const KERNEL = ['["\'`]/proc/', '["\'`]/sys/']

export const WORDS = {
  bash: Object.keys(ONLY_GNU).map(name => `\\b${name}\\b[^\\n|;]*\\s-`),
  typescript: [...KERNEL, `\\.toBe\\(${SLASHED}`, `\\.toEqual\\(${SLASHED}`, `\\.equal\\(${SLASHED}`, `strictEqual\\([^\\n]*,${SLASHED}`],
  python: [...KERNEL, `==${SLASHED}`, `assertEqual\\([^\\n]*${SLASHED}`],
  go: [...KERNEL, `[!=]=${SLASHED}`, `Equal\\([^\\n]*${SLASHED}`],
  java: [...KERNEL, `assertEquals\\(${SLASHED}`, `isEqualTo\\(${SLASHED}`, '\\bprintln\\(', '\\bnewLine\\('],
  rust: [...KERNEL, `assert_eq!\\([^\\n]*${SLASHED}`],
}

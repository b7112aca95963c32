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

/** What systems say of a line that is gone, and of a name that nobody knows. */
const LINES = ['ECONN(?:RESET|ABORTED)', '\\bEPIPE\\b', '[bB]roken pipe', '[cC]onnection (?:was )?(?:reset|aborted|forcibly)',
  'no such host', 'ENOTFOUND', 'EAI_AGAIN', '[nN]ame or service not known', '[cC]ould not resolve host', 'socket hang up',
  'failure in name resolution', 'server misbehaving', 'nodename nor servname']

export const WORDS = {
  bash: [...Object.keys(ONLY_GNU).map(name => `\\b${name}\\b[^\\n|;]*\\s-`), ...LINES],
  typescript: [...KERNEL, ...LINES, `\\.toBe\\(${SLASHED}`, `\\.toEqual\\(${SLASHED}`, `\\.equal\\(${SLASHED}`,
    `strictEqual\\([^\\n]*,${SLASHED}`],
  python: [...KERNEL, ...LINES, `==${SLASHED}`, `assertEqual\\([^\\n]*${SLASHED}`],
  go: [...KERNEL, ...LINES, `[!=]=${SLASHED}`, `Equal\\([^\\n]*${SLASHED}`],
  java: [...KERNEL, ...LINES, `assertEquals\\(${SLASHED}`, `isEqualTo\\(${SLASHED}`, '\\bprintln\\(', '\\bnewLine\\('],
  rust: [...KERNEL, ...LINES, `assert_eq!\\([^\\n]*${SLASHED}`],
}

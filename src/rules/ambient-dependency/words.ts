// What a file must hold for the rule to look at it, beyond questions for the host: a first branch, files of the host, variables of whoever
// runs the test.

const GIT_INIT = '\\bgit["\'`]?,?\\s*[\\[(]*\\s*["\'`]?init\\b'
const PERSONAL = '(?:USER|USERNAME|LOGNAME|HOSTNAME|COMPUTERNAME|SHELL|EDITOR|DISPLAY|CI|GITHUB_ACTIONS)'
const ASKED = `[Gg]etenv\\("${PERSONAL}"`

const GIT_COMMIT = '["\'`]commit["\'`]'

export const WORDS = {
  typescript: [GIT_INIT, GIT_COMMIT, '\\bchmod(?:Sync)?\\(', `\\benv\\.${PERSONAL}\\b`],
  go: [GIT_INIT, GIT_COMMIT, '\\bos\\.Chmod\\(', ASKED],
  java: [GIT_INIT, GIT_COMMIT, '\\.set(?:Readable|Writable)\\(false', ASKED],
  rust: [GIT_INIT, GIT_COMMIT, '\\bfrom_mode\\(', `env::var\\("(?:TEMP|TMP|TMPDIR|${PERSONAL})"`],
  bash: [GIT_INIT, '\\bgit commit\\b', '\\bchmod (?:0|[augo]*-[rw]|[045])', '/etc/(?:passwd|group|hosts|resolv\\.conf|os-release)',
    '\\$\\{?(?:USER|LOGNAME|HOSTNAME)\\b', '\\$\\{?CI\\b'],
  python: [GIT_INIT, GIT_COMMIT, '\\bchmod\\(', 'sys\\.executable[^\\n]*["\']-i["\']', `environ\\[["']${PERSONAL}["']`,
    `environ\\.get\\(["']${PERSONAL}["']`, `getenv\\(["']${PERSONAL}["']`],
}

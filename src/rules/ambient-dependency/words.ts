// What a file must hold for the rule to look at it, beyond questions for the host: a first branch, files of the host, variables of whoever
// runs the test.

const GIT_INIT = '\\bgit["\'`]?,?\\s*[\\[(]*\\s*["\'`]?init\\b'
const PERSONAL = '(?:USER|USERNAME|LOGNAME|HOSTNAME|COMPUTERNAME|SHELL|EDITOR|DISPLAY|CI|GITHUB_ACTIONS)'
const ASKED = `[Gg]etenv\\("${PERSONAL}"`

export const WORDS = {
  typescript: [GIT_INIT, `\\benv\\.${PERSONAL}\\b`],
  go: [GIT_INIT, ASKED],
  java: [GIT_INIT, ASKED],
  rust: [GIT_INIT, `env::var\\("(?:TEMP|TMP|TMPDIR|${PERSONAL})"`],
  bash: [GIT_INIT, '/etc/(?:passwd|group|hosts|resolv\\.conf|os-release)', '\\$\\{?(?:USER|LOGNAME|HOSTNAME)\\b', '\\$\\{?CI\\b'],
  python: [GIT_INIT, 'sys\\.executable[^\\n]*["\']-i["\']', `environ\\[["']${PERSONAL}["']`, `environ\\.get\\(["']${PERSONAL}["']`,
    `getenv\\(["']${PERSONAL}["']`],
}

// What a file must hold for the rule to look at it: a path in somebody's home, or a question for one's own.

const PATHS = ['["\'`]/home/', '["\'`]/Users/', ':(?:\\\\\\\\|/)Users', '["\'`]~/']
/** Given to a call as it stands: a path in a message or a table is not looked at. */
const SYSTEM = ['etc', 'usr', 'opt', 'srv', 'root', 'var/lib', 'var/log', 'var/run', 'var/cache'].map(folder => `\\(\\s*["'\`]/${folder}/`)

export const WORDS = {
  python: [...PATHS, ...SYSTEM, '["\'](?:HOME|USERPROFILE)["\']'],
  typescript: [...PATHS, ...SYSTEM, '\\benv\\.(?:HOME|USERPROFILE)\\b'],
  java: [...PATHS, ...SYSTEM, '"user\\.home"', 'getenv\\("HOME"'],
  go: [...PATHS, ...SYSTEM, 'Getenv\\("HOME"', 'LookupEnv\\("HOME"'],
  rust: [...PATHS, ...SYSTEM, 'env::var\\("HOME"', 'env::var_os\\("HOME"'],
  bash: [...PATHS, '[\\s=>]~/', '\\$\\{?HOME\\b'],
}

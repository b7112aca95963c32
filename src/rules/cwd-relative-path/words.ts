// A relative path where it is given to what reads it, and questions for the working directory that no call's name tells.

const RELATIVE = '["\'`](?:\\.{1,2}/)?\\w[\\w.-]*/'
const given = (name: string): string => `\\b${name}\\(\\s*f?${RELATIVE}`

export const WORDS = {
  typescript: ['readFileSync', 'readFile', 'createReadStream', 'readdirSync', 'resolve'].map(given),
  python: ['Path', 'read_\\w+', 'load\\w*'].map(given),
  java: ['"(?:\\./)?src/(?:test|main)/', '"user\\.dir"'],
  bash: ['(?:^|[\\s;&|(])\\./\\w', '\\bsource\\s+["\']?[\\w.]', '\\$\\{?PWD\\b'],
}

// Command lines that fetch something, in a text or in words: `execSync('npx -y x')`, `run(["pip", "install", "x"])`.

const BETWEEN = '["\'`,\\s)\\]/]+'
const LINES = [`\\bnpx\\b${BETWEEN}-`, `\\bnpx\\b[^\\n]*@latest`, `\\bpip3?${BETWEEN}install\\b`,
  `\\bnpm${BETWEEN}(?:install|i|add|create|init)\\b`, `\\b(?:yarn|pnpm)${BETWEEN}(?:add|dlx|create)\\b`,
  `\\bdocker${BETWEEN}(?:run|pull|create)\\b`, `\\bpodman${BETWEEN}(?:run|pull|create)\\b`, `\\bgem${BETWEEN}install\\b`,
  `\\bcargo${BETWEEN}install\\b`, `\\bgo${BETWEEN}install\\b`]

export const COMMANDS = { python: LINES, typescript: LINES, go: LINES, java: LINES,
  rust: ['"docker"', '"podman"', '"npx"', '"pip3?"', '"npm"'] }

// A command as a person would type it.

const PLAIN = /^[\w./:@%+=,-]+$/

export const quoted = (
  word: string,
): string => PLAIN.test(word) ? word : /[\n\r\t\u0000-\u001f]/.test(word) ? `$'${escaped(word)}'` : `'${word.replaceAll("'", "'\\''")}'`

const escaped = (word: string): string =>
  word.replace(/[\\']/g, c => `\\${c}`).replace(/[\u0000-\u001f]/g,
    c => (c === '\n' ? '\\n' : c === '\t' ? '\\t' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`))

export function commandLine(argv: readonly string[], env: Readonly<Record<string, string>> = {}, folder?: string): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`)
  return [...(folder === undefined ? [] : ['cd', quoted(folder), '&&']), ...settings, ...argv.map(quoted)].join(' ')
}

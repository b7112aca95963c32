import { createServer, type Server } from 'node:net'
import type { Shake } from './perturbation.ts'

/** Numbers that stand where ports stand. */
const PORT =
  /(?:\bport\w*["']?\s*[:=,(]\s*|localhost:|127\.0\.0\.1:|0\.0\.0\.0:|\[::1?\]:|["'`]:|\blisten\(|["'](?:localhost|127\.0\.0\.1|0\.0\.0\.0)?["']\s*,\s*)(\d{4,5})\b/gi

export const portOccupy: Shake = {
  name: 'port-occupy',
  reveals: 'a fixed port that another process may hold',
  sure: true,
  variants: async world => {
    const ports = [...new Set([...world.text.matchAll(PORT)].map(m => Number(m[1])).filter(p => p >= 1024 && p < 65536))]
    if (ports.length === 0) return `no port number stands in ${world.target.file ?? 'the test'}`
    return ports.slice(0, 8).map(port => ({ title: `port ${port} is taken`, around: async () => {
      const servers = await Promise.all(['127.0.0.1', '::1'].map(host => occupy(port, host)))
      return () => servers.forEach(s => s?.close())
    } }))
  },
}

/** Taken already is as good. */
const occupy = (port: number, host: string): Promise<Server | undefined> =>
  new Promise(settle => {
    const server = createServer(socket => socket.destroy())
    server.once('error', () => settle(undefined))
    server.listen(port, host, () => settle(server))
  })

import { spawn } from 'node:child_process'
import { availableParallelism, setPriority } from 'node:os'
import { signalTo } from '../guard.ts'
import type { Shake } from './perturbation.ts'

/** Two for each core at nice 10: more failures for the time it takes than with fewer, or with louder ones. */
const PER_CORE = 2
const NICE = 10

export const cpuStress: Shake = {
  name: 'cpu-stress',
  reveals: 'sleeps that stand in for waiting, tight time limits, races',
  sure: false,
  variants: async world => {
    const burners = PER_CORE * availableParallelism()
    return [{
      title: `${burners} processes that burn CPU at nice ${NICE}`,
      around: async () => {
        const { name, value } = world.guard.mark()
        const children = Array.from({ length: burners },
          () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore', detached: true, env: { [name]: value } }))
        for (const child of children) {
          child.on('error', () => {})
          if (child.pid === undefined) continue
          world.guard.watch(child.pid)
          setPriority(child.pid, NICE)
        }
        return () => {
          for (const { pid } of children) {
            if (pid === undefined) continue
            signalTo(-pid, 'SIGKILL')
            world.guard.unwatch(pid)
          }
        }
      },
    }]
  },
}

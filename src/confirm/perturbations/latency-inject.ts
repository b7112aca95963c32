import { signalTo } from '../guard.ts'
import type { Shake } from './perturbation.ts'

const STOP_MS = 60
const GO_MS = 90

/** Each process of the run is halted in turn, so that whoever waits for it waits longer than it is used to. */
export const latencyInject: Shake = {
  name: 'latency-inject',
  reveals: 'waits that are just long enough, one-shot reads of what another process or thread still prepares',
  sure: false,
  variants: async () =>
    process.platform === 'win32' ? 'processes cannot be halted here' : [{
      title: `its processes halted for ${STOP_MS} ms in turn`,
      beside: marked => {
        let halted: number | undefined
        let turn = 0
        const resume = () => {
          if (halted !== undefined) signalTo(halted, 'SIGCONT')
          halted = undefined
        }
        let timer = setTimeout(function step() {
          if (halted !== undefined) {
            resume()
            timer = setTimeout(step, GO_MS)
            return
          }
          const pids = marked()
          halted = pids[turn++ % Math.max(1, pids.length)]
          if (halted !== undefined) signalTo(halted, 'SIGSTOP')
          timer = setTimeout(step, STOP_MS)
        }, GO_MS)
        return () => {
          clearTimeout(timer)
          resume()
        }
      },
    }],
}

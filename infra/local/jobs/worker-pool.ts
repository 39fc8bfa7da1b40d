import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { RunJob } from './run-job.ts'
import { WorkerProcess } from './worker-process.ts'
import type { WorkerSetup } from './worker-protocol.ts'

/** How long a process without a job stays, in milliseconds. */
const IDLE_TIME = 30_000

/** Worker processes, started when there is work and dismissed when there has been none for a while. */
export interface WorkerPool {
  /** Runs a job in a worker; waits while all are busy. */
  run: RunJob
  /** Ends all processes; what still runs fails. */
  close(): Promise<void>
}

/**
 * Makes a pool that has no process yet.
 * @param size jobs at a time, each in a process of its own: one that a hostile file brings down takes no other along
 */
export function workerPool(setup: WorkerSetup, clock: Clock, size: number): WorkerPool {
  const processes = new Set<WorkerProcess>()
  const idle: WorkerProcess[] = []
  const idleTimers = new Map<WorkerProcess, NodeJS.Timeout>()
  const waiting: (() => void)[] = []
  let busy = 0

  function take(): WorkerProcess {
    // The one that was used last is warm; the others may reach the end of their idle time.
    for (let known = idle.pop(); known; known = idle.pop()) {
      clearTimeout(idleTimers.get(known))
      idleTimers.delete(known)
      if (!known.isGone) return known
    }
    const fresh = new WorkerProcess(setup, clock)
    processes.add(fresh)
    fresh.ended.then(() => processes.delete(fresh))
    return fresh
  }

  function giveBack(worker: WorkerProcess): void {
    if (worker.isGone) return
    idle.push(worker)
    const dismiss = () => {
      idle.splice(idle.indexOf(worker), 1)
      idleTimers.delete(worker)
      worker.dismiss()
    }
    idleTimers.set(worker, setTimeout(dismiss, IDLE_TIME))
  }

  return {
    async run(consumer, event) {
      while (busy >= size) await new Promise<void>((resolve) => waiting.push(resolve))
      busy += 1
      const worker = take()
      try {
        await worker.run(consumer, event)
      } finally {
        giveBack(worker)
        busy -= 1
        waiting.shift()?.()
      }
    },
    async close() {
      for (const timer of idleTimers.values()) clearTimeout(timer)
      for (const worker of processes) worker.kill()
      await Promise.all([...processes].map(({ ended }) => ended))
    },
  }
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { until } from '../../../support/until.ts'

/** Ids of the processes of a program that this process has started and that run. */
export async function childrenRunning(program: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='])
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, state, ...command] = line.trim().split(/\s+/)
    const isOne = Number(parent) === process.pid && !state?.startsWith('Z') && command.join(' ').includes(program)
    return isOne ? [Number(pid)] : []
  })
}

/** Kills a process, which may have ended since it was found. */
export function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Waits until `work` has started a process of the program. @returns its id */
export async function startedBy(program: string, work: () => unknown): Promise<number> {
  const before = await childrenRunning(program)
  work()
  return until(async () => (await childrenRunning(program)).find((pid) => !before.includes(pid)))
}

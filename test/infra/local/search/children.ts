import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { until } from '../../../support/until.ts'

/** Ids of the processes of a program that this process has started and that run, read at once: who kills them is to be quick. */
export async function childrenRunning(program: string): Promise<number[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return processes.filter((pid) => parentOf(pid) === process.pid && commandOf(pid).includes(program)).map(Number)
}

/** The number after the name, which may hold anything, and the state. */
const parentOf = (pid: string) => Number(/.*\) \S (\d+)/s.exec(told(`/proc/${pid}/stat`))?.[1])

/** Empty of a process that has ended and that nobody has waited for. */
const commandOf = (pid: string) => told(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')

/** Nothing once the process is gone. */
function told(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
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

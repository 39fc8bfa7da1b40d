import { readdir, readFile } from 'node:fs/promises'
import { until } from '../../../support/until.ts'

/** Ids of the processes of a program that this process has started and that run. */
export async function childrenRunning(program: string): Promise<number[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const isOne = await Promise.all(
    processes.map(async (pid) => (await parentOf(pid)) === process.pid && (await commandOf(pid)).includes(program)),
  )
  return processes.filter((_, index) => isOne[index]).map(Number)
}

/** The number after the name, which may hold anything, and the state. */
const parentOf = async (pid: string) => Number(/.*\) \S (\d+)/s.exec(await told(`/proc/${pid}/stat`))?.[1])

/** Empty of a process that has ended and that nobody has waited for. */
const commandOf = async (pid: string) => (await told(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ')

/** Nothing once the process is gone. */
const told = (path: string) => readFile(path, 'utf8').catch(() => '')

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

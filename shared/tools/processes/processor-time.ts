import { readFileSync } from 'node:fs'

/**
 * Milliseconds of processor time that a process has used, with those that it started; undefined where the system doesn't tell (other than Linux), and
 * of one that is gone.
 */
export function processorTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may hold anything. In hundredths of a second, whatever the kernel's own clock: its own, and that of children that have ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const own = fields.slice(11, 15).reduce((sum, hundredths) => sum + Number(hundredths) * 10, 0)
    return childrenOf(pid).reduce((sum, child) => sum + (processorTime(child) ?? 0), own)
  } catch {
    return undefined
  }
}

/** Those that its first thread started. Some kernels don't tell: none then. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** The same of this process. */
export function ownProcessorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

import { readFileSync } from 'node:fs'

/** Processor time of a process and its children, in milliseconds; undefined if it is gone, or the system is not Linux. */
export function processorTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Skips the name, which may contain anything. Times are in hundredths of a second: its own, and those of ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const own = fields.slice(11, 15).reduce((sum, hundredths) => sum + Number(hundredths) * 10, 0)
    return childrenOf(pid).reduce((sum, child) => sum + (processorTime(child) ?? 0), own)
  } catch {
    return undefined
  }
}

/** Children that the first thread started; empty on kernels that don't list them. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** The same for this process. */
export function ownProcessorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

import { readFileSync } from 'node:fs'

/** Seconds of processor time that a process has used; undefined where the system doesn't tell (other than Linux), and of one that is gone. */
export function processorSeconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may hold anything. In hundredths of a second, whatever the kernel's own clock.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return undefined
  }
}

import { writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Lets others go first: this process and all that it starts get the processor time that processes of higher priority leave. One that was
 * started with a lower priority keeps it: only root may raise it.
 * @param least 1 to 19, the last goes last (`os.constants.priority`)
 */
export function giveWay(least: number): void {
  const priority = Math.max(least, getPriority())
  setPriority(priority)
  try {
    // Where Linux shares time among process groups first, a priority counts within its group only; the group has one of its own.
    writeFileSync('/proc/self/autogroup', String(priority))
  } catch {
    // Elsewhere the priority is all there is.
  }
}

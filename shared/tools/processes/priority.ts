import { writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Lowers the priority of this process and its children. A process that was started with a lower one keeps it: only root may raise it.
 *
 * For processes in the same session as those with higher priority. Linux may share time among sessions before it compares priorities
 * (autogroup), so a low-priority process takes less from others in their session than in its own.
 * @param least 1 to 19, 19 is the lowest (`os.constants.priority`)
 */
export function lowerPriority(least: number): void {
  setPriority(Math.max(least, getPriority()))
}

/** Pause between attempts, in milliseconds. Linux accepts one change of a session's priority in 100 ms from users other than root. */
const PAUSE = 150

/**
 * Sets the priority of a detached process's session to that of this process, or lower. By default a session has normal priority.
 * @param pid undefined if it didn't start
 * @param least as in `lowerPriority`
 */
export function lowerSession(pid: number | undefined, least = 0): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(Math.max(least, getPriority())))
  } catch (error) {
    // Other errors: the system doesn't share time among sessions, or the process is gone.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') setTimeout(() => lowerSession(pid, least), PAUSE).unref()
  }
}

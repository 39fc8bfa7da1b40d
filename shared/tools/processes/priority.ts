import { writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Lowers the priority of this process and its children. A process that was started with a lower one keeps it: only root may raise it.
 *
 * For a process in the session of those with higher priority. Linux may share time among sessions before it compares priorities (autogroup), so a
 * low-priority session of its own takes more from others than a low-priority process in the same session.
 * @param least 1 to 19, the last goes last (`os.constants.priority`)
 */
export function lowerPriority(least: number): void {
  setPriority(Math.max(least, getPriority()))
}

/** Linux takes one change of a session's priority in 100 ms from users other than root. In milliseconds. */
const PAUSE = 150

/**
 * Gives the session of a detached process the priority that the process has: of this process, which it inherits, or lower. Without this the
 * session has the normal one.
 * @param pid undefined where it didn't start
 * @param least as of `lowerPriority`
 */
export function lowerSession(pid: number | undefined, least = 0): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(Math.max(least, getPriority())))
  } catch (error) {
    // Anything else: the system doesn't share time among sessions, or the process is gone.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') setTimeout(() => lowerSession(pid, least), PAUSE).unref()
  }
}

import { writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Lets others go first: this process and all that it starts get the processor time that processes of higher priority leave. One that was
 * started with a lower priority keeps it: only root may raise it.
 *
 * For a process in the session of those that go first. Linux may share time among sessions before it looks at priorities (autogroup), and a
 * session of its own takes more from others than a process of low priority does, even where the session has that priority, too.
 * @param least 1 to 19, the last goes last (`os.constants.priority`)
 */
export function giveWay(least: number): void {
  setPriority(Math.max(least, getPriority()))
}

/** Linux takes one change of a session's priority in 100 ms from users other than root. In milliseconds. */
const PAUSE = 150

/**
 * Gives the session of a detached process the priority that the process has: of this process, which it inherits, or lower. Without this the
 * session has the normal one.
 * @param pid undefined where it didn't start
 * @param least as of `giveWay`
 */
export function lowerSession(pid: number | undefined, least = 0): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(Math.max(least, getPriority())))
  } catch (error) {
    // Anything else: the system doesn't share time among sessions, or the process is gone.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') setTimeout(() => lowerSession(pid, least), PAUSE).unref()
  }
}

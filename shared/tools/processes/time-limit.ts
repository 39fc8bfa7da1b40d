import { timeLeft } from '../../deadline.ts'
import { ToolBusy, ToolTimedOut } from '../failure.ts'

/**
 * How long a tool may work on a file, in milliseconds. Exceeding the processor time is the file's fault. A tool that only exceeds the wall
 * time was starved by other processes, so its job is retried.
 */
export interface TimeLimit {
  processor: number
  wall: number
}

/** Wall time of a tool that gets a quarter of a processor. */
const WALL_PER_PROCESSOR = 4

/** The limit of a tool that no client waits for. @param processor in milliseconds */
export const timeLimit = (processor: number): TimeLimit => ({ processor, wall: WALL_PER_PROCESSOR * processor })

/** Wall time of a tool, or the time left to its job or request if that is less. */
export const wallTime = ({ wall }: TimeLimit): number => Math.min(wall, timeLeft())

/** Poll interval in milliseconds. */
const POLL_MS = 200

/** The error for a tool that exceeded its limit. @param used processor time in milliseconds */
export function outOfTime(used: number, { processor }: TimeLimit): ToolTimedOut | ToolBusy {
  const seconds = (used / 1_000).toFixed(1)
  return used >= processor
    ? new ToolTimedOut(`the file took ${seconds} s of the processor`)
    : new ToolBusy(`others had the processor: the tool had ${seconds} s of it`)
}

/**
 * Measures the time of a tool from now on.
 * @param processorTime the tool's processor time in milliseconds; if unknown, all elapsed time counts
 * @returns the error once the limit is exceeded; undefined until then
 */
export function timing(limit: TimeLimit, processorTime: () => number | undefined): () => ToolTimedOut | ToolBusy | undefined {
  const [started, before, wall] = [performance.now(), processorTime(), wallTime(limit)]
  return () => {
    const [elapsed, now] = [performance.now() - started, processorTime()]
    const used = before === undefined || now === undefined ? elapsed : now - before
    return used >= limit.processor || elapsed >= wall ? outOfTime(used, limit) : undefined
  }
}

/** Polls a tool's time and calls `giveUp` once when the limit is exceeded. @returns stops the polling */
export function limitTime(
  limit: TimeLimit,
  processorTime: () => number | undefined,
  giveUp: (reason: ToolTimedOut | ToolBusy) => void,
): () => void {
  const isOver = timing(limit, processorTime)
  const timer = setInterval(() => {
    const reason = isOver()
    if (!reason) return
    clearInterval(timer)
    giveUp(reason)
  }, POLL_MS)
  return () => clearInterval(timer)
}

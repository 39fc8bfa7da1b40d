import { timeLeft } from '../../deadline.ts'
import { ToolBusy, ToolTimedOut } from '../failure.ts'

/**
 * How long a tool may work on a file, in milliseconds. What takes more of the processor is the file's fault. A tool that hasn't used that much when its
 * wall time is over was kept from the processor by others: that says nothing of the file, and its job is tried again.
 */
export interface TimeLimit {
  processor: number
  wall: number
}

/** Wall time of a tool that gets a quarter of a processor. */
const STARVED = 4

/** The limit of a tool for which nobody waits. @param processor in milliseconds */
export const timeLimit = (processor: number): TimeLimit => ({ processor, wall: STARVED * processor })

/** Wall time of a tool, or what is left to the job or request that it works for, where that is less. */
export const wallTime = ({ wall }: TimeLimit): number => Math.min(wall, timeLeft())

/** Milliseconds between two looks at what a tool has used. */
const LOOK = 200

/** Why a tool whose time is over is given up. @param used milliseconds of the processor */
export function outOfTime(used: number, { processor }: TimeLimit): ToolTimedOut | ToolBusy {
  const seconds = (used / 1_000).toFixed(1)
  return used >= processor
    ? new ToolTimedOut(`the file took ${seconds} s of the processor`)
    : new ToolBusy(`others had the processor: the tool had ${seconds} s of it`)
}

/**
 * Measures the time of a tool from now on.
 * @param processorTime milliseconds that the tool has used. Where nobody tells, all time counts as used
 * @returns why the tool is to be given up; undefined while its time isn't over
 */
export function timing(limit: TimeLimit, processorTime: () => number | undefined): () => ToolTimedOut | ToolBusy | undefined {
  const [started, before, wall] = [performance.now(), processorTime(), wallTime(limit)]
  return () => {
    const [elapsed, now] = [performance.now() - started, processorTime()]
    const used = before === undefined || now === undefined ? elapsed : now - before
    return used >= limit.processor || elapsed >= wall ? outOfTime(used, limit) : undefined
  }
}

/** Looks again and again whether the time of a tool is over, and then gives it up, once. @returns ends that */
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
  }, LOOK)
  return () => clearInterval(timer)
}

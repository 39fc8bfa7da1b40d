import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What Linux tells of a process and of all that it started, in /proc. Memory is resident memory (RSS): what processes share counts once
 * for each, so sums are on the high side.
 */

/** Most bytes that the process itself has had in memory since its start. */
export function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1] ?? 0) * 1024
}

/** Watches the processes below one. @returns how to stop that, which tells the most bytes that any of them has had in memory */
export function watchLargestProcess(pid: number): () => number {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, ...family(pid).map(peakBytes))
  }
  const timer = setInterval(look, 50)
  return () => {
    clearInterval(timer)
    look()
    return peak
  }
}

/** Waits until the process and everything below it does nothing: so little processor time for a whole second. */
export async function untilIdle(pid: number): Promise<void> {
  const busy = 0.03
  for (let before = processorSecondsOfAll(pid); ; ) {
    await sleep(1000)
    const now = processorSecondsOfAll(pid)
    if (now - before <= busy) return
    before = now
  }
}

/** Processor time that the process itself has used so far. What it costs depends less on who else uses the machine than how long it takes. */
export function processorSeconds(pid: number): number {
  const fields = statFields(pid)
  // Counted in hundredths of a second, whatever the kernel's own clock.
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

/** The same of the process and everything below it, what has ended included. */
export function processorSecondsOfAll(pid: number): number {
  return family(pid).reduce((sum, each) => sum + processorSeconds(each) + secondsOfEnded(each), 0)
}

/** Processor time of the children that have ended, and of all below them. */
function secondsOfEnded(pid: number): number {
  const fields = statFields(pid)
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / 100
}

function family(pid: number): number[] {
  const parents = new Map(pids().map((each) => [each, Number(statFields(each)[1])]))
  const found = [pid]
  for (const member of found) for (const [each, parent] of parents) if (parent === member) found.push(each)
  return found
}

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

/** Fields of /proc/<pid>/stat from the state (the third) on; empty when it has ended. The name before may hold anything. */
function statFields(pid: number): string[] {
  const stat = readProc(pid, 'stat')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

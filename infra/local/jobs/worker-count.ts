import { availableParallelism, totalmem } from 'node:os'
import type { NamedFunction } from '../../../shared/runtime/consumer.ts'
import { toolsOf } from '../../../shared/tools/tool.ts'

/** Worker processes of a heavy consumer that has no tools: it waits for the disk, not for the processor. */
const WITHOUT_TOOLS = 1
/** The same of one with tools, where the machine is small, and where it is large. */
const [FEWEST, MOST] = [2, 8]
/** Memory of the machine for each process, in bytes: a large photo takes a good part of it for seconds. */
const MEMORY_OF_EACH = 1024 ** 3

/** What decides how many processes a machine takes. */
export interface Machine {
  cores: number
  /** In bytes. */
  memory: number
}

/** This machine, or what a container has of it. */
function thisMachine(): Machine {
  // 0 where nothing limits the process.
  return { cores: availableParallelism(), memory: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()) }
}

/**
 * How many jobs of a heavy consumer run at a time, each in a process of its own. Each consumer has its own processes, because a long removal must
 * not hold up imports; those without a job end soon.
 */
export function workerCount({ uses }: Pick<NamedFunction, 'uses'>, { cores, memory }: Machine = thisMachine()): number {
  if (toolsOf(uses).length === 0) return WITHOUT_TOOLS
  return Math.max(FEWEST, Math.min(MOST, cores, Math.floor(memory / MEMORY_OF_EACH)))
}

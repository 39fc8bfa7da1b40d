import type { Wanted } from './image-servers.ts'
import { median } from './timing.ts'

/** One picture to render: a file, by its number, and what it is asked for as. */
export interface Task extends Wanted {
  file: number
}

/** What renders the same pictures as others. */
export interface Contender {
  name: string
  render(task: Task): Promise<Buffer>
  /** Processor time that it has used so far. */
  processorSeconds(): number
}

export interface Measured {
  name: string
  /** Medians of the rounds. */
  rendersPerSecond: number
  processorMilliseconds: number
}

/**
 * Has all contenders render the same pictures, in rounds in which each has its turn: what else the machine does meanwhile meets all of
 * them alike.
 * @param rounds the tasks of each round
 * @param atOnce how many renders are asked for at a time
 */
export async function sideBySide(
  contenders: readonly Contender[],
  rounds: readonly (readonly Task[])[],
  atOnce: number,
): Promise<Measured[]> {
  const results = contenders.map((contender) => ({ contender, rates: [] as number[], processor: [] as number[] }))
  for (const tasks of rounds) {
    for (const { contender, rates, processor } of results) {
      const usedBefore = contender.processorSeconds()
      const started = performance.now()
      await inParallel(tasks, atOnce, contender.render)
      rates.push(tasks.length / ((performance.now() - started) / 1000))
      processor.push(((contender.processorSeconds() - usedBefore) * 1000) / tasks.length)
    }
  }
  return results.map(({ contender: { name }, rates, processor }) => ({
    name,
    rendersPerSecond: median(rates),
    processorMilliseconds: median(processor),
  }))
}

async function inParallel(tasks: readonly Task[], atOnce: number, render: (task: Task) => Promise<unknown>): Promise<void> {
  const queue = [...tasks]
  const worker = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) await render(task)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

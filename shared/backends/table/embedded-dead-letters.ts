import { readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock/port.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { writeWhole } from '../disk/whole-file.ts'
import { REST_MILLISECONDS, type Resting } from '../queue/resting.ts'
import type { Change } from './port.ts'

/** A change as it is parked. */
interface ParkedChange {
  consumer: string
  /** Why it failed last. */
  reason: string
  change: Change
}

/**
 * Changes that a consumer could not handle, each in a file: what the dead-letter queue of a change stream is on AWS. They may hold
 * anything that a table holds: readable by their owner only. One process has them open, the server.
 */
export class ParkedChanges {
  readonly #folder: string
  readonly #clock: Clock
  /** When each was parked, in UNIX milliseconds, by the name of its file. Those of before this start have rested. */
  readonly #times: Map<string, number>

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
    this.#times = new Map(namesIn(folder).map((name) => [name, 0]))
  }

  async park(consumer: string, change: Change, error: unknown): Promise<void> {
    makeFolder(this.#folder)
    const reason = error instanceof Error ? error.message : String(error)
    const parked: ParkedChange = { consumer, reason, change }
    const name = `${consumer}-${change.id}.json`
    await writeWhole(join(this.#folder, name), JSON.stringify(parked, null, 2))
    this.#times.set(name, this.#clock.now())
  }

  /** What rests. Costs no read. */
  resting(): Resting {
    const jobs = this.#times.size
    // Not in one call: that takes no more than some 100,000 arguments.
    const first = this.#times.values().reduce((earliest, time) => Math.min(earliest, time), Number.POSITIVE_INFINITY)
    return { jobs, until: jobs > 0 ? first + REST_MILLISECONDS : undefined }
  }

  /**
   * Gives changes to `handle`: all, or those that have rested long enough. One that it handles is gone, one that fails again is parked anew.
   * @returns how many were given to it
   */
  async retry(which: 'all' | 'rested', handle: (consumer: string, change: Change) => Promise<void>): Promise<number> {
    const latest = which === 'all' ? Number.POSITIVE_INFINITY : this.#clock.now() - REST_MILLISECONDS
    const due = [...this.#times].filter(([, time]) => time <= latest)
    for (const [name] of due) await this.#retryOne(name, handle)
    return due.length
  }

  async #retryOne(name: string, handle: (consumer: string, change: Change) => Promise<void>): Promise<void> {
    const path = join(this.#folder, name)
    const parked = await readParked(path)
    if (parked) {
      try {
        await handle(parked.consumer, parked.change)
      } catch (error) {
        return this.park(parked.consumer, parked.change, error)
      }
      await rm(path, { force: true })
    }
    this.#times.delete(name)
  }
}

/** Undefined when the operator took it away, or it is no parked change: what isn't stays where it is. */
async function readParked(path: string): Promise<ParkedChange | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    // No change was ever parked.
    return []
  }
}

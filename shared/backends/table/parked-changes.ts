import { readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock/port.ts'
import { makeFolder } from '../make-folder.ts'
import { writeWhole } from '../whole-file.ts'
import type { Change } from './port.ts'

/** A change as it is parked. */
interface ParkedChange {
  consumer: string
  /** Why it failed last. */
  reason: string
  /** When it did, in UNIX milliseconds. */
  time: number
  change: Change
}

/**
 * Changes that a consumer could not handle, each in a file: what the dead-letter queue of a change stream is on AWS. They may hold
 * anything that a table holds: readable by their owner only.
 */
export class ParkedChanges {
  readonly #folder: string
  readonly #clock: Clock

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  async park(consumer: string, change: Change, error: unknown): Promise<void> {
    makeFolder(this.#folder)
    const reason = error instanceof Error ? error.message : String(error)
    const parked: ParkedChange = { consumer, reason, time: this.#clock.now(), change }
    await writeWhole(join(this.#folder, `${consumer}-${change.id}.json`), JSON.stringify(parked, null, 2))
  }

  count(): number {
    return this.#names().length
  }

  /** When the change that has rested longest was parked, in UNIX milliseconds; undefined when there is none. */
  async oldest(): Promise<number | undefined> {
    const times = await Promise.all(this.#names().map(async (name) => (await this.#read(name))?.time ?? 0))
    return times.length > 0 ? Math.min(...times) : undefined
  }

  /**
   * Gives each change that was parked at `latest` (UNIX milliseconds) or before to `handle`. One that it handles is gone, one that fails
   * again is parked anew.
   * @returns how many were given to it
   */
  async retry(latest: number, handle: (consumer: string, change: Change) => Promise<void>): Promise<number> {
    let tried = 0
    for (const name of this.#names()) {
      const parked = await this.#read(name)
      if (!parked || parked.time > latest) continue
      tried += 1
      try {
        await handle(parked.consumer, parked.change)
        await rm(join(this.#folder, name))
      } catch (error) {
        await this.park(parked.consumer, parked.change, error)
      }
    }
    return tried
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.endsWith('.json'))
    } catch {
      // No change was ever parked.
      return []
    }
  }

  /** Undefined when it is gone, or no parked change: it stays where it is, for the operator. Files of before there was a time have rested. */
  async #read(name: string): Promise<ParkedChange | undefined> {
    try {
      return { time: 0, ...JSON.parse(await readFile(join(this.#folder, name), 'utf8')) }
    } catch {
      return undefined
    }
  }
}

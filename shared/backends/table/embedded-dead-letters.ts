import { readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock/port.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { writeWhole } from '../disk/whole-file.ts'
import type { Change } from './port.ts'

/** Milliseconds until a dead letter is tried again. The cause, such as a full disk, may be repaired by then. */
export const DEAD_LETTER_PAUSE = 15 * 60_000

/** Which dead letters are tried again: all, or those that have waited for their pause. */
export type DeadLetterChoice = 'all' | 'due'

/** A dead letter: what its file holds. */
interface DeadChange {
  consumer: string
  /** Why it failed last. */
  reason: string
  change: Change
}

/**
 * Changes that a consumer could not handle, each in a file: the counterpart of a change stream's dead-letter queue on AWS. They hold items
 * of the table, so only their owner may read them. Only the server opens them.
 */
export class DeadChanges {
  readonly #folder: string
  readonly #clock: Clock
  /** When each became a dead letter, in UNIX milliseconds, by the name of its file. Those from before this start are due. */
  readonly #times: Map<string, number>

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
    this.#times = new Map(namesIn(folder).map((name) => [name, 0]))
  }

  /** Adds a change that a consumer failed on in all attempts. @param error of the last attempt */
  async add(consumer: string, change: Change, error: unknown): Promise<void> {
    makeFolder(this.#folder)
    const reason = error instanceof Error ? error.message : String(error)
    const letter: DeadChange = { consumer, reason, change }
    const name = `${consumer}-${change.id}.json`
    await writeWhole(join(this.#folder, name), JSON.stringify(letter, null, 2))
    this.#times.set(name, this.#clock.now())
  }

  /** How many there are, and when the first of them is tried again, in UNIX milliseconds. Reads nothing from the disk. */
  count(): { count: number; nextRetry: number | undefined } {
    const count = this.#times.size
    // `Math.min(...all)` fails: a call takes some 100,000 arguments at most.
    const first = this.#times.values().reduce((earliest, time) => Math.min(earliest, time), Number.POSITIVE_INFINITY)
    return { count, nextRetry: count > 0 ? first + DEAD_LETTER_PAUSE : undefined }
  }

  /**
   * Gives dead letters to `handle`. One that succeeds is deleted; one that fails again stays a dead letter and waits again.
   * @returns how many were given to it
   */
  async retry(which: DeadLetterChoice, handle: (consumer: string, change: Change) => Promise<void>): Promise<number> {
    const latest = which === 'all' ? Number.POSITIVE_INFINITY : this.#clock.now() - DEAD_LETTER_PAUSE
    const due = [...this.#times].filter(([, time]) => time <= latest)
    for (const [name] of due) await this.#retryOne(name, handle)
    return due.length
  }

  async #retryOne(name: string, handle: (consumer: string, change: Change) => Promise<void>): Promise<void> {
    const path = join(this.#folder, name)
    const letter = await readDeadChange(path)
    if (letter) {
      try {
        await handle(letter.consumer, letter.change)
      } catch (error) {
        return this.add(letter.consumer, letter.change, error)
      }
      await rm(path, { force: true })
    }
    this.#times.delete(name)
  }
}

/** @returns undefined for a file that the operator removed, and for one with other contents, which stays */
async function readDeadChange(path: string): Promise<DeadChange | undefined> {
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
    // There was never a dead letter.
    return []
  }
}

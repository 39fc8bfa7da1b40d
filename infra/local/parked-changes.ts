import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../../shared/backends/table/port.ts'
import { writeWhole } from './whole-file.ts'

/**
 * Changes that a consumer could not handle, each in a file for the operator: what the dead-letter queue of a change stream is on
 * AWS. They may hold anything that a table holds: readable by their owner only.
 */
export class ParkedChanges {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async park(consumer: string, change: Change, error: unknown): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const reason = error instanceof Error ? error.message : String(error)
    await writeWhole(join(this.#folder, `${consumer}-${change.id}.json`), JSON.stringify({ consumer, reason, change }, null, 2))
  }

  count(): number {
    try {
      return readdirSync(this.#folder).filter((name) => name.endsWith('.json')).length
    } catch {
      // No change was ever parked.
      return 0
    }
  }
}

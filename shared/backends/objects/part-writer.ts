import type { FileHandle } from 'node:fs/promises'
import { BlockWriter } from './block-writer.ts'
import { partBytes } from './composition.ts'
import type { PlacedPart } from './embedded-composition-index.ts'
import type { Part } from './port.ts'

/** Bytes and number of parts after which they are synced and recorded. A crash loses at most two such steps. */
const STEP_BYTES = 128 * 1024 ** 2
const STEP_PARTS = 4096

/**
 * Appends parts to a file. Syncs bytes while later parts are written, and records a part only after its sync, because a power cut may lose
 * unsynced bytes.
 */
export class PartWriter {
  readonly #file: string
  readonly #handle: FileHandle
  readonly #blocks: BlockWriter
  readonly #note: (parts: readonly PlacedPart[]) => void
  #waiting: PlacedPart[] = []
  #waitingBytes = 0
  #syncing: Promise<void> = Promise.resolve()
  #failure: { reason: unknown } | undefined

  /**
   * @param file name of the file in the records of parts
   * @param position in the file at which to start
   * @param note records parts that are on the disk
   */
  constructor(file: string, handle: FileHandle, position: number, note: (parts: readonly PlacedPart[]) => void) {
    this.#file = file
    this.#handle = handle
    this.#blocks = new BlockWriter(handle, position)
    this.#note = note
  }

  /** @param write appends the part's bytes to the blocks. Returns their CRC-32 */
  async append(part: Part, write: (blocks: BlockWriter) => Promise<number>): Promise<void> {
    const offset = this.#blocks.position
    const crc32 = await write(this.#blocks)
    const bytes = partBytes(part)
    this.#waiting.push({ number: part.number, bytes, file: this.#file, offset, crc32 })
    this.#waitingBytes += bytes
  }

  /** Adds a part whose bytes are already on the disk, in an object's file. */
  refer(placed: PlacedPart): void {
    this.#waiting.push(placed)
  }

  /** Records pending parts if a step is due. Call it between parts. */
  async stepIfDue(): Promise<void> {
    if (this.#waitingBytes >= STEP_BYTES || this.#waiting.length >= STEP_PARTS) await this.#step()
  }

  /** Resolves when all complete parts are synced and recorded. */
  async end(): Promise<void> {
    await this.#step()
    await this.#syncing
    this.#check()
  }

  async #step(): Promise<void> {
    await this.#syncing
    this.#check()
    if (this.#waiting.length === 0) return
    await this.#blocks.flush()
    const parts = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    this.#syncing = this.#handle
      .datasync()
      .then(() => this.#note(parts))
      .catch((reason: unknown) => {
        this.#failure = { reason }
      })
  }

  #check(): void {
    if (this.#failure) throw this.#failure.reason
  }
}

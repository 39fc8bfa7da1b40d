import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { ToolFailed } from '../../failure.ts'

/** Bytes read at once: parsers ask for a few at a time, mostly one after the other. */
const WINDOW_BYTES = 65_536

/** Most readings of a file; an image of 500,000 strips takes half of them. Hostile structures of a large file would take minutes. */
const MAX_READINGS = 4_000_000
/** Readings between which others get their turn: most need no wait. */
const READINGS_IN_A_ROW = 16_384

/** A file that is read in places, by a parser that may be led in circles. */
export class BinaryFile implements AsyncDisposable {
  readonly size: number
  readonly #handle: FileHandle
  #window = Buffer.alloc(0)
  #windowStart = 0
  #readings = 0

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  static async open(path: string): Promise<BinaryFile> {
    const handle = await open(path)
    return new BinaryFile(handle, (await handle.stat()).size)
  }

  /** Bytes of the file; valid until the next reading. @throws ToolFailed when the file ends before them, or after too many readings */
  async bytes(start: number, length: number): Promise<Buffer> {
    if (++this.#readings > MAX_READINGS) throw new ToolFailed('the structure of the file has no end')
    if (this.#readings % READINGS_IN_A_ROW === 0) await setImmediate()
    const from = start - this.#windowStart
    if (from >= 0 && from + length <= this.#window.length) return this.#window.subarray(from, from + length)
    if (!this.holds(start, start + length)) throw new ToolFailed(`the file ends before byte ${start + length}`)
    const window = Buffer.allocUnsafe(Math.max(length, Math.min(WINDOW_BYTES, this.size - start)))
    await this.readInto(window, start)
    this.#window = window
    this.#windowStart = start
    return window.subarray(0, length)
  }

  /** Fills a buffer with the bytes from a position on. @throws ToolFailed when the file ends before that */
  async readInto(buffer: Buffer, start: number): Promise<void> {
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, start + filled)
      if (bytesRead === 0) throw new ToolFailed(`the file ends before byte ${start + buffer.length}`)
      filled += bytesRead
    }
  }

  /** Whether a range is inside of the file. */
  holds(start: number, end: number): boolean {
    return start >= 0 && end >= start && end <= this.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}

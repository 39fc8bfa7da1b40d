import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { ToolFailed } from '../../failure.ts'

/** Bytes read at once. Parsers request a few at a time, mostly in sequence. */
const WINDOW_BYTES = 65_536

/** Most reads of a file. An image with 500,000 strips takes half of them. Without the limit a hostile large file would take minutes. */
const MAX_READS = 4_000_000
/** Reads after which the event loop gets a turn, because most reads don't wait. */
const READS_PER_TURN = 16_384

/** Random access to a file for parsers, with limits against hostile structures. */
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

  /** Bytes of the file, valid until the next read. @throws ToolFailed if the file ends before them, or after too many reads */
  async bytes(start: number, length: number): Promise<Buffer> {
    if (++this.#readings > MAX_READS) throw new ToolFailed('the structure of the file has no end')
    if (this.#readings % READS_PER_TURN === 0) await setImmediate()
    const from = start - this.#windowStart
    if (from >= 0 && from + length <= this.#window.length) return this.#window.subarray(from, from + length)
    if (!this.holds(start, start + length)) throw new ToolFailed(`the file ends before byte ${start + length}`)
    const window = Buffer.allocUnsafe(Math.max(length, Math.min(WINDOW_BYTES, this.size - start)))
    await this.readInto(window, start)
    this.#window = window
    this.#windowStart = start
    return window.subarray(0, length)
  }

  /** Fills a buffer with bytes from a position. @throws ToolFailed if the file ends before that */
  async readInto(buffer: Buffer, start: number): Promise<void> {
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, start + filled)
      if (bytesRead === 0) throw new ToolFailed(`the file ends before byte ${start + buffer.length}`)
      filled += bytesRead
    }
  }

  /** Whether a range is within the file. */
  holds(start: number, end: number): boolean {
    return start >= 0 && end >= start && end <= this.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}

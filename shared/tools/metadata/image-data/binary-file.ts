import { type FileHandle, open } from 'node:fs/promises'
import { ToolFailed } from '../../failure.ts'

/** Bytes read at once: parsers ask for a few at a time, mostly one after the other. */
const WINDOW_BYTES = 65_536

/** A file that is read in places. */
export class BinaryFile implements AsyncDisposable {
  readonly size: number
  readonly #handle: FileHandle
  #window = Buffer.alloc(0)
  #windowStart = 0

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  static async open(path: string): Promise<BinaryFile> {
    const handle = await open(path)
    return new BinaryFile(handle, (await handle.stat()).size)
  }

  /** Bytes of the file; valid until the next reading. @throws ToolFailed when the file ends before them */
  async bytes(start: number, length: number): Promise<Buffer> {
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

import { ToolFailed } from '../../failure.ts'
import type { BinaryFile } from './binary-file.ts'

/** An entry of a directory, with the place of its value in the file. */
export interface TiffEntry {
  tag: number
  type: number
  count: number
  start: number
  bytes: number
}

/** Bytes of a value by type number: BYTE, ASCII, SHORT, LONG, RATIONAL, … */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

/** Most numbers read from an entry. */
const MAX_NUMBERS = 500_000

/** Reads the structure of a TIFF (6.0), which may be embedded in another file. */
export class TiffReader {
  /** Offset of the first directory from the header. */
  readonly first: number
  readonly littleEndian: boolean
  readonly #file: BinaryFile
  readonly #base: number

  private constructor(file: BinaryFile, base: number, head: Buffer) {
    this.#file = file
    this.#base = base
    this.littleEndian = head[0] === 0x49
    this.first = this.littleEndian ? head.readUInt32LE(4) : head.readUInt32BE(4)
  }

  /** @param base offset of its header @throws ToolFailed */
  static async open(file: BinaryFile, base: number): Promise<TiffReader> {
    const head = await file.bytes(base, 8)
    if (!['49492a00', '4d4d002a'].includes(head.toString('hex', 0, 4))) throw new ToolFailed(`there is no TIFF header at byte ${base}`)
    return new TiffReader(file, base, head)
  }

  /** The entries of a directory. @throws ToolFailed for values outside of the file, or of types that TIFF doesn't have */
  async *directory(offset: number): AsyncGenerator<TiffEntry> {
    const entries = await this.#short(this.#base + offset)
    for (let index = 0; index < entries; index++) {
      const at = this.#base + offset + 2 + index * 12
      const [tag, type, count] = [await this.#short(at), await this.#short(at + 2), await this.long(at + 4)]
      const size = TYPE_BYTES[type]
      if (!size) throw new ToolFailed(`tag ${tag} is of no type of TIFF`)
      const bytes = size * count
      const start = bytes <= 4 ? at + 8 : this.#base + (await this.long(at + 8))
      if (!this.#file.holds(start, start + bytes)) throw new ToolFailed(`the value of tag ${tag} is outside of the file`)
      yield { tag, type, count, start, bytes }
    }
  }

  /** Offset of the next directory; 0 if there is none. */
  async next(offset: number): Promise<number> {
    return await this.long(this.#base + offset + 2 + (await this.#short(this.#base + offset)) * 12)
  }

  /** All numbers of an entry. @throws ToolFailed unless they are integers, and not too many */
  async numbers({ tag, type, count, start }: TiffEntry): Promise<number[]> {
    if (type !== SHORT && type !== LONG && type !== IFD) throw new ToolFailed(`tag ${tag} holds no whole numbers`)
    if (count > MAX_NUMBERS) throw new ToolFailed(`tag ${tag} holds more than ${MAX_NUMBERS} numbers`)
    const numbers: number[] = []
    for (let index = 0; index < count; index++) {
      numbers.push(type === SHORT ? await this.#short(start + index * 2) : await this.long(start + index * 4))
    }
    return numbers
  }

  /** The 32-bit number at an offset in the file. */
  async long(at: number): Promise<number> {
    const bytes = await this.#file.bytes(at, 4)
    return this.littleEndian ? bytes.readUInt32LE() : bytes.readUInt32BE()
  }

  async #short(at: number): Promise<number> {
    const bytes = await this.#file.bytes(at, 2)
    return this.littleEndian ? bytes.readUInt16LE() : bytes.readUInt16BE()
  }
}

const [SHORT, LONG, IFD] = [3, 4, 13]

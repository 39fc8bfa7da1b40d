/** So many characters become bytes at once: one by one, a hundred thousand texts take as many buffers. */
const LONGEST_FRESH = 256 * 1024

/** A long text in UTF-8, put together of new texts and of parts of an earlier one. Parts that lie side by side there are copied as one. */
export class JoinedText {
  readonly #earlier: Buffer
  readonly #parts: Buffer[] = []
  /** What comes next: new text, or else a part of the earlier one. */
  #fresh = ''
  #from = 0
  #to = 0
  #bytes = 0

  constructor(earlier: Buffer = Buffer.alloc(0)) {
    this.#earlier = earlier
  }

  /** How many it has so far. */
  get bytes(): number {
    return this.#bytes
  }

  add(text: string): void {
    if (this.#to > this.#from || this.#fresh.length > LONGEST_FRESH) this.#endPart()
    this.#fresh += text
    this.#bytes += Buffer.byteLength(text)
  }

  /** Adds bytes of the earlier text, from one up to, but without, another. */
  repeat(from: number, to: number): void {
    if (this.#fresh !== '' || from !== this.#to) this.#endPart(from)
    this.#to = to
    this.#bytes += to - from
  }

  toBuffer(): Buffer {
    this.#endPart()
    return Buffer.concat(this.#parts)
  }

  /** @param next where the next part of the earlier text begins */
  #endPart(next = 0): void {
    if (this.#fresh !== '') this.#parts.push(Buffer.from(this.#fresh))
    if (this.#to > this.#from) this.#parts.push(this.#earlier.subarray(this.#from, this.#to))
    this.#fresh = ''
    this.#from = next
    this.#to = next
  }
}

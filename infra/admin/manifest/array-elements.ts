/** An unreadable manifest. The message follows the file's name. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** Largest element, in bytes of JSON. */
const MAX_ELEMENT_BYTES = 2 * 1024 * 1024

const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const isSpace = (byte: number) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Yields the text of each element of a JSON array, with one element in memory at a time. Splits by brackets and quotes; `JSON.parse` validates the
 * elements.
 * @throws Unreadable for anything but an array, an element that is too large or missing, and invalid UTF-8
 */
export async function* arrayElements(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const array = new OpenArray()
  for await (const chunk of source) yield* array.read(chunk)
  array.end()
}

/** State of the reader. */
class OpenArray {
  #state: 'before' | 'inside' | 'after' = 'before'
  /** Bytes of the current element in earlier chunks. */
  #pieces: Buffer[] = []
  #bytes = 0
  #count = 0
  /** Open brackets within the element. */
  #depth = 0
  #inString = false
  #escaped = false

  end(): void {
    if (this.#state !== 'after') throw new Unreadable('must be a JSON array of items, and ends before its array does')
  }

  *read(chunk: Buffer): Generator<string> {
    let from = this.#state === 'inside' ? 0 : this.#begin(chunk)
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (this.#state === 'after') {
        if (!isSpace(byte)) throw new Unreadable('must end after its array')
      } else if (this.#isEnd(byte)) {
        const text = this.#element(chunk.subarray(from, at))
        const isEmptyArray = text === '' && byte === BRACKET_END && this.#count === 0
        if (text === '' && !isEmptyArray) throw new Unreadable(`has a comma too many: entry ${this.#count + 1} is empty`)
        if (byte === BRACKET_END) this.#state = 'after'
        if (text !== '') {
          this.#count++
          yield text
        }
        from = at + 1
      }
    }
    if (this.#state === 'inside') this.#keep(chunk.subarray(from))
  }

  /** @returns the position of the first element, or the end of the chunk before it */
  #begin(chunk: Buffer): number {
    if (this.#state === 'after') return 0
    let at = this.#bytes === 0 && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0
    while (at < chunk.length && isSpace(chunk[at]!)) at++
    this.#bytes += at
    if (at === chunk.length) return at
    if (chunk[at] !== BRACKET) throw new Unreadable('must be a JSON array of items')
    this.#state = 'inside'
    this.#bytes = 0
    return at + 1
  }

  /** Whether a byte follows the element, outside of strings and of the element's own brackets. */
  #isEnd(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) this.#inString = false
      return false
    }
    if (byte === QUOTE) this.#inString = true
    else if (this.#depth === 0 && (byte === COMMA || byte === BRACKET_END)) return true
    else if (byte === BRACKET || byte === BRACE) this.#depth++
    else if (byte === BRACKET_END || byte === BRACE_END) this.#depth = Math.max(0, this.#depth - 1)
    return false
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > MAX_ELEMENT_BYTES) throw new Unreadable(`has an entry that is too large: entry ${this.#count + 1}`)
    this.#pieces.push(piece)
  }

  #element(last: Buffer): string {
    this.#keep(last)
    const bytes = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#bytes = 0
    try {
      return utf8.decode(bytes).trim()
    } catch {
      throw new Unreadable(`must be text in UTF-8, and entry ${this.#count + 1} is not`)
    }
  }
}

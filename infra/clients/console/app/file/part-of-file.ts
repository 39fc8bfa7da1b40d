import { addressToShow } from './original.ts'

/** A file whose bytes are read in parts: the address is asked for once. */
export class FileParts {
  readonly #address: Promise<string>
  readonly #ended = new AbortController()

  constructor(id: number) {
    this.#address = addressToShow(id)
    // Who reads a part is told.
    this.#address.catch(() => undefined)
  }

  end(): void {
    this.#ended.abort()
  }

  /** Bytes from one place to another, which isn't read; fewer where the file ends before. @throws Error where they can't be had */
  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    if (to <= from) return new Uint8Array()
    const headers = { Range: `bytes=${from}-${to - 1}` }
    const response = await fetch(await this.#address, { headers, signal: this.#ended.signal })
    // A file without a byte has no part.
    if (response.status === 416) return new Uint8Array()
    if (response.status !== 206 && !(response.ok && from === 0)) throw new Error(`${response.status}`)
    return firstBytes(response, to - from)
  }
}

/** The beginning of an answer, however long that is. */
async function firstBytes(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(most)
  let length = 0
  const reader = response.body?.getReader()
  while (reader && length < most) {
    const { value, done } = await reader.read()
    if (done) break
    const part = value.subarray(0, most - length)
    bytes.set(part, length)
    length += part.length
  }
  await reader?.cancel()
  return bytes.slice(0, length)
}

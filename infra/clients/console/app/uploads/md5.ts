/** Bytes that are hashed before the page gets its turn: about 10 ms. */
const PIECE = 1024 ** 2
const BLOCK = 64

/**
 * MD5 of a file, in lower-case hex. The page stays usable meanwhile.
 * @throws DOMException where the file can't be read
 */
export async function md5Of(file: Blob): Promise<string> {
  const md5 = new Md5()
  for (let from = 0; from < file.size; from += PIECE) md5.add(new Uint8Array(await file.slice(from, from + PIECE).arrayBuffer()))
  return md5.end()
}

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const SINES = Int32Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32))

/** MD5 (RFC 1321). Browsers have none, and the page's policy lets no WebAssembly run. */
class Md5 {
  readonly #state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  readonly #words = new Int32Array(16)
  #rest = new Uint8Array()
  #length = 0

  add(bytes: Uint8Array): void {
    this.#length += bytes.length
    const all = this.#rest.length > 0 ? joined(this.#rest, bytes) : bytes
    const end = all.length - (all.length % BLOCK)
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength)
    for (let at = 0; at < end; at += BLOCK) this.#addBlock(view, at)
    this.#rest = all.slice(end)
  }

  end(): string {
    const bits = new DataView(new ArrayBuffer(8))
    bits.setBigUint64(0, BigInt(this.#length) * 8n, true)
    const zeros = (BLOCK + 55 - (this.#length % BLOCK)) % BLOCK
    this.add(joined(Uint8Array.of(0x80, ...new Uint8Array(zeros)), new Uint8Array(bits.buffer)))
    return [...new Uint8Array(this.#state.buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }

  #addBlock(bytes: DataView, at: number): void {
    const words = this.#words
    for (let index = 0; index < 16; index++) words[index] = bytes.getInt32(at + index * 4, true)
    const state = this.#state
    let [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!]
    for (let step = 0; step < 64; step++) {
      const round = step >> 4
      let mixed: number
      let word: number
      if (round === 0) {
        mixed = (b & c) | (~b & d)
        word = step
      } else if (round === 1) {
        mixed = (d & b) | (~d & c)
        word = (5 * step + 1) & 15
      } else if (round === 2) {
        mixed = b ^ c ^ d
        word = (3 * step + 5) & 15
      } else {
        mixed = c ^ (b | ~d)
        word = (7 * step) & 15
      }
      const sum = (a + mixed + SINES[step]! + words[word]!) | 0
      const shift = SHIFTS[(round << 2) | (step & 3)]!
      a = d
      d = c
      c = b
      b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0
    }
    state[0]! += a
    state[1]! += b
    state[2]! += c
    state[3]! += d
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

/** Damage to files. The same seed does the same damage. */

/** Random whole numbers from a seed (mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Where formats keep dimensions, counts and offsets. */
const headBytes = 300
/** Typical errors of lengths and counts. */
const extremes = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff]

/** Damages a copy of a file in one to three ways: cuts it off, flips bits anywhere or in its head, overwrites numbers with extreme ones. */
export function mutate(file: Buffer, seed: number): Buffer {
  const below = randomNumbers(seed)
  let damaged = Buffer.from(file)
  for (let count = 1 + below(3); count > 0; count--) damaged = damageOnce(damaged, below)
  return damaged
}

function damageOnce(file: Buffer<ArrayBuffer>, below: (limit: number) => number): Buffer<ArrayBuffer> {
  if (file.length < 8) return file
  const kind = below(4)
  if (kind === 0) return file.subarray(0, below(file.length))
  const reach = kind === 1 ? file.length : Math.min(file.length, headBytes)
  if (kind === 3) {
    const value = extremes[below(extremes.length)]!
    const at = below(reach - 4)
    const isLittle = below(2) === 0
    const isLong = below(2) === 0
    if (isLong) isLittle ? file.writeUInt32LE(value, at) : file.writeUInt32BE(value, at)
    else isLittle ? file.writeUInt16LE(value & 0xffff, at) : file.writeUInt16BE(value & 0xffff, at)
    return file
  }
  for (let flips = 1 + below(12); flips > 0; flips--) {
    const at = below(reach)
    file[at]! ^= 1 << below(8)
  }
  return file
}

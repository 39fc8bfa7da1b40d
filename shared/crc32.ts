/** The polynomial of ZIP's CRC-32. In this file the highest bit of a number is the coefficient of x^0. */
const POLYNOMIAL = 0xedb88320
/** x^(8 * digit * 256^n), by n and digit: sizes up to 2^56 bytes are products of seven of them. */
const POWERS = powers()

/**
 * The CRC-32 of two concatenated pieces of data, from the CRC-32 of each. Takes a microsecond, whatever their size.
 * @param first CRC-32 of the first piece, unsigned
 * @param second CRC-32 of the second piece, unsigned
 * @param secondBytes size of the second piece in bytes
 * @returns unsigned
 * @see https://github.com/madler/zlib/blob/master/crc32.c (crc32_combine)
 */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  return (multiply(toThe8th(secondBytes), first) ^ second) >>> 0
}

/** x^(8 * bytes): the factor for a CRC that this many zero bytes follow. */
function toThe8th(bytes: number): number {
  let product = POWERS[0]![bytes % 256]!
  // Sizes exceed 2^32, so bit shifts can't take off the digits.
  for (let rest = Math.floor(bytes / 256), n = 1; rest > 0; rest = Math.floor(rest / 256), n += 1) {
    product = multiply(POWERS[n]![rest % 256]!, product)
  }
  return product
}

/** Product of two polynomials over GF(2), modulo the CRC's. Branch-free, because the CPU would mispredict half of the branches. */
function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = 31; bit >= 0; bit -= 1) {
    product ^= shifted & -((a >>> bit) & 1)
    shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1))
  }
  return product >>> 0
}

function powers(): Uint32Array[] {
  const [one, x8] = [0x80000000, 0x00800000]
  const found: Uint32Array[] = []
  for (let base = x8; found.length < 7; base = multiply(base, found.at(-1)![255]!)) {
    const digits = new Uint32Array(256).fill(one)
    for (let digit = 1; digit < 256; digit += 1) digits[digit] = multiply(digits[digit - 1]!, base)
    found.push(digits)
  }
  return found
}

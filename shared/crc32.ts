/** The polynomial of zip's CRC-32. In this file the highest bit of a number is the coefficient of x^0. */
const POLYNOMIAL = 0xedb88320
/** x^(2^n), by n. The polynomial is primitive, so x^(2^32) is x again. */
const POWERS = powers()

/**
 * The CRC-32 of two pieces of data, one after the other, from theirs alone. Takes a microsecond, however long they are.
 * @param first CRC-32 of the first piece, unsigned
 * @param second CRC-32 of the second piece, unsigned
 * @param secondBytes size of the second piece in bytes
 * @returns unsigned
 * @see https://github.com/madler/zlib/blob/master/crc32.c (crc32_combine)
 */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  return (multiply(toThe8th(secondBytes), first) ^ second) >>> 0
}

/** x^(8 * bytes): what a CRC is multiplied by when as many bytes of zeros follow. */
function toThe8th(bytes: number): number {
  let product = 0x80000000
  // Sizes are above 2^32, so bits are taken off by division.
  for (let rest = bytes, n = 3; rest > 0; rest = Math.floor(rest / 2), n += 1) {
    if (rest % 2 === 1) product = multiply(POWERS[n % 32]!, product)
  }
  return product
}

/** Product of two polynomials over GF(2), modulo the CRC's. */
function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = 31; bit >= 0; bit -= 1) {
    if ((a >>> bit) & 1) product ^= shifted
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1
  }
  return product >>> 0
}

function powers(): number[] {
  const found = [0x40000000]
  while (found.length < 32) found.push(multiply(found.at(-1)!, found.at(-1)!))
  return found
}

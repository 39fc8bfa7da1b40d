const MiB = 1024 ** 2

/** Allowed sizes of parts, in bytes. */
const PART_SIZES = [8, 16, 32, 64, 128].map((size) => size * MiB)
/** Most parts of one upload. S3 takes 10,000. */
const MOST_PARTS = 9_000

/** Cuts a file into the smallest parts that stay within `MOST_PARTS`. An empty file is one empty part. @param bytes up to 1 TiB */
export function partsOf(bytes: number): { partBytes: number; parts: number } {
  const partBytes = PART_SIZES.find((size) => bytes <= size * MOST_PARTS)
  if (partBytes === undefined) throw new RangeError(`a file of ${bytes} bytes has too many parts`)
  return { partBytes, parts: Math.max(1, Math.ceil(bytes / partBytes)) }
}

/** Bytes of a part: the last one has what is left. */
export function bytesOfPart({ bytes, partBytes }: { bytes: number; partBytes: number }, number: number): number {
  return Math.min(partBytes, bytes - (number - 1) * partBytes)
}

import { crc32 } from 'node:zlib'
import { combineCrc32 } from '../../../shared/crc32.ts'
import type { ArchiveEntry, PartRules, Segment } from '../../../shared/tools/archive/plan.ts'

/** CRC-32s of 2^n zeros. */
const zeros = [crc32(Buffer.alloc(1))]
for (let n = 0; n < 50; n += 1) zeros.push(combineCrc32(zeros[n]!, zeros[n]!, 2 ** n))

/** CRC-32 of so many zeros, without reading them. */
export function crcOfZeros(bytes: number): number {
  let crc = 0
  for (const [n, ofPower] of zeros.entries()) if (Math.floor(bytes / 2 ** n) % 2 === 1) crc = combineCrc32(crc, ofPower, 2 ** n)
  return crc
}

/** Files of zeros, by their sizes: those of many gigabytes need no room. Keys are indices. */
export function zeroFiles(sizes: readonly number[]): ArchiveEntry[] {
  const crcs = new Map([...new Set(sizes)].map((bytes) => [bytes, crcOfZeros(bytes)]))
  return sizes.map((bytes, index) => ({
    path: `${index}.bin`,
    modified: Date.UTC(2026, 0, 31, 12, 34, 57),
    bytes,
    crc32: crcs.get(bytes)!,
    ...(bytes > 0 && { key: `${index}` }),
  }))
}

/** Storage that holds these files. */
export function zeroStorage(rules: PartRules, sizes: readonly number[]) {
  const crcOf = (segment: Segment) => ('bytes' in segment ? crc32(segment.bytes) : crcOfZeros(segment.end - segment.start + 1))
  return { rules, crcOf, sizeOf: (key: string) => sizes[Number(key)]! }
}

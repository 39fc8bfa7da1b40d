import * as z from 'zod'

/** Bytes of each unit: disks are sold in GB, memory is counted in GiB. */
const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 }

/** A size in a setting: bytes, or with a unit (`500MB`, `1.5 GiB`), in any case. @param max bytes */
export function byteSize(max: number) {
  const wanted = `a size from 1 to ${max} bytes, like 500000000, 500MB (1 MB is 1,000,000 bytes) or 5GiB (1 GiB is 1,073,741,824 bytes)`
  return z
    .union([z.number(), z.string()], wanted)
    .transform((size) => bytesOf(String(size)))
    .refine((bytes) => bytes >= 1 && bytes <= max, wanted)
}

/** NaN for what is no size. */
function bytesOf(size: string): number {
  const [, number, unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?) ?([a-z]*)$/i.exec(size) ?? []
  return Math.floor(Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN))
}

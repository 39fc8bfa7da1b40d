import type { ArchiveEntry } from '../../../shared/tools/archive/plan.ts'

/** Writes an archive as the format's description says, in memory and without ZIP64. */
export function referenceArchive(entries: readonly ArchiveEntry[], contentOf: (entry: ArchiveEntry) => Uint8Array): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.path, 'utf8')
    const isFolder = entry.path.endsWith('/')
    // version needed, flags, method, time, date, CRC-32, two sizes, length of name, length of extra fields
    const common = pack([2, 20], [2, 0x800], [2, 0], ...dosTime(entry.modified), [4, entry.crc32], [4, entry.bytes], [4, entry.bytes])
    const extra = pack([2, 0x5455], [2, 5], [1, 1], [4, Math.floor(entry.modified / 1000)])
    const lengths = pack([2, name.length], [2, extra.length])
    const record = Buffer.concat([pack([4, 0x04034b50]), common, lengths, name, extra, contentOf(entry)])
    // length of comment, disk, internal attributes, external attributes, offset
    const rest = pack([2, 0], [2, 0], [2, 0], [2, isFolder ? 0x10 : 0], [2, isFolder ? 0o40755 : 0o100644], [4, offset])
    central.push(Buffer.concat([pack([4, 0x02014b50], [1, 45], [1, 3]), common, lengths, rest, name, extra]))
    local.push(record)
    offset += record.length
  }
  const directory = Buffer.concat(central)
  const count = entries.length
  const end = pack([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, directory.length], [4, offset], [2, 0])
  return Buffer.concat([...local, directory, end])
}

/** Numbers of so many bytes, the lowest byte first. */
function pack(...fields: [bytes: number, value: number][]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(8)
      field.writeBigInt64LE(BigInt(value))
      return field.subarray(0, bytes)
    }),
  )
}

function dosTime(modified: number): [number, number][] {
  const date = new Date(modified)
  const time = date.getUTCHours() * 2048 + date.getUTCMinutes() * 32 + Math.floor(date.getUTCSeconds() / 2)
  const day = (date.getUTCFullYear() - 1980) * 512 + (date.getUTCMonth() + 1) * 32 + date.getUTCDate()
  return [
    [2, time],
    [2, day],
  ]
}

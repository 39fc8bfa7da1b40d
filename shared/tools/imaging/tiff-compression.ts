import { open } from 'node:fs/promises'

/** Entries of a directory that are looked at; ordinary ones have some twenty. */
const maxEntries = 1_000
const compressionTag = 259

/** How the first picture of a TIFF or BigTIFF file is compressed (1: not at all); undefined where it can't be told. */
export async function tiffCompression(path: string): Promise<number | undefined> {
  const file = await open(path)
  try {
    const read = async (position: number, bytes: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position)
      return buffer.subarray(0, bytesRead)
    }
    const header = await read(0, 16)
    if (header.length < 16) return undefined
    const little = header.toString('latin1', 0, 2) === 'II'
    const u16 = (bytes: Buffer, at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
    const u64 = (bytes: Buffer, at: number) => Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
    const big = u16(header, 2) === 43
    const start = big ? u64(header, 8) : little ? header.readUInt32LE(4) : header.readUInt32BE(4)
    const [countBytes, entryBytes, valueAt] = big ? [8, 20, 12] : [2, 12, 8]
    if (!Number.isSafeInteger(start)) return undefined
    const directory = await read(start, countBytes + maxEntries * entryBytes)
    for (let at = countBytes; at + entryBytes <= directory.length; at += entryBytes) {
      if (u16(directory, at) === compressionTag) return u16(directory, at + valueAt)
    }
    return undefined
  } finally {
    await file.close()
  }
}

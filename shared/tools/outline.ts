import { type FileHandle, open } from 'node:fs/promises'

const MiB = 1024 ** 2

/** Bytes fetched from the beginning and from the end: headers of most formats, and indexes that films have at their end. */
const ENDS_BYTES = 32 * MiB
/** Most bytes fetched from the boxes of an MP4 film, and most boxes. A film of ten hours has an index of about 50 MiB. */
const BOXES_BYTES = 512 * MiB
const MOST_BOXES = 1_000
/** Header of a box with a size of 64 bits. */
const BOX_HEADER_BYTES = 16

/** Reads the file from `start` to before `end`. */
type ReadRange = (start: number, end: number) => AsyncIterable<Uint8Array>

/**
 * Makes the outline of a large file: a sparse file of the same size with its metadata, which is its beginning, its end and, for MP4 films,
 * all boxes except picture and sound. The rest reads as zeros and takes no disk space.
 * @throws what `read` throws
 */
export async function writeOutline(path: string, bytes: number, read: ReadRange): Promise<void> {
  await using file = await open(path, 'wx+')
  await file.truncate(bytes)
  async function fetch(start: number, end: number): Promise<void> {
    let at = start
    for await (const piece of read(start, end)) {
      await file.write(piece, 0, piece.length, at)
      at += piece.length
    }
  }
  await fetch(0, Math.min(ENDS_BYTES, bytes))
  await fetch(Math.max(0, bytes - ENDS_BYTES), bytes)
  if (await isMp4(file)) await fetchBoxes(file, bytes, fetch)
}

async function isMp4(file: FileHandle): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
  return buffer.toString('latin1', 4, 8) === 'ftyp'
}

/** Fetches the top-level boxes except `mdat`. Stops at invalid boxes. */
async function fetchBoxes(file: FileHandle, bytes: number, fetch: (start: number, end: number) => Promise<void>): Promise<void> {
  let fetched = 0
  for (let [at, boxes] = [0, 0]; at + BOX_HEADER_BYTES <= bytes && boxes < MOST_BOXES; boxes += 1) {
    await fetch(at, at + BOX_HEADER_BYTES)
    const { buffer: header } = await file.read(Buffer.alloc(BOX_HEADER_BYTES), 0, BOX_HEADER_BYTES, at)
    const size = sizeOf(header, bytes - at)
    if (size === undefined) return
    if (header.toString('latin1', 4, 8) !== 'mdat') {
      fetched += size
      if (fetched > BOXES_BYTES) return
      await fetch(at, at + size)
    }
    at += size
  }
}

/** Bytes of a box (ISO/IEC 14496-12, 4.2): 1 means that 64 bits follow the type, 0 means the rest of the file. Undefined if invalid. */
function sizeOf(header: Buffer, rest: number): number | undefined {
  const short = header.readUInt32BE(0)
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? rest : short
  return size >= 8 && size <= rest ? size : undefined
}

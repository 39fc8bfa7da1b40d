import { type FileHandle, open } from 'node:fs/promises'

const MiB = 1024 ** 2

/** Bytes that are fetched of the beginning, and of the end: headers of most formats, and the indexes that films have at their end. */
const ENDS_BYTES = 32 * MiB
/** Most bytes that are fetched of the boxes of an MP4 film, and most boxes. A film of ten hours has an index of some 50 MiB. */
const BOXES_BYTES = 512 * MiB
const MOST_BOXES = 1_000
/** Header of a box with a size of 64 bits. */
const BOX_HEADER_BYTES = 16

/** Bytes of the file, from `start` to before `end`. */
type ReadRange = (start: number, end: number) => AsyncIterable<Uint8Array>

/**
 * Makes a sparse file of a large file's size that has what tells of its contents: its beginning, its end and, of MP4 films, all boxes but their
 * pictures and sound. Elsewhere it reads as zeros. It takes little of the disk, whatever the size.
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

/** Fetches the boxes of the top level, one after the other, but `mdat`. What is no box ends it. */
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

/** Bytes of a box (ISO/IEC 14496-12, 4.2): 1 means that 64 bits follow the type, 0 the rest of the file. Undefined where they make no sense. */
function sizeOf(header: Buffer, rest: number): number | undefined {
  const short = header.readUInt32BE(0)
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? rest : short
  return size >= 8 && size <= rest ? size : undefined
}

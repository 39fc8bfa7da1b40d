import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { ObjectsUnavailable } from '../../objects/port.ts'
import { DamagedSnapshot, type IndexSnapshot } from './port.ts'

/*
 * A compressed file whose parts can be fetched and decompressed at the same time: frames of zstd, each with a checksum, and after them a table of
 * their sizes. `zstd -d` takes it as it is. Source: "Zstandard Seekable Format" 0.1.0, in the repository of zstd (contrib/seekable_format).
 */

/** Bytes of the file in one frame. */
const FRAME_BYTES = 8 * 1024 ** 2
/** Frames that are compressed at the same time: the threads of Node's pool. */
const COMPRESSED_AT_A_TIME = 4
/** Frames that are fetched at the same time. One connection to S3 brings some 90 MB a second. */
const FETCHED_AT_A_TIME = 8
/** Attempts to read a range: a connection may break off in the middle. */
const ATTEMPTS = 3

const SKIPPABLE = 0x184d2a5e
const SEEKABLE = 0x8f92eab1
const HEADER_BYTES = 8
const ENTRY_BYTES = 8
const FOOTER_BYTES = 9
/** So much of the end is read at once: the table of 64 GB, so that nobody has to ask how long it is. */
const END_BYTES = 64 * 1024

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }

interface Frame {
  /** Where it begins among the compressed bytes, and their number. */
  start: number
  bytes: number
  /** The same of the file. */
  fileStart: number
  fileBytes: number
}

/** The bytes of a file, compressed. Nobody may write to the file. */
export async function* compressed(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  const running: Promise<{ frame: Buffer; fileBytes: number }>[] = []
  try {
    const { size } = await file.stat()
    const sizes: [bytes: number, fileBytes: number][] = []
    for (let start = 0; start < size || running.length > 0; ) {
      while (start < size && running.length < COMPRESSED_AT_A_TIME) {
        const frame = compressedFrame(file, start, Math.min(FRAME_BYTES, size - start))
        // One that fails before its turn is told when that comes, and until then is no unhandled rejection.
        frame.catch(() => undefined)
        running.push(frame)
        start += FRAME_BYTES
      }
      const { frame, fileBytes } = await running[0]!
      running.shift()
      sizes.push([frame.length, fileBytes])
      yield frame
    }
    yield tableOf(sizes)
  } finally {
    await Promise.allSettled(running)
    await file.close()
  }
}

async function compressedFrame(file: FileHandle, position: number, length: number) {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
  return { frame: await compress(buffer.subarray(0, bytesRead), { params }), fileBytes: bytesRead }
}

function tableOf(sizes: readonly [bytes: number, fileBytes: number][]): Buffer {
  const table = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * sizes.length + FOOTER_BYTES)
  table.writeUInt32LE(SKIPPABLE, 0)
  table.writeUInt32LE(table.length - HEADER_BYTES, 4)
  sizes.forEach(([bytes, fileBytes], n) => {
    table.writeUInt32LE(bytes, HEADER_BYTES + ENTRY_BYTES * n)
    table.writeUInt32LE(fileBytes, HEADER_BYTES + ENTRY_BYTES * n + 4)
  })
  table.writeUInt32LE(sizes.length, table.length - FOOTER_BYTES)
  table.writeUInt32LE(SEEKABLE, table.length - 4)
  return table
}

/**
 * Writes the file of a snapshot to a path where none may be.
 * @throws DamagedSnapshot, ObjectsUnavailable, errors of the disk; then there may be a part of it
 */
export async function unpack(snapshot: IndexSnapshot, path: string): Promise<void> {
  const frames = await framesOf(snapshot)
  const file = await open(path, 'wx', 0o600)
  try {
    // All workers take from one generator: the failure of one closes it, so the others end with the frame that they are at.
    const waiting = oneByOne(frames)
    const work = async () => {
      for (const frame of waiting) await write(file, await fileBytesOf(snapshot, frame), frame.fileStart)
    }
    const ends = await Promise.allSettled(Array.from({ length: FETCHED_AT_A_TIME }, work))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  } finally {
    await file.close()
  }
}

/** Unlike the iterator of an array, it can be closed. */
function* oneByOne<T>(all: readonly T[]): Generator<T> {
  yield* all
}

async function framesOf(snapshot: IndexSnapshot): Promise<Frame[]> {
  const { stored, bytes } = snapshot
  const end = await read(snapshot, Math.max(0, stored - END_BYTES), stored - 1)
  const count = end.length < FOOTER_BYTES ? 0 : end.readUInt32LE(end.length - FOOTER_BYTES)
  const tableStart = end.length - FOOTER_BYTES - ENTRY_BYTES * count
  if (tableStart < HEADER_BYTES || end.readUInt32LE(end.length - 4) !== SEEKABLE) throw damaged(snapshot, 'it has no table of frames')
  const frames: Frame[] = []
  let [start, fileStart] = [0, 0]
  for (let at = tableStart; at < end.length - FOOTER_BYTES; at += ENTRY_BYTES) {
    const frame = { start, bytes: end.readUInt32LE(at), fileStart, fileBytes: end.readUInt32LE(at + 4) }
    if (frame.bytes === 0 || frame.fileBytes > FRAME_BYTES) throw damaged(snapshot, 'its table of frames is wrong')
    frames.push(frame)
    start += frame.bytes
    fileStart += frame.fileBytes
  }
  if (start !== stored - (end.length - tableStart) - HEADER_BYTES || fileStart !== bytes) {
    throw damaged(snapshot, 'its frames have another size than the record says')
  }
  return frames
}

async function fileBytesOf(snapshot: IndexSnapshot, { start, bytes, fileBytes }: Frame): Promise<Buffer> {
  const frame = await read(snapshot, start, start + bytes - 1)
  const content = await decompress(frame, { maxOutputLength: fileBytes }).catch((cause: unknown) => {
    throw damaged(snapshot, `the frame at ${start} can't be decompressed`, cause)
  })
  if (content.length !== fileBytes) throw damaged(snapshot, `the frame at ${start} has another size than the table says`)
  return content
}

async function read(snapshot: IndexSnapshot, start: number, end: number): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      const bytes = Buffer.concat(await (await snapshot.read(start, end)).toArray())
      if (bytes.length !== end - start + 1) throw damaged(snapshot, `its bytes ${start} to ${end} are not all there`)
      return bytes
    } catch (error) {
      if (error instanceof DamagedSnapshot) throw error
      if (attempt === ATTEMPTS) throw new ObjectsUnavailable(`snapshot ${snapshot.name} could not be read`, { cause: error })
    }
  }
}

async function write(file: FileHandle, content: Buffer, position: number): Promise<void> {
  for (let at = 0; at < content.length; ) {
    at += (await file.write(content, at, content.length - at, position + at)).bytesWritten
  }
}

function damaged({ name }: IndexSnapshot, why: string, cause?: unknown): DamagedSnapshot {
  return new DamagedSnapshot(`snapshot ${name}: ${why}`, { cause })
}

import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { BinaryFile } from './binary-file.ts'
import { isMetadata, type PngChunk, pngChunks } from './png-chunks.ts'

/** A range of a file's bytes. */
type Range = Pick<PngChunk, 'start' | 'end'>

const STEP_BYTES = 65_536

/**
 * Writes a PNG without its image data: what precedes it, then texts and EXIF that follow it.
 *
 * ExifTool computes the checksum of each chunk, which takes 8 s for 50 MB in Perl. With `-fast` it doesn't, but then it both copies such
 * texts to the front and leaves them where they were.
 */
export async function writeBarePng(source: string, target: string): Promise<void> {
  await using file = await BinaryFile.open(source)
  const { image, behind, end } = await partsOf(file)
  const ranges = [{ start: 0, end: image }, ...behind.filter(isMetadata), end]
  await pipeline(bytesOf(file, ranges), createWriteStream(target))
}

/**
 * Joins a written copy of a bare PNG with the original's image data: what the copy has, then the image and all that follows it except texts
 * and EXIF.
 */
export async function joinPng(bare: string, source: string, target: string): Promise<void> {
  await using head = await BinaryFile.open(bare)
  await using file = await BinaryFile.open(source)
  const written = await partsOf(head)
  const { behind, end } = await partsOf(file)
  const rest = [...behind.filter((chunk) => !isMetadata(chunk)), { start: end.start, end: file.size }]
  const both = async function* () {
    yield* bytesOf(head, [{ start: 0, end: written.image }])
    yield* bytesOf(file, rest)
  }
  await pipeline(both, createWriteStream(target))
}

/** The offset of a PNG's image data, the chunks from there on, and the one that ends the file. */
async function partsOf(file: BinaryFile): Promise<{ image: number; behind: PngChunk[]; end: PngChunk }> {
  const behind: PngChunk[] = []
  for await (const chunk of pngChunks(file)) {
    if (chunk.type === 'IEND') return { image: behind[0]?.start ?? chunk.start, behind, end: chunk }
    if (behind.length > 0 || chunk.type === 'IDAT') behind.push(chunk)
  }
  throw new Error('a PNG ends with IEND')
}

/** The bytes of ranges. Reads adjacent ranges as one. */
async function* bytesOf(file: BinaryFile, ranges: readonly Range[]): AsyncGenerator<Buffer> {
  for (const { start, end } of joined(ranges)) {
    for (let at = start; at < end; at += STEP_BYTES) yield Buffer.from(await file.bytes(at, Math.min(STEP_BYTES, end - at)))
  }
}

function joined(ranges: readonly Range[]): Range[] {
  const runs: Range[] = []
  for (const { start, end } of ranges) {
    const last = runs.at(-1)
    if (last?.end === start) last.end = end
    else runs.push({ start, end })
  }
  return runs
}

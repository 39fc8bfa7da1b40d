import { ToolFailed } from '../../failure.ts'
import { BinaryFile } from './binary-file.ts'
import { formatOf, type ImageFormat } from './format.ts'
import { jpegPieces } from './jpeg.ts'
import type { FindPieces, Piece } from './pieces.ts'
import { pngPieces } from './png.ts'
import { tiffPieces } from './tiff.ts'

const FINDERS: Readonly<Record<ImageFormat, FindPieces>> = { jpeg: jpegPieces, png: pngPieces, tiff: tiffPieces }

/** Bytes compared at once. */
const STEP_BYTES = 1024 ** 2
/** Most pieces of a file. Photos have about ten, images with a strip for each row about ten thousand. */
const MAX_PIECES = 500_000
/** Pieces may overlap, but their total size may exceed the file's by this factor at most. */
const MOST_GROWTH = 2

/**
 * Finds the pieces of a file that are not metadata: the image data, and what decides how it is decoded.
 * @throws ToolFailed if the file violates its format, or refers to the same bytes so often that a copy would be much larger
 */
export async function readImage(path: string): Promise<Piece[]> {
  await using file = await BinaryFile.open(path)
  const pieces: Piece[] = []
  let bytes = 0
  for await (const piece of FINDERS[await formatOf(file)](file)) {
    if (!file.holds(piece.start, piece.end)) throw new ToolFailed(`${piece.name} is outside of the file`)
    bytes += piece.end - piece.start
    if (bytes > MOST_GROWTH * file.size) throw new ToolFailed('parts of the file overlap')
    if (pieces.push(piece) > MAX_PIECES) throw new ToolFailed(`the file has more than ${MAX_PIECES} parts`)
  }
  return pieces
}

/**
 * Checks that a copy has the same image data.
 * @param pieces of the source, from `readImage`
 * @throws ToolFailed if the image data differs
 */
export async function assertSameImage(source: string, pieces: readonly Piece[], copy: string): Promise<void> {
  const copied = await readImage(copy)
  await using ours = await BinaryFile.open(source)
  await using theirs = await BinaryFile.open(copy)
  if (pieces.length !== copied.length) throw new ToolFailed(`the copy has ${copied.length} parts instead of ${pieces.length}`)
  for (const { start, end, from } of runs(pieces, copied)) await compare(ours, theirs, { start, end, from })
}

/** A range of the source, and its start in the copy. */
interface Run {
  start: number
  end: number
  from: number
}

/** Merges pieces that are adjacent in both files. @throws ToolFailed if a piece differs in name or size */
function* runs(pieces: readonly Piece[], copied: readonly Piece[]): Generator<Run> {
  let run: Run = { start: 0, end: 0, from: 0 }
  for (const [index, { name, start, end }] of pieces.entries()) {
    const other = copied[index]!
    if (other.name !== name || other.end - other.start !== end - start) throw new ToolFailed(`the copy has ${other.name} for ${name}`)
    if (start === run.end && other.start - run.from === run.end - run.start) {
      run.end = end
    } else {
      yield run
      run = { start, end, from: other.start }
    }
  }
  yield run
}

async function compare(ours: BinaryFile, theirs: BinaryFile, { start, end, from }: Run): Promise<void> {
  const buffers = [Buffer.allocUnsafe(Math.min(STEP_BYTES, end - start)), Buffer.allocUnsafe(Math.min(STEP_BYTES, end - start))] as const
  for (let done = 0; done < end - start; ) {
    const length = Math.min(STEP_BYTES, end - start - done)
    const [one, other] = [buffers[0].subarray(0, length), buffers[1].subarray(0, length)]
    await Promise.all([ours.readInto(one, start + done), theirs.readInto(other, from + done)])
    if (!one.equals(other)) throw new ToolFailed(`the copy differs from byte ${start + done} of the file on`)
    done += length
  }
}

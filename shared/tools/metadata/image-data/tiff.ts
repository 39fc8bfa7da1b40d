import { ToolFailed } from '../../failure.ts'
import type { BinaryFile } from './binary-file.ts'
import type { Piece } from './pieces.ts'
import { type TiffEntry, TiffReader } from './tiff-reader.ts'

const [STRIP_OFFSETS, STRIP_BYTES, TILE_OFFSETS, TILE_BYTES, JPEG_OFFSET, JPEG_BYTES, SUBDIRECTORIES] = [273, 279, 324, 325, 513, 514, 330]

/** Entries with offsets of pixels, each with its entry of byte counts. */
const PIXELS = new Map([
  [STRIP_OFFSETS, STRIP_BYTES],
  [TILE_OFFSETS, TILE_BYTES],
  [JPEG_OFFSET, JPEG_BYTES],
])

/** Entries of metadata (description, copyright, XMP, IPTC, Photoshop's resources) and pointers (EXIF, GPS, free space). */
const OTHER = new Set([270, 33_432, 700, 33_723, 34_377, 34_665, 34_853, 40_965, 288, SUBDIRECTORIES])

const MAX_DIRECTORIES = 10_000

/** Strips, tiles and JPEG streams of all pages and their subdirectories, and all entries except metadata and pointers. */
export async function* tiffPieces(file: BinaryFile): AsyncGenerator<Piece> {
  const tiff = await TiffReader.open(file, 0)
  const waiting = [tiff.first]
  const seen = new Set<number>()
  for (let offset = waiting.shift(); offset; offset = waiting.shift()) {
    if (seen.has(offset) || seen.size + waiting.length >= MAX_DIRECTORIES) throw new ToolFailed('the directories of the TIFF have no end')
    seen.add(offset)
    const entries = new Map<number, TiffEntry>()
    for await (const entry of tiff.directory(offset)) entries.set(entry.tag, entry)
    yield* directoryPieces(tiff, entries)
    const below = entries.get(SUBDIRECTORIES)
    if (below) waiting.push(...(await tiff.numbers(below)))
    waiting.push(await tiff.next(offset))
  }
}

async function* directoryPieces(tiff: TiffReader, entries: ReadonlyMap<number, TiffEntry>): AsyncGenerator<Piece> {
  for (const [tag, { type, count, start, bytes }] of entries) {
    const lengths = PIXELS.get(tag)
    if (lengths) yield* pixels(tiff, entries.get(tag), entries.get(lengths))
    else if (!OTHER.has(tag)) yield { name: `entry ${tag} of ${count} values of type ${type}`, start, end: start + bytes }
  }
}

async function* pixels(tiff: TiffReader, offsets: TiffEntry | undefined, lengths: TiffEntry | undefined): AsyncGenerator<Piece> {
  if (!offsets || !lengths || offsets.count !== lengths.count) throw new ToolFailed('the TIFF does not say how many bytes its pixels have')
  const sizes = await tiff.numbers(lengths)
  for (const [index, start] of (await tiff.numbers(offsets)).entries()) {
    yield { name: `pixels ${offsets.tag}`, start, end: start + sizes[index]! }
  }
}

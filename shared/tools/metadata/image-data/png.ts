import { ToolFailed } from '../../failure.ts'
import type { BinaryFile } from './binary-file.ts'
import type { Piece } from './pieces.ts'
import { isMetadata, keywordOf, type PngChunk, pngChunks } from './png-chunks.ts'

/** Keywords of texts that fields are written to: XMP, and profiles that other formats have in segments. */
const WRITTEN_PACKET = /^(XML:com\.adobe\.xmp|Raw profile type (exif|APP1|iptc|8bim|xmp))$/
/** Keywords of texts with the value of a field. There may be several of each. */
const WRITTEN_TEXT = /^(Title|Description|Copyright|Comment)$/

/**
 * All chunks with their checksums, the bytes after the last one, then the texts without written fields. These keep their order, but may
 * move.
 * @throws ToolFailed also for a PNG with two texts of the same kind that fields are written to, because readers could take either
 */
export async function* pngPieces(file: BinaryFile): AsyncGenerator<Piece> {
  const texts: Piece[] = []
  const written = new Set<string>()
  let last: PngChunk | undefined
  for await (const chunk of pngChunks(file)) {
    const { type, start, end } = chunk
    last = chunk
    if (!isMetadata(chunk)) {
      yield { name: `chunk ${type}`, start, end }
      continue
    }
    const keyword = await keywordOf(file, chunk)
    const name = keyword === '' ? type : keyword
    if (WRITTEN_TEXT.test(keyword)) continue
    if (keyword !== '' && !WRITTEN_PACKET.test(keyword)) texts.push({ name: `text ${name}`, start, end })
    else if (written.has(name)) throw new ToolFailed(`the PNG has ${name} twice`)
    else written.add(name)
  }
  yield { name: 'what follows the last chunk', start: last!.end, end: file.size }
  yield* texts
}

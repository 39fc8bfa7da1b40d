import type { BinaryFile } from './binary-file.ts'
import type { Piece } from './pieces.ts'

/** Chunks that hold metadata. */
const METADATA = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'zxIf'])

/** All chunks with their checksums, but those of metadata, and what follows the last one. */
export async function* pngPieces(file: BinaryFile): AsyncGenerator<Piece> {
  let at = 8
  for (let type = ''; type !== 'IEND'; ) {
    const head = await file.bytes(at, 8)
    const end = at + 12 + head.readUInt32BE()
    type = head.toString('latin1', 4)
    if (!METADATA.has(type)) yield { name: `chunk ${type}`, start: at, end }
    at = end
  }
  yield { name: 'what follows the last chunk', start: at, end: file.size }
}

import type { BinaryFile } from './binary-file.ts'

/** A chunk of a PNG, length and checksum included. */
export interface PngChunk {
  type: string
  /** Offset in the file. */
  start: number
  /** Offset after its checksum. */
  end: number
}

const SIGNATURE_BYTES = 8

/** All chunks up to `IEND`. @throws ToolFailed if the file ends before that */
export async function* pngChunks(file: BinaryFile): AsyncGenerator<PngChunk> {
  let at = SIGNATURE_BYTES
  for (let type = ''; type !== 'IEND'; ) {
    const head = await file.bytes(at, 8)
    const start = at
    at += 12 + head.readUInt32BE()
    type = head.toString('latin1', 4)
    yield { type, start, end: at }
  }
}

const METADATA = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'zxIf'])

/** Whether a chunk is a text or EXIF, which may be before or after the image data. */
export const isMetadata = ({ type }: PngChunk): boolean => METADATA.has(type)

/** Most bytes of a text's keyword, with its terminating zero. */
const KEYWORD_BYTES = 80

/** The keyword of a text chunk; empty for other chunks. */
export async function keywordOf(file: BinaryFile, { type, start, end }: PngChunk): Promise<string> {
  if (!type.endsWith('Xt')) return ''
  const [keyword] = (await file.bytes(start + 8, Math.min(KEYWORD_BYTES, end - start - 12))).toString('latin1').split('\0', 1)
  return keyword ?? ''
}

import type { BinaryFile } from './binary-file.ts'

/** A chunk of a PNG, with its length and checksum. */
export interface PngChunk {
  type: string
  /** Bytes from the beginning of the file. */
  start: number
  /** Byte behind its checksum. */
  end: number
}

const SIGNATURE_BYTES = 8

/** All chunks up to the last one. @throws ToolFailed when the file ends before that */
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

/** Whether a chunk may come anywhere, before the image or behind it: texts and EXIF. */
export const isMetadata = ({ type }: PngChunk): boolean => METADATA.has(type)

/** Most bytes of a text's keyword, with the zero that ends it. */
const KEYWORD_BYTES = 80

/** The keyword of a text; empty of other chunks. */
export async function keywordOf(file: BinaryFile, { type, start, end }: PngChunk): Promise<string> {
  if (!type.endsWith('Xt')) return ''
  const [keyword] = (await file.bytes(start + 8, Math.min(KEYWORD_BYTES, end - start - 12))).toString('latin1').split('\0', 1)
  return keyword ?? ''
}

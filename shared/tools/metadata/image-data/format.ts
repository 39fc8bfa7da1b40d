import { ToolFailed } from '../../failure.ts'
import type { BinaryFile } from './binary-file.ts'

export type ImageFormat = 'jpeg' | 'png' | 'tiff'

/** TIFF with offsets of 64 bits (BigTIFF) is not among them: ExifTool doesn't write it. */
const SIGNATURES: readonly (readonly [signature: string, format: ImageFormat])[] = [
  ['ffd8ff', 'jpeg'],
  ['89504e470d0a1a0a', 'png'],
  ['49492a00', 'tiff'],
  ['4d4d002a', 'tiff'],
]

/** The format that a file begins as. @throws ToolFailed when it is no JPEG, PNG or TIFF */
export async function formatOf(file: BinaryFile): Promise<ImageFormat> {
  const head = (await file.bytes(0, Math.min(8, file.size))).toString('hex')
  const found = SIGNATURES.find(([signature]) => head.startsWith(signature))
  if (!found) throw new ToolFailed('the file is no JPEG, PNG or TIFF')
  return found[1]
}

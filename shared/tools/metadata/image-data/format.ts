import { ToolFailed } from '../../failure.ts'
import type { BinaryFile } from './binary-file.ts'

export type ImageFormat = 'jpeg' | 'png' | 'tiff'

/** BigTIFF (64-bit offsets) is missing because ExifTool doesn't write it. */
const SIGNATURES: readonly (readonly [signature: string, format: ImageFormat])[] = [
  ['ffd8ff', 'jpeg'],
  ['89504e470d0a1a0a', 'png'],
  ['49492a00', 'tiff'],
  ['4d4d002a', 'tiff'],
]

/** The format of a file by its signature. @throws ToolFailed if it is no JPEG, PNG or TIFF */
export async function formatOf(file: BinaryFile): Promise<ImageFormat> {
  const head = (await file.bytes(0, Math.min(8, file.size))).toString('hex')
  const found = SIGNATURES.find(([signature]) => head.startsWith(signature))
  if (!found) throw new ToolFailed('the file is no JPEG, PNG or TIFF')
  return found[1]
}

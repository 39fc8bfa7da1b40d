import { writeFile } from 'node:fs/promises'
import { ToolFailed } from '../failure.ts'
import type { ExifTool } from '../metadata/exiftool.ts'
import { readHeader } from './vips.ts'

/** Tags in which cameras store the developed picture, largest first. */
const previewTags = ['JpgFromRaw', 'PreviewImage', 'JpgFromRaw2', 'OtherImage']

const startOfJpeg = Buffer.from('ffd8', 'hex')

/**
 * Writes the developed picture in a raw photo (the one on the camera's screen) as a JPEG file. If it lacks an orientation, that of the raw
 * photo is used.
 * @throws ToolFailed if there is none
 */
export async function rawPreview(exiftool: ExifTool, path: string, into: string): Promise<void> {
  let largest: Buffer | undefined
  for (const tag of previewTags) {
    const preview = await exiftool.readBinary(path, tag)
    if (preview?.subarray(0, 2).equals(startOfJpeg) && preview.length > (largest?.length ?? 0)) largest = preview
  }
  if (!largest) throw new ToolFailed('the raw photo has no preview inside')
  await writeFile(into, largest)
  if ((await readHeader(into)).orientation !== undefined) return
  const { printed } = await exiftool.run(['-n', '-s3', '-IFD0:Orientation'], path)
  const orientation = Number(printed.toString())
  if (orientation >= 1 && orientation <= 8) await writeFile(into, withOrientation(largest, orientation))
}

/** Inserts an EXIF segment with only the orientation at the start of a JPEG. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const exif = Buffer.from('ffe1002245786966000049492a0008000000010012010300010000000000000000000000', 'hex')
  exif.writeUInt8(orientation, 28)
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

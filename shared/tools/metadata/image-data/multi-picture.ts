import { open } from 'node:fs/promises'
import { ToolFailed } from '../../failure.ts'
import { BinaryFile } from './binary-file.ts'
import { formatOf } from './format.ts'
import { type JpegHead, readJpegHead } from './jpeg-head.ts'
import { TiffReader } from './tiff-reader.ts'

const ENTRY_LIST = 0xb002
const ENTRY_BYTES = 16

/** An entry of a JPEG's list of pictures (CIPA DC-007, Multi-Picture Format): the image, gain maps of phones, further views, previews. */
export interface ListedPicture {
  /** A name that stays the same when metadata grows. */
  name: string
  /** The number that changes when metadata grows: the offset of a further picture, or the size of the main image with its metadata. */
  pointer: { at: number; value: number; littleEndian: boolean }
  /** Bytes from the first scan to the number's target. */
  behindScan: number
}

/** The pictures in a JPEG's lists. @throws ToolFailed if a list exceeds its segment */
export async function listedPictures(file: BinaryFile, { pictureLists, scan }: JpegHead): Promise<ListedPicture[]> {
  const pictures: ListedPicture[] = []
  for (const { start: base, end } of pictureLists) {
    const tiff = await TiffReader.open(file, base)
    const { littleEndian } = tiff
    for await (const { tag, start, bytes } of tiff.directory(tiff.first)) {
      if (tag !== ENTRY_LIST) continue
      if (start + bytes > end) throw new ToolFailed('a list of pictures is outside of its segment')
      for (let at = start; at + ENTRY_BYTES <= start + bytes; at += ENTRY_BYTES) {
        const [attributes, size, offset] = [await tiff.long(at), await tiff.long(at + 4), await tiff.long(at + 8)]
        if (offset > 0) {
          const pointer = { at: at + 8, value: offset, littleEndian }
          pictures.push({ name: `picture ${attributes} of ${size} bytes`, pointer, behindScan: base + offset - scan })
        } else if (size > 0) {
          pictures.push({ name: `picture ${attributes}`, pointer: { at: at + 4, value: size, littleEndian }, behindScan: size - scan })
        }
      }
    }
  }
  return pictures
}

/**
 * Corrects the offsets of listed pictures in a copy of a JPEG. ExifTool doesn't update them, so they are wrong once bytes are added after
 * the list.
 * @param copy changed in place
 * @throws ToolFailed
 */
export async function repointPictures(source: string, copy: string): Promise<void> {
  const [pictures, copied] = await Promise.all([source, copy].map(picturesOf))
  if (pictures!.length === 0) return
  await using file = await open(copy, 'r+')
  for (const [index, { pointer, behindScan }] of copied!.entries()) {
    const moved = (pictures![index]?.behindScan ?? behindScan) - behindScan
    if (moved !== 0) await file.write(bytesOf({ ...pointer, value: pointer.value + moved }), 0, 4, pointer.at)
  }
}

async function picturesOf(path: string): Promise<ListedPicture[]> {
  await using file = await BinaryFile.open(path)
  return (await formatOf(file)) === 'jpeg' ? await listedPictures(file, await readJpegHead(file)) : []
}

function bytesOf({ value, littleEndian }: ListedPicture['pointer']): Buffer {
  if (value < 0 || value > 0xffffffff) throw new ToolFailed('a picture is too far behind the image for its list')
  const bytes = Buffer.alloc(4)
  if (littleEndian) bytes.writeUInt32LE(value)
  else bytes.writeUInt32BE(value)
  return bytes
}

import { ToolFailed } from '../failure.ts'
import type { ExifTool } from '../metadata/exiftool.ts'
import { adapted } from './adapted.ts'
import { magickToTiff } from './magick.ts'
import { decodesNatively } from './native-formats.ts'
import { psdToTiff } from './psd.ts'
import { rawPreview } from './raw-photo.ts'

const heicToTiff = (path: string, into: string) => magickToTiff(path, 'Heic', into)

const converters: { [mime: string]: (path: string, into: string) => Promise<void> } = {
  'image/heic': heicToTiff,
  'image/heif': heicToTiff,
  'image/heic-sequence': heicToTiff,
  'image/heif-sequence': heicToTiff,
  'image/vnd.adobe.photoshop': psdToTiff,
  'image/bmp': (path, into) => magickToTiff(path, 'Bmp', into),
}

/** Raw photos. They are TIFF or MP4 inside, but their first picture is only stamp-sized. */
const rawPhotos = new Set([
  'image/x-canon-cr2',
  'image/x-canon-cr3',
  'image/x-nikon-nef',
  'image/x-sony-arw',
  'image/x-adobe-dng',
  'image/x-fujifilm-raf',
  'image/x-olympus-orf',
  'image/x-panasonic-rw2',
])

/**
 * Returns a file that libvips decodes: the picture itself, or one written to `into`.
 * @param mime its sniffed type
 * @throws ToolFailed, ToolTimedOut
 */
export async function makeDecodable(path: string, mime: string, into: string, exiftool: ExifTool): Promise<string> {
  if (decodesNatively(mime)) return await adapted(path, into)
  const convert = converters[mime]
  if (convert) await convert(path, into)
  else if (rawPhotos.has(mime)) await rawPreview(exiftool, path, into)
  else throw new ToolFailed(`no decoder for ${mime}`)
  return into
}

import { bmp } from './bitmap.ts'
import { matroska, mp4 } from './films.ts'
import { heic } from './heic.ts'
import { hostile } from './hostile.ts'
import { images } from './images.ts'
import { oddJpegs } from './odd-jpegs.ts'
import { oddPngs } from './odd-pngs.ts'
import { oddTiffs } from './odd-tiffs.ts'
import { psds } from './photoshop.ts'
import { quadrantImage } from './quadrants.ts'
import { dng, dngWithTinyPicture } from './raw-photo.ts'

/** A sound file of some format. */
export interface Sample {
  name: string
  /** The decoder of the undamaged file, which also gets the damaged one. None for a file that is no picture. */
  mime: string | undefined
  bytes: Buffer
}

const mimes: { [extension: string]: string } = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  tif: 'image/tiff',
  avif: 'image/avif',
  psd: 'image/vnd.adobe.photoshop',
  psb: 'image/vnd.adobe.photoshop',
  bmp: 'image/bmp',
  heic: 'image/heic',
  dng: 'image/x-adobe-dng',
}

/** Samples for every converter and decoder. They are small, so that damage often hits a part that matters. */
export async function fuzzSamples(): Promise<Sample[]> {
  const { 'tall.png': _, 'wide.jpg': __, ...small } = images
  const { 'large-head.jpg': ___, ...jpegs } = oddJpegs
  const { 'many-texts.png': ____, ...pngs } = oddPngs
  const makers: { [name: string]: () => Buffer | Promise<Buffer> } = {
    ...small,
    ...jpegs,
    ...pngs,
    ...oddTiffs,
    ...psds,
    'palette.bmp': () => bmp(8),
    '16.bmp': () => bmp(16),
    '24.bmp': () => bmp(24),
    'top-down.bmp': () => bmp(32, { topDown: true }),
    'photo.heic': heic,
    'preview.dng': async () => dng(await images['plain.jpg'](), 6),
    'tiny-preview.dng': dngWithTinyPicture,
    'raw.tif': () => quadrantImage().tiff({ compression: 'none' }).toBuffer(),
    'tiled.tif': () => quadrantImage().tiff({ compression: 'deflate', tile: true, tileWidth: 32, tileHeight: 32 }).toBuffer(),
    'jpeg.tif': () => quadrantImage().tiff({ compression: 'jpeg' }).toBuffer(),
    'packed.tif': () => quadrantImage().tiff({ compression: 'packbits', bigtiff: true }).toBuffer(),
    'film.mp4': () => mp4(['vide', 'soun']),
    'film.mkv': () => matroska([1, 2]),
    'drawing.svg': hostile['entities.svg'],
    'text.pdf': hostile['pdf-and-jpeg.pdf'],
  }
  return await Promise.all(
    Object.entries(makers).map(async ([name, make]) => ({
      name,
      mime: mimes[name.slice(name.lastIndexOf('.') + 1)],
      bytes: await make(),
    })),
  )
}

/** Test pictures, made when needed: none is a file of the project. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export { bmp } from './bitmap.ts'
export { declarations, withExtents } from './declarations.ts'
export { digitalVideo, matroska, mp4 } from './films.ts'
export { focused, focusRegion, toldSource } from './focused.ts'
export { hdrJpeg, hdrSize, isBright } from './gain-map.ts'
export { heic } from './heic.ts'
export { hostile } from './hostile.ts'
export { images } from './images.ts'
export { dataset, inUtf8, jpegWithIptc, tiffWithIptc } from './iptc.ts'
export { labAt, madeTiff, type TiffPage } from './made-tiff.ts'
export { brokenJpegs, oddJpegs } from './odd-jpegs.ts'
export { ambiguousPngs, oddPngs } from './odd-pngs.ts'
export { bigTiff, oddTiffs, overlappingTiff } from './odd-tiffs.ts'
export { photo } from './photo.ts'
export { psd, psdOfHugeRows, psds } from './photoshop.ts'
export { orientedJpeg, printedColours, quadrantAt, quadrantColours, quadrantGreys, quadrantImage, quadrants } from './quadrants.ts'
export { dng, dngWithTinyPicture } from './raw-photo.ts'
export { signedPictures } from './signed.ts'
export { tagged, taggedJpeg } from './tagged.ts'
export { avifWith, bitmap5, chrm, cicp, codes, gama, heicWith, pngWith } from './told-colours.ts'

/** Writes a picture to a folder. @returns its path */
export async function save(directory: string, name: string, bytes: Buffer | Promise<Buffer>): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, await bytes)
  return path
}

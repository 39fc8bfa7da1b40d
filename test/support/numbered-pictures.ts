import { createHash } from 'node:crypto'
import sharp from 'sharp'

/** A picture that tells from its colour, size, name and bytes which of several it is. */
export interface NumberedPicture {
  bytes: Buffer
  md5: string
  filename: string
  width: number
  height: number
}

const HEIGHT = 300
/** Between the reds of two numbers: more than JPEG changes. */
const STEP = 11

/** @param number from 1 to 22 */
export async function numberedPicture(number: number): Promise<NumberedPicture> {
  const width = 400 + 10 * number
  const background = { r: STEP * number, g: 120, b: 255 - STEP * number }
  const bytes = await sharp({ create: { width, height: HEIGHT, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return { bytes, md5: createHash('md5').update(bytes).digest('hex'), filename: `number-${number}.jpg`, width, height: HEIGHT }
}

/** The number that a rendering of a picture shows. @throws Error where it shows several, or none */
export async function shownNumber(picture: Buffer): Promise<number> {
  const { channels } = await sharp(picture).stats()
  const [red, , blue] = channels
  const number = Math.round(red!.mean / STEP)
  const isOne = channels.slice(0, 3).every(({ min, max }) => max - min <= 6)
  if (!isOne || Math.abs(blue!.mean - (255 - STEP * number)) > STEP / 2)
    throw new Error(`a picture of several: ${JSON.stringify(channels)}`)
  return number
}

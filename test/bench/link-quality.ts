import sharp from 'sharp'
import type { Contender, Task } from './renders-side-by-side.ts'
import type { Row } from './report.ts'

/** Side of the windows in which pictures are compared, and how far apart windows begin, in pixels. */
const WINDOW = 8
const STEP = 4
/** Constants of the index for samples of 8 bits. */
const C1 = (0.01 * 255) ** 2
const C2 = (0.03 * 255) ** 2

/**
 * Checks that all answer with the same picture: format, frames, width, and height but for a pixel, as some round after the decoder has
 * made the picture smaller. @throws Error when they don't
 */
export async function checkSame(contenders: readonly Contender[], task: Task): Promise<void> {
  const answers = await Promise.all(
    contenders.map(async ({ name, render }) => {
      const { format, width, height, pageHeight = height, pages = 1 } = await sharp(await render(task), { animated: true }).metadata()
      return { name, format, width, height: pageHeight, frames: pages }
    }),
  )
  const [first] = answers
  const isSame = ({ format, width, height, frames }: (typeof answers)[number]) =>
    format === first?.format && width === first.width && frames === first.frames && Math.abs(height - first.height) <= 1
  if (!answers.every(isSame)) throw new Error(`they answer with different pictures: ${JSON.stringify(answers)}`)
}

/**
 * What the service's pictures are like beside those of sharp alone: bytes, and how close they come to what is rendered from the original
 * and kept without loss.
 * @param paths of the originals
 */
export async function qualityRows(
  what: string,
  tasks: readonly Task[],
  { service, alone, paths }: { service: Contender; alone: Contender; paths: readonly string[] },
): Promise<Row[]> {
  let [bytes, bytesAlone, likeness, likenessAlone] = [0, 0, 0, 0]
  for (const task of tasks) {
    const original = paths[task.file]!
    const [ours, theirs] = [await service.render(task), await alone.render(task)]
    bytes += ours.length
    bytesAlone += theirs.length
    likeness += (await likenessTo(original, ours)) / tasks.length
    likenessAlone += (await likenessTo(original, theirs)) / tasks.length
  }
  const difference = Math.abs(bytes / bytesAlone - 1) * 100
  return [
    { what: `${what}: bytes, difference to sharp alone`, value: difference, unit: '%', atMost: 2 },
    { what: `${what}: SSIM of sharp alone`, value: likenessAlone, unit: '' },
    { what: `${what}: SSIM below that`, value: likenessAlone - likeness, unit: '', atMost: 0.002 },
  ]
}

/** How close a picture comes to the original, made as small and kept without loss. */
async function likenessTo(original: string, picture: Buffer): Promise<number> {
  const { width, height } = await sharp(picture).metadata()
  const reference = await sharp(original, { autoOrient: true }).resize({ width, height, fit: 'fill' }).png().toBuffer()
  return ssim(await grey(reference), await grey(picture))
}

async function grey(picture: Buffer): Promise<GreyPicture> {
  const { data, info } = await sharp(picture).flatten({ background: 'white' }).grayscale().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Samples of a grey picture, 8 bits each, row by row. */
interface GreyPicture {
  data: Uint8Array
  width: number
  height: number
}

/**
 * How alike two pictures of the same size look: their mean structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) in square
 * windows. 1 means equal.
 */
function ssim(one: GreyPicture, other: GreyPicture): number {
  if (one.width !== other.width || one.height !== other.height) throw new Error('pictures of different sizes are not compared')
  let [sum, windows] = [0, 0]
  for (let top = 0; top + WINDOW <= one.height; top += STEP) {
    for (let left = 0; left + WINDOW <= one.width; left += STEP) {
      sum += similarity(one, other, top * one.width + left)
      windows++
    }
  }
  return sum / windows
}

/** @param start index of the window's first sample */
function similarity({ data: x, width }: GreyPicture, { data: y }: GreyPicture, start: number): number {
  let [sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0]
  for (let row = start; row < start + WINDOW * width; row += width) {
    for (let at = row; at < row + WINDOW; at++) {
      const [a, b] = [x[at]!, y[at]!]
      sumX += a
      sumY += b
      sumXX += a * a
      sumYY += b * b
      sumXY += a * b
    }
  }
  const samples = WINDOW * WINDOW
  const [meanX, meanY] = [sumX / samples, sumY / samples]
  const [varianceX, varianceY] = [sumXX / samples - meanX ** 2, sumYY / samples - meanY ** 2]
  const covariance = sumXY / samples - meanX * meanY
  return ((2 * meanX * meanY + C1) * (2 * covariance + C2)) / ((meanX ** 2 + meanY ** 2 + C1) * (varianceX + varianceY + C2))
}

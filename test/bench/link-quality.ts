import sharp from 'sharp'
import type { Contender, Task } from './renders-side-by-side.ts'
import type { Row } from './report.ts'
import { type GreyPicture, ssim } from './ssim.ts'

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

import sharp from 'sharp'
import { madeOnce } from '../support/kept-files.ts'
import { photo } from '../support/pictures/index.ts'

/** Frames of the animation, and how long each is shown, in milliseconds. */
const FRAMES = 100
const DELAY = 40
const frame = { width: 480, height: 360 }

/** What a cut-out leaves over of its photo: a disc with a soft edge. */
const softDisc = Buffer.from(`<svg viewBox="0 0 4 3">
  <radialGradient id="soft"><stop offset="0.9" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
  <ellipse cx="2" cy="1.5" rx="1.9" ry="1.4" fill="url(#soft)"/>
</svg>`)

/** A PNG of 12 megapixels that shows a part of a photo on nothing. Made once, as photos are. @returns its path */
export function cutOut(seed: number): Promise<string> {
  return madeOnce(`cut-out-${seed}.png`, async (path) => {
    const whole = await photo(12, seed)
    const { width, height } = await sharp(whole).metadata()
    const shape = await sharp(softDisc).resize(width, height, { fit: 'fill' }).png({ compressionLevel: 1 }).toBuffer()
    await sharp(whole)
      .ensureAlpha()
      .composite([{ input: shape, blend: 'dest-in' }])
      .toFile(path)
  })
}

/** A GIF of 100 frames of 480 x 360 pixels: a view that moves across a photo. Made once. @returns its path */
export function animation(seed: number): Promise<string> {
  return madeOnce(`animation-${seed}.gif`, async (path) => {
    const { data, info } = await sharp(await photo(12, seed))
      .resize(frame.width + FRAMES, frame.height + FRAMES, { fit: 'fill' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const scene = sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    const views = Array.from({ length: FRAMES }, (_, n) =>
      scene
        .clone()
        .extract({ left: n, top: n, ...frame })
        .raw()
        .toBuffer(),
    )
    const raw = { width: frame.width, height: frame.height * FRAMES, channels: 3, pageHeight: frame.height } as const
    // More effort takes minutes.
    const gif = sharp(Buffer.concat(await Promise.all(views)), { raw }).gif({ delay: Array(FRAMES).fill(DELAY), effort: 1 })
    await gif.toFile(path)
  })
}

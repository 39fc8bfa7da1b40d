import sharp from 'sharp'

/** The facts of the photo. */
export const PHOTO = { type: 'image', width: 640, height: 480 } as const

/** A small JPEG with random contents, unlike any other file. */
export async function photo(): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const bytes = await sharp({ create: { width: PHOTO.width, height: PHOTO.height, channels: 3, background: 'black', noise } })
    .jpeg()
    .toBuffer()
  return new Uint8Array(bytes)
}

/**
 * Draws default-profile-image.svg as the JPEG files that functions carry. After a change of the drawing:
 * `node shared/tools/draw-default-profile-image.ts > shared/tools/default-profile-image.ts`.
 */
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const drawing = fileURLToPath(new URL('./default-profile-image.svg', import.meta.url))
/** Width and height of the SVG, in pixels. */
const drawnSide = 400
const sides = { small: 25, medium: 50, large: 100, original: drawnSide }

/** Each size is drawn from the SVG: scaling down the largest would blur edges. */
async function draw(side: number): Promise<string[]> {
  const drawn = sharp(drawing, { density: (72 * side) / drawnSide }).resize(side, side)
  const jpeg = await drawn.flatten().jpeg({ quality: 92, chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer()
  return jpeg.toString('base64').match(/.{1,128}/g) ?? []
}

const files = Object.entries(sides).map(
  async ([size, side]) => `  ${size}: [\n${(await draw(side)).map((line) => `    '${line}',\n`).join('')}  ],\n`,
)

process.stdout.write(`/** Drawn in default-profile-image.svg by draw-default-profile-image.ts; as text so that every bundle has it without reading files. */
const jpegs = {
${(await Promise.all(files)).join('')}}

/** The profile image of users who have none of their own: a head and shoulders; 25, 50, 100 and 400 pixels square. */
export function defaultProfileImage(size: keyof typeof jpegs): Buffer {
  return Buffer.from(jpegs[size].join(''), 'base64')
}
`)

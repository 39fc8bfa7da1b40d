import type { Size } from '../file/zoom.ts'
import { type LinkParameter, valueIn } from './address-query.ts'

/**
 * The room that a link's picture takes on a page, in its pixels at a density of 1.
 * @param query of the link or of its preset; what is wrong in it counts nothing, as on links
 * @param picture the file's size
 */
export function renderedSize(query: string, picture: Size): Size {
  const side = (name: LinkParameter) => Number(/^[1-9]\d{0,3}$/.exec(valueIn(query, name))?.[0] ?? Number.POSITIVE_INFINITY)
  const [width, height] = [side('width'), side('height')]
  const fit = Number.isFinite(width + height) ? valueIn(query, 'fit') : ''
  if (fit === 'pad') return { width, height }
  const piece = cutTo(fit === 'cover' ? width / height : aspectIn(query), cropped(query, picture))
  const scale = Math.min(1, width / piece.width, height / piece.height)
  const whole = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: whole(piece.width), height: whole(piece.height) }
}

function cropped(query: string, { width, height }: Size): Size {
  const [x = 0, y = 0, w = 1, h = 1, ...others] = valueIn(query, 'crop').split(',').map(Number)
  const isInside = w > 0 && h > 0 && x >= 0 && y >= 0 && x + w <= 1 && y + h <= 1
  return isInside && others.length === 0 ? { width: width * w, height: height * h } : { width, height }
}

function aspectIn(query: string): number | undefined {
  const [, width, height] = /^(\d{1,3}):(\d{1,3})$/.exec(valueIn(query, 'aspect')) ?? []
  return Number(width) > 0 && Number(height) > 0 ? Number(width) / Number(height) : undefined
}

/** The largest piece of a shape. @param ratio of its width to its height; absent: all of it */
const cutTo = (ratio: number | undefined, { width, height }: Size): Size =>
  ratio === undefined ? { width, height } : { width: Math.min(width, height * ratio), height: Math.min(height, width / ratio) }

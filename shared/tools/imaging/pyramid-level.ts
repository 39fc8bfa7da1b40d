import type { TimeLimit } from '../processes/time-limit.ts'
import { type Geometry, pixelsOf, regionOf } from './geometry.ts'
import { levelFor } from './pyramid.ts'
import type { Dimensions, Region } from './sizes.ts'
import { decoding, type Header, openImage } from './vips.ts'

/**
 * The level of a pyramid to render from.
 * @returns its header, and the region in parts of the level: libvips leaves out pixels at the right and the bottom that make no whole one of it
 * @throws ToolFailed, ToolTimedOut, ToolBusy
 */
export async function pyramidLevel(
  path: string,
  { region, target }: Pick<Geometry, 'region' | 'target'>,
  time: TimeLimit,
): Promise<{ header: Header; region: Region | undefined }> {
  const whole = await decoding(openImage(path, { time }).metadata(), time)
  const part = region ? pixelsOf(region, whole) : { x: 0, y: 0, width: whole.width, height: whole.height }
  const level = Math.min(levelFor(part, target), (whole.pages ?? 1) - 1)
  const page = { page: level }
  const header = { ...(await decoding(openImage(path, { page, time }).metadata(), time)), page }
  if (!region) return { header, region: undefined }
  return { header, region: regionOf(partOfLevel(part, header, 2 ** level), header) }
}

function partOfLevel(part: Region, { width, height }: Dimensions, factor: number): Region {
  const x = Math.min(Math.round(part.x / factor), width - 1)
  const y = Math.min(Math.round(part.y / factor), height - 1)
  const [right, bottom] = [Math.round((part.x + part.width) / factor), Math.round((part.y + part.height) / factor)]
  return { x, y, width: Math.max(1, Math.min(right, width) - x), height: Math.max(1, Math.min(bottom, height) - y) }
}

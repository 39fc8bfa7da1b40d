import { open } from 'node:fs/promises'
import { rootStart, textOf } from '../sniffing/text.ts'

/** Bytes that must contain the root element's tag. */
const START_BYTES = 65_536

/** CSS pixels by unit (CSS Values and Units, 6). Font units assume the default size of 16 pixels. */
const units: { readonly [unit: string]: number } = {
  ...{ '': 1, px: 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6, pt: 96 / 72, pc: 16 },
  ...{ em: 16, rem: 16, ex: 8, ch: 8 },
}

/** Largest width and height, in pixels. */
const MAX_SIDE = 999_999

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?`
const LENGTH = new RegExp(`^\\s*(${NUMBER})([a-z]*)\\s*$`, 'i')
const VIEW_BOX = new RegExp(`^\\s*${NUMBER}[\\s,]+${NUMBER}[\\s,]+(${NUMBER})[\\s,]+(${NUMBER})\\s*$`, 'i')

interface Size {
  width: number
  height: number
}

/**
 * The intrinsic size of an SVG in whole CSS pixels (SVG 2, 8.13): its width and height. A missing or relative (percent) side follows from
 * the proportions of the viewBox; if both are missing, the viewBox is the size, as in librsvg.
 * @returns undefined if it has no size
 */
export async function svgSize(path: string): Promise<Size | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
    const size = sizeOf(rootAttributes(textOf(buffer.subarray(0, bytesRead)) ?? ''))
    return size && whole(size)
  } finally {
    await file.close()
  }
}

/** The attributes of the root element. The first of each name counts. */
function rootAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  const name = /<[^\s/>]+/y
  name.lastIndex = rootStart(text)
  if (!name.test(text)) return attributes
  const attribute = /\s+([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
  attribute.lastIndex = name.lastIndex
  for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
    const [, key = '', quoted, single = ''] = found
    if (!attributes.has(key)) attributes.set(key, quoted ?? single)
  }
  return attributes
}

function sizeOf(attributes: ReadonlyMap<string, string>): Size | undefined {
  const [width, height] = [pixels(attributes.get('width')), pixels(attributes.get('height'))]
  const [, boxWidth = 0, boxHeight = 0] = VIEW_BOX.exec(attributes.get('viewBox') ?? '')?.map(Number) ?? []
  if (width !== undefined && height !== undefined) return { width, height }
  if (!(boxWidth > 0 && boxHeight > 0)) return undefined
  if (width !== undefined) return { width, height: (width * boxHeight) / boxWidth }
  if (height !== undefined) return { width: (height * boxWidth) / boxHeight, height }
  return { width: boxWidth, height: boxHeight }
}

/** @returns undefined for a missing or relative length */
function pixels(length: string | undefined): number | undefined {
  const [, number, unit = ''] = LENGTH.exec(length ?? '') ?? []
  const factor = units[unit.toLowerCase()]
  const value = Number(number) * (factor ?? Number.NaN)
  return value >= 0 ? value : undefined
}

function whole({ width, height }: Size): Size | undefined {
  if (!(width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE)) return undefined
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}

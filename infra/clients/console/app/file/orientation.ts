import type { Rectangle, Size } from './zoom.ts'

/** How stored pixels are turned and mirrored to be shown, as EXIF numbers it: x and y of a shown pixel follow from those of the stored one. */
interface Turn {
  a: number
  b: number
  c: number
  d: number
}

const turns: Readonly<Record<number, Turn>> = {
  1: { a: 1, b: 0, c: 0, d: 1 },
  2: { a: -1, b: 0, c: 0, d: 1 },
  3: { a: -1, b: 0, c: 0, d: -1 },
  4: { a: 1, b: 0, c: 0, d: -1 },
  5: { a: 0, b: 1, c: 1, d: 0 },
  6: { a: 0, b: 1, c: -1, d: 0 },
  7: { a: 0, b: -1, c: -1, d: 0 },
  8: { a: 0, b: -1, c: 1, d: 0 },
}

/** Where the shown picture begins on the axis along which it is turned round. */
const offset = ({ a, b, c, d }: Turn, { width, height }: Size) => ({ e: a + c < 0 ? width : 0, f: b + d < 0 ? height : 0 })

/** The part of the stored pixels that a part of the shown picture is. @param shown size of the whole */
export function storedPart(orientation: number, { x, y, width, height }: Rectangle, shown: Size): Rectangle {
  const turn = turns[orientation]!
  const { e, f } = offset(turn, shown)
  const corners = [
    { x: x - e, y: y - f },
    { x: x + width - e, y: y + height - f },
  ].map((corner) => ({ x: turn.a * corner.x + turn.b * corner.y, y: turn.c * corner.x + turn.d * corner.y }))
  const [first, last] = corners as [(typeof corners)[0], (typeof corners)[0]]
  const isTurned = turn.a === 0
  return { x: Math.min(first.x, last.x), y: Math.min(first.y, last.y), width: isTurned ? height : width, height: isTurned ? width : height }
}

/** The CSS transform, from the upper left corner, that shows stored pixels where they belong. @param stored part of them @param scale pixels of the page for one */
export function transformOf(orientation: number, stored: Rectangle, shown: Size, scale: number): string {
  const turn = turns[orientation]!
  const { a, b, c, d } = turn
  const { e, f } = offset(turn, shown)
  return `matrix(${a}, ${b}, ${c}, ${d}, ${(a * stored.x + c * stored.y + e) * scale}, ${(b * stored.x + d * stored.y + f) * scale})`
}

/** Exif lies at the beginning of a JPEG. */
const HEAD_BYTES = 256 * 1024

/**
 * The pixels of a JPEG as they are stored, and how they are turned. Browsers cut parts out of turned pictures at different places.
 * Of other formats the browser does all.
 */
export async function untold(blob: Blob): Promise<{ blob: Blob; orientation: number }> {
  const head = new DataView(await blob.slice(0, HEAD_BYTES).arrayBuffer())
  const found = orientationIn(head)
  if (!found || found.orientation === 1) return { blob, orientation: 1 }
  const upright = new Uint8Array(found.isLittle ? [1, 0] : [0, 1])
  return {
    blob: new Blob([blob.slice(0, found.at), upright, blob.slice(found.at + 2)], { type: blob.type }),
    orientation: found.orientation,
  }
}

/** Where the EXIF orientation of a JPEG is written. Undefined where it says none. */
function orientationIn(head: DataView): { orientation: number; at: number; isLittle: boolean } | undefined {
  try {
    if (head.getUint16(0) !== 0xffd8) return undefined
    for (let at = 2; head.getUint8(at) === 0xff; at += 2 + head.getUint16(at + 2)) {
      const marker = head.getUint8(at + 1)
      if (marker === 0xda) return undefined
      // "Exif" and two zeros before a TIFF.
      if (marker === 0xe1 && head.getUint32(at + 4) === 0x45786966) return inTiff(head, at + 10)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

function inTiff(head: DataView, tiff: number): { orientation: number; at: number; isLittle: boolean } | undefined {
  const isLittle = head.getUint16(tiff) === 0x4949
  const directory = tiff + head.getUint32(tiff + 4, isLittle)
  const entries = head.getUint16(directory, isLittle)
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12
    if (head.getUint16(at, isLittle) !== 0x0112) continue
    const orientation = head.getUint16(at + 8, isLittle)
    return turns[orientation] && { orientation, at: at + 8, isLittle }
  }
  return undefined
}

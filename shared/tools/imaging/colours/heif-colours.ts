import { type CodePoints, coloursOfCodes, isOfVideo } from './cicp.ts'
import { type Colours, SRGB } from './colours.ts'
import type { Read } from './read.ts'

/** Most boxes at the start of a file that are read, and the largest box with properties in bytes. Ordinary ones have some kilobytes. */
const [MAX_BOXES, MAX_META_BYTES] = [32, 4 * 1024 ** 2]

interface Box {
  type: string
  /** The bytes after its header. */
  contents: Buffer
}

/**
 * Reads colours from the `nclx` of the primary picture, or of any picture in the file if that has none (a grid's are those of its tiles). A
 * profile takes precedence. BT.709's curve is shown as sRGB, like in browsers.
 */
export async function heifColours(read: Read): Promise<Colours | undefined> {
  const meta = await readMeta(read)
  const properties = meta && propertiesOf(meta)
  if (!properties) return undefined
  const all = properties.ofFile.filter(isColour)
  const own = properties.ofPrimary.filter(isColour)
  const boxes = own.length > 0 ? own : all
  const codes = boxes.map(codePoints).find((found) => found !== undefined)
  if (!codes || !boxes.every((box) => codePoints(box))) return undefined
  const colours = coloursOfCodes(codes)
  return colours && isOfVideo(codes) ? { ...colours, transfer: SRGB } : colours
}

const isColour = ({ type }: Box) => type === 'colr'

/** @returns undefined for a profile */
function codePoints({ contents }: Box): CodePoints | undefined {
  if (contents.length < 10 || contents.toString('latin1', 0, 4) !== 'nclx') return undefined
  return { primaries: contents.readUInt16BE(4), transfer: contents.readUInt16BE(6) }
}

async function readMeta(read: Read): Promise<Buffer | undefined> {
  let at = 0
  for (let count = 0; count < MAX_BOXES; count++) {
    const header = await read(at, 16)
    if (header.length < 8) return undefined
    const long = header.readUInt32BE() === 1 && header.length === 16
    const bytes = long ? Number(header.readBigUInt64BE(8)) : header.readUInt32BE()
    const headerBytes = long ? 16 : 8
    if (!(bytes >= headerBytes) || !Number.isSafeInteger(at + bytes)) return undefined
    // `meta` begins with a version and flags.
    if (header.toString('latin1', 4, 8) === 'meta') {
      return bytes > MAX_META_BYTES ? undefined : (await read(at + headerBytes, bytes - headerBytes)).subarray(4)
    }
    at += bytes
  }
  return undefined
}

/** ISO/IEC 23008-12: the properties of a file, and which of them its primary item has. */
function propertiesOf(meta: Buffer): { ofFile: Box[]; ofPrimary: Box[] } | undefined {
  const boxes = boxesIn(meta)
  const inside = boxesIn(contentsOf(boxes, 'iprp') ?? Buffer.alloc(0))
  const ofFile = boxesIn(contentsOf(inside, 'ipco') ?? Buffer.alloc(0))
  const primary = contentsOf(boxes, 'pitm')
  if (!primary || primary.length < 6) return undefined
  const id = primary[0] === 0 ? primary.readUInt16BE(4) : primary.length >= 8 ? primary.readUInt32BE(4) : 0
  const associations = inside.filter(({ type }) => type === 'ipma').flatMap(({ contents }) => associated(contents, id))
  return { ofFile, ofPrimary: associations.flatMap((index) => ofFile[index - 1] ?? []) }
}

const contentsOf = (boxes: readonly Box[], type: string) => boxes.find((box) => box.type === type)?.contents

function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at) || bytes.length - at
    if (length < 8 || at + length > bytes.length) break
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), contents: bytes.subarray(at + 8, at + length) })
    at += length
  }
  return boxes
}

/** The numbers of an item's properties, from 1, in the box `ipma`. */
function associated(ipma: Buffer, item: number): number[] {
  const [idBytes, wide] = [ipma[0] === 0 ? 2 : 4, (ipma.readUInt32BE() & 1) === 1]
  const found: number[] = []
  let at = 8
  while (at + idBytes < ipma.length) {
    const id = ipma.readUIntBE(at, idBytes)
    const count = ipma[at + idBytes]!
    at += idBytes + 1
    const end = at + count * (wide ? 2 : 1)
    if (end > ipma.length) break
    for (; at < end; at += wide ? 2 : 1) if (id === item) found.push(wide ? ipma.readUInt16BE(at) & 0x7fff : ipma[at]! & 0x7f)
  }
  return found
}

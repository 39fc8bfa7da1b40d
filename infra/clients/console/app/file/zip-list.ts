import { decodeText } from './decode-text.ts'

/** A file or a folder in an archive. */
export interface ZipEntry {
  name: string
  /** Bytes of it, unpacked, as the archive says. */
  size: number
}

export interface ZipList {
  entries: ZipEntry[]
  /** How many there are, as the archive says. */
  total: number
}

/** What is read of an archive at most, whatever it says of itself. */
const MOST_ENTRIES = 1_000
const MOST_BYTES = 1024 * 1024
const MOST_OF_NAME = 255

/** The end of an archive, with the longest comment behind it. */
const END_BYTES = 22 + 0xffff
const LOCATOR_BYTES = 20
const END = 0x06054b50
const LOCATOR = 0x07064b50
const END_64 = 0x06064b50
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const UNTOLD = 0xffffffff
const UTF_8 = 0x0800

type Read = (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>

/**
 * What is in a ZIP archive, by the list at its end. Nothing is unpacked.
 * @param size of the archive, in bytes
 * @throws RangeError where it is none, or its list lies outside of it
 */
export async function listZip(read: Read, size: number): Promise<ZipList> {
  const from = Math.max(0, size - END_BYTES - LOCATOR_BYTES)
  const end = viewOf(await read(from, size))
  const at = endIn(end)
  const told = (await endOf64(read, end, at)) ?? {
    total: end.getUint16(at + 10, true),
    bytes: end.getUint32(at + 12, true),
    start: end.getUint32(at + 16, true),
  }
  if (told.start + told.bytes > size) throw new RangeError('no list')
  const list = await read(told.start, told.start + Math.min(told.bytes, MOST_BYTES))
  return { entries: entriesIn(list), total: told.total }
}

const viewOf = (bytes: Uint8Array<ArrayBuffer>) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function endIn(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0; at--) if (view.getUint32(at, true) === END) return at
  throw new RangeError('no archive')
}

/** Archives of more than 4 GB or 65,535 entries have a second end before the first. */
async function endOf64(read: Read, end: DataView, at: number): Promise<{ total: number; bytes: number; start: number } | undefined> {
  const locator = at - LOCATOR_BYTES
  if (locator < 0 || end.getUint32(locator, true) !== LOCATOR) return undefined
  const place = Number(end.getBigUint64(locator + 8, true))
  const view = viewOf(await read(place, place + 56))
  if (view.getUint32(0, true) !== END_64) throw new RangeError('no list')
  const [total, bytes, start] = [32, 40, 48].map((offset) => Number(view.getBigUint64(offset, true))) as [number, number, number]
  return { total, bytes, start }
}

/** Entries until the list ends, or what it says makes no sense any more. */
function entriesIn(list: Uint8Array<ArrayBuffer>): ZipEntry[] {
  const view = viewOf(list)
  const entries: ZipEntry[] = []
  for (let at = 0; at + ENTRY_BYTES <= list.length && view.getUint32(at, true) === ENTRY && entries.length < MOST_ENTRIES; ) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ]
    const name = list.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)
    const extra = at + ENTRY_BYTES + nameBytes
    if (extra + extraBytes > list.length) break
    const size = view.getUint32(at + 24, true)
    entries.push({
      name: nameOf(name, (view.getUint16(at + 8, true) & UTF_8) !== 0),
      size: size === UNTOLD ? sizeIn64(view, extra, extraBytes) : size,
    })
    at = extra + extraBytes + commentBytes
  }
  return entries
}

function nameOf(bytes: Uint8Array, isUtf8: boolean): string {
  const name = isUtf8 ? new TextDecoder().decode(bytes) : decodeText(bytes, false)
  return [...name].slice(0, MOST_OF_NAME).join('')
}

/** The size of an entry of more than 4 GB is in a field of its own. */
function sizeIn64(view: DataView, from: number, bytes: number): number {
  for (let at = from; at + 4 <= from + bytes; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === 1 && at + 12 <= from + bytes) return Number(view.getBigUint64(at + 4, true))
  }
  return UNTOLD
}

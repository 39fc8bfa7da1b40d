import { type FileHandle, open } from 'node:fs/promises'

/** A picture in a TIFF file, as described by its directory (IFD). */
export interface TiffPicture {
  /** Number of its page, from 0. */
  page: number
  /** Number of the SubIFD of that page, from 0; absent for the page itself. */
  subifd?: number
  /** Whether it is a smaller copy, or a mask, of another picture in the file. */
  isSecondary: boolean
  /** TIFF's numbers; undefined if missing. 1: no compression. */
  compression: number | undefined
  photometric: number | undefined
  directory: TiffDirectory
}

/** A directory as stored in the file. */
export interface TiffDirectory {
  little: boolean
  /** BigTIFF, with offsets of 64 bits. */
  big: boolean
  /** 12 bytes each, 20 in BigTIFF: tag, type, count, value or its offset. */
  entries: Buffer[]
}

/** Limits of what is read. Ordinary directories have about twenty entries, and the picture is among the first pages. */
const [MAX_ENTRIES, MAX_PAGES, MAX_SUBIFDS] = [1_000, 100, 16]

export const TAGS = {
  subfileType: 254,
  oldSubfileType: 255,
  compression: 259,
  photometric: 262,
  subifds: 330,
  sampleFormat: 339,
  profile: 34_675,
} as const
/** Bits of NewSubfileType: reduced resolution, transparency mask. */
const SECONDARY = 0b101
/** Value of the old SubfileType. */
const REDUCED = 2
const SHORT = 3

/**
 * The main picture of a TIFF or BigTIFF file: the first page that is not a smaller copy, else the first such SubIFD, else the first page.
 * Undefined if the file can't be read.
 */
export async function shownTiffPicture(path: string): Promise<TiffPicture | undefined> {
  const file = await open(path)
  try {
    const pictures = await picturesOf(file)
    return pictures.find(({ isSecondary }) => !isSecondary) ?? pictures[0]
  } finally {
    await file.close()
  }
}

/** Pages up to the first main picture. If there is none, all pages, then the SubIFDs of the first page. */
async function picturesOf(file: FileHandle): Promise<TiffPicture[]> {
  const header = await read(file, 0, 16)
  const order = header.toString('latin1', 0, 2)
  if (header.length < 16 || (order !== 'II' && order !== 'MM')) return []
  const little = order === 'II'
  const big = u16(header, 2, little) === 43
  const pages: TiffPicture[] = []
  let offset = big ? u64(header, 8, little) : u32(header, 4, little)
  const seen = new Set<number>()
  while (offset > 0 && !seen.has(offset) && pages.length < MAX_PAGES) {
    seen.add(offset)
    const found = await readDirectory(file, offset, { little, big })
    if (!found) break
    pages.push(pictureOf(found.directory, { page: pages.length }))
    if (!pages.at(-1)!.isSecondary) return pages
    offset = found.next
  }
  return pages[0] ? [...pages, ...(await subPictures(file, pages[0].directory))] : []
}

async function subPictures(file: FileHandle, directory: TiffDirectory): Promise<TiffPicture[]> {
  const { little, big } = directory
  const entry = entryOf(directory, TAGS.subifds)
  if (!entry) return []
  const count = Math.min(MAX_SUBIFDS, big ? u64(entry, 4, little) : u32(entry, 4, little))
  // LONG8 and IFD8 have eight bytes, LONG and IFD four.
  const width = [16, 18].includes(u16(entry, 2, little)) ? 8 : 4
  const place = entry.subarray(big ? 12 : 8)
  const offsets =
    count * width <= place.length ? place : await read(file, big ? u64(place, 0, little) : u32(place, 0, little), count * width)
  const pictures: TiffPicture[] = []
  for (let subifd = 0; (subifd + 1) * width <= offsets.length && subifd < count; subifd++) {
    const offset = width === 8 ? u64(offsets, subifd * 8, little) : u32(offsets, subifd * 4, little)
    const found = await readDirectory(file, offset, { little, big })
    if (found) pictures.push(pictureOf(found.directory, { page: 0, subifd }))
  }
  return pictures
}

function pictureOf(directory: TiffDirectory, place: { page: number; subifd?: number }): TiffPicture {
  const type = Number(numberOf(directory, TAGS.subfileType) ?? 0)
  const isSecondary = (type & SECONDARY) !== 0 || numberOf(directory, TAGS.oldSubfileType) === REDUCED
  const [compression, photometric] = [numberOf(directory, TAGS.compression), numberOf(directory, TAGS.photometric)]
  return { ...place, isSecondary, compression, photometric, directory }
}

const entryOf = ({ entries, little }: TiffDirectory, tag: number) => entries.find((entry) => u16(entry, 0, little) === tag)

/** The first SHORT or LONG value of an entry. */
function numberOf(directory: TiffDirectory, tag: number): number | undefined {
  const entry = entryOf(directory, tag)
  if (!entry) return undefined
  const { little, big } = directory
  const at = big ? 12 : 8
  return u16(entry, 2, little) === SHORT ? u16(entry, at, little) : u32(entry, at, little)
}

async function readDirectory(
  file: FileHandle,
  offset: number,
  { little, big }: Pick<TiffDirectory, 'little' | 'big'>,
): Promise<{ directory: TiffDirectory; next: number } | undefined> {
  if (!Number.isSafeInteger(offset)) return undefined
  const [countBytes, entryBytes, nextBytes] = big ? [8, 20, 8] : [2, 12, 4]
  const start = await read(file, offset, countBytes)
  if (start.length < countBytes) return undefined
  const count = Math.min(MAX_ENTRIES, big ? u64(start, 0, little) : u16(start, 0, little))
  const bytes = await read(file, offset + countBytes, count * entryBytes + nextBytes)
  const whole = Math.min(count, Math.floor(bytes.length / entryBytes))
  const entries = Array.from({ length: whole }, (_, index) => bytes.subarray(index * entryBytes, (index + 1) * entryBytes))
  const end = count * entryBytes
  const next = bytes.length < end + nextBytes ? 0 : big ? u64(bytes, end, little) : u32(bytes, end, little)
  return { directory: { little, big, entries }, next }
}

async function read(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  if (!Number.isSafeInteger(position)) return Buffer.alloc(0)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position)
  return buffer.subarray(0, bytesRead)
}

const u16 = (bytes: Buffer, at: number, little: boolean) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
const u32 = (bytes: Buffer, at: number, little: boolean) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
const u64 = (bytes: Buffer, at: number, little: boolean) => Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))

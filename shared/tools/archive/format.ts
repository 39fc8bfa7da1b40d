import { type ArchiveEntry, ArchiveTooLarge } from './plan.ts'

/**
 * Records of the ZIP format (APPNOTE.TXT 6.3.10). Entries are stored uncompressed, with size and CRC-32 in their local header, and names in
 * UTF-8. Numbers that don't fit are in a ZIP64 field and replaced by all ones, so a number that is all ones doesn't fit either.
 */

const [LOCAL, CENTRAL, END, END64, LOCATOR64] = [0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50]
const [MAX16, MAX32] = [0xffff, 0xffffffff]
/** Version 2.0 supports folders, 4.5 ZIP64. */
const [VERSION, VERSION64] = [20, 45]
/** Made on Unix: the upper half of the external attributes holds permissions. */
const MADE_BY = (3 << 8) | VERSION64
const UTF8_NAMES = 1 << 11
const FILE_ATTRIBUTES = 0o100644 * 0x10000
/** Also marked as a DOS folder. */
const FOLDER_ATTRIBUTES = 0o040755 * 0x10000 + 0x10
const [ZIP64_FIELD, TIME_FIELD] = [0x0001, 0x5455]
const TIME_FIELD_BYTES = 9
/** Sizes of ZIP64 fields. The one in the directory also has the offset. */
const [LOCAL_ZIP64_BYTES, CENTRAL_ZIP64_BYTES] = [20, 28]
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES, END64_BYTES, LOCATOR64_BYTES] = [30, 46, 22, 56, 20]
/** Above this size an archive always has ZIP64 end records. */
const ZIP64_ABOVE = 2_000_000_000

const DAY_MS = 86_400_000
/** Range of DOS times: from 1980 to 2107, in steps of two seconds. */
const [FIRST_DOS_TIME, LAST_DOS_TIME] = [Date.UTC(1980, 0, 1), Date.UTC(2107, 11, 31, 23, 59, 58)]

/** Largest header in the directory: with the longest path and all fields. */
const MAX_HEADER_BYTES = MAX16 + CENTRAL_BYTES + TIME_FIELD_BYTES + CENTRAL_ZIP64_BYTES

/** Memory for successive headers. Writes by a DataView take a tenth of the time of a Buffer's. */
export interface Page {
  bytes: Buffer
  view: DataView
}

/** Cached dates by day since the epoch, at most 47,000. Without the cache a plan would make four `Date`s for each entry. */
const dosDates = new Map<number, number>()

/** Size of an entry's local header. @throws ArchiveTooLarge if its path is too long */
export function localHeaderBytes({ path, bytes, modified }: ArchiveEntry): number {
  return LOCAL_BYTES + pathBytes(path) + timeFieldBytes(modified) + (bytes < MAX32 ? 0 : LOCAL_ZIP64_BYTES)
}

/** A page of 256 KiB. */
export function newPage(): Page {
  const bytes = Buffer.allocUnsafe(2 ** 18)
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
}

/** Whether the page has room for any header. */
export function hasRoom({ bytes }: Page, at: number): boolean {
  return at + MAX_HEADER_BYTES <= bytes.length
}

/** Writes an entry's local header. @returns where it ends */
export function writeLocalHeader({ bytes, view }: Page, at: number, entry: ArchiveEntry): number {
  const isLarge = entry.bytes >= MAX32
  const nameBytes = bytes.write(entry.path, at + LOCAL_BYTES)
  view.setUint32(at, LOCAL, true)
  view.setUint16(at + 4, isLarge ? VERSION64 : VERSION, true)
  writeCommonFields(view, at + 6, entry, nameBytes, isLarge)
  view.setUint16(at + 28, timeFieldBytes(entry.modified) + (isLarge ? LOCAL_ZIP64_BYTES : 0), true)
  const end = writeTimeField(view, at + LOCAL_BYTES + nameBytes, entry.modified)
  return isLarge ? writeZip64Field(view, end, [entry.bytes, entry.bytes]) : end
}

/**
 * Writes an entry's header in the central directory. If one of its numbers needs ZIP64, all use it: Info-ZIP's unzip confuses the offset
 * with the size if only the offset is there and the previous file has 2^32 - 1 bytes.
 * @param offset offset of the local header
 * @returns where it ends
 */
export function writeCentralHeader({ bytes, view }: Page, at: number, entry: ArchiveEntry, offset: number): number {
  const isLarge = entry.bytes >= MAX32 || offset >= MAX32
  const nameBytes = bytes.write(entry.path, at + CENTRAL_BYTES)
  view.setUint32(at, CENTRAL, true)
  view.setUint16(at + 4, MADE_BY, true)
  view.setUint16(at + 6, isLarge ? VERSION64 : VERSION, true)
  writeCommonFields(view, at + 8, entry, nameBytes, isLarge)
  view.setUint16(at + 30, timeFieldBytes(entry.modified) + (isLarge ? CENTRAL_ZIP64_BYTES : 0), true)
  // No comment, on the first disk, binary.
  view.setUint32(at + 32, 0, true)
  view.setUint16(at + 36, 0, true)
  view.setUint32(at + 38, entry.path.endsWith('/') ? FOLDER_ATTRIBUTES : FILE_ATTRIBUTES, true)
  view.setUint32(at + 42, isLarge ? MAX32 : offset, true)
  const end = writeTimeField(view, at + CENTRAL_BYTES + nameBytes, entry.modified)
  return isLarge ? writeZip64Field(view, end, [entry.bytes, entry.bytes, offset]) : end
}

/** The records after the central directory. @param offset offset of the directory */
export function endRecords(entries: number, centralBytes: number, offset: number): Buffer {
  const at = isZip64(entries, centralBytes, offset) ? END64_BYTES + LOCATOR64_BYTES : 0
  const records = Buffer.alloc(at + END_BYTES)
  const view = new DataView(records.buffer, records.byteOffset, records.length)
  if (at > 0) writeZip64End(view, entries, centralBytes, offset)
  view.setUint32(at, END, true)
  view.setUint16(at + 8, Math.min(entries, MAX16), true)
  view.setUint16(at + 10, Math.min(entries, MAX16), true)
  view.setUint32(at + 12, Math.min(centralBytes, MAX32), true)
  view.setUint32(at + 16, Math.min(offset, MAX32), true)
  return records
}

/** The ZIP64 record and its locator. */
function writeZip64End(view: DataView, entries: number, centralBytes: number, offset: number): void {
  view.setUint32(0, END64, true)
  setUint64(view, 4, END64_BYTES - 12)
  view.setUint16(12, MADE_BY, true)
  view.setUint16(14, VERSION64, true)
  setUint64(view, 24, entries)
  setUint64(view, 32, entries)
  setUint64(view, 40, centralBytes)
  setUint64(view, 48, offset)
  view.setUint32(END64_BYTES, LOCATOR64, true)
  setUint64(view, END64_BYTES + 8, offset + centralBytes)
  view.setUint32(END64_BYTES + 16, 1, true)
}

function pathBytes(path: string): number {
  const bytes = Buffer.byteLength(path)
  if (bytes > MAX16) throw new ArchiveTooLarge(`a path of ${bytes} bytes`)
  return bytes
}

function isZip64(entries: number, centralBytes: number, offset: number): boolean {
  return entries >= MAX16 || centralBytes >= MAX32 || offset >= MAX32 || offset + centralBytes + END_BYTES > ZIP64_ABOVE
}

/** Writes the fields common to both headers of an entry: flags, method (stored, 0), time, date, CRC-32, sizes, length of the name. */
function writeCommonFields(
  view: DataView,
  at: number,
  { bytes, crc32, modified }: ArchiveEntry,
  nameBytes: number,
  isLarge: boolean,
): void {
  view.setUint16(at, UTF8_NAMES, true)
  view.setUint16(at + 2, 0, true)
  view.setUint32(at + 4, dosTime(modified), true)
  view.setUint32(at + 8, crc32, true)
  view.setUint32(at + 12, isLarge ? MAX32 : bytes, true)
  view.setUint32(at + 16, isLarge ? MAX32 : bytes, true)
  view.setUint16(at + 20, nameBytes, true)
}

/** Date in the upper half, time in the lower half. UTC, because the format has no time zone. */
function dosTime(modified: number): number {
  const seconds = Math.floor(Math.min(Math.max(modified, FIRST_DOS_TIME), LAST_DOS_TIME) / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]
  return dosDate(Math.floor((1000 * seconds) / DAY_MS)) * 0x10000 + ((hours << 11) | (minutes << 5) | ((seconds % 60) >> 1))
}

/** @param day since the epoch */
function dosDate(day: number): number {
  const known = dosDates.get(day)
  if (known !== undefined) return known
  const date = new Date(day * DAY_MS)
  const value = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  dosDates.set(day, value)
  return value
}

/** The field has 32 signed bits, for times from 1901 to 2038. Entries with other times have none. */
function timeFieldBytes(modified: number): number {
  const seconds = Math.floor(modified / 1000)
  return seconds === (seconds | 0) ? TIME_FIELD_BYTES : 0
}

/** Writes the extended timestamp: the exact time in seconds, independent of time zones. @returns where it ends */
function writeTimeField(view: DataView, at: number, modified: number): number {
  if (timeFieldBytes(modified) === 0) return at
  view.setUint16(at, TIME_FIELD, true)
  view.setUint16(at + 2, TIME_FIELD_BYTES - 4, true)
  // Only the time of the last modification.
  view.setUint8(at + 4, 1)
  view.setInt32(at + 5, Math.floor(modified / 1000), true)
  return at + TIME_FIELD_BYTES
}

/** @returns where it ends */
function writeZip64Field(view: DataView, at: number, numbers: readonly number[]): number {
  view.setUint16(at, ZIP64_FIELD, true)
  view.setUint16(at + 2, 8 * numbers.length, true)
  for (const [index, number] of numbers.entries()) setUint64(view, at + 4 + 8 * index, number)
  return at + 4 + 8 * numbers.length
}

function setUint64(view: DataView, at: number, number: number): void {
  view.setUint32(at, number % 0x100000000, true)
  view.setUint32(at + 4, Math.floor(number / 0x100000000), true)
}

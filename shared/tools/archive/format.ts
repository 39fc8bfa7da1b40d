import { type ArchiveEntry, ArchiveTooLarge } from './plan.ts'

/**
 * Records of the ZIP format (APPNOTE.TXT 6.3.10): entries are stored uncompressed, their sizes and CRC-32 are in front of them, names are
 * UTF-8. A number that doesn't fit stands in a ZIP64 field, and ones stand in its place; a number that is all ones doesn't fit either.
 */

const [LOCAL, CENTRAL, END, END64, LOCATOR64] = [0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50]
const [MAX16, MAX32] = [0xffff, 0xffffffff]
/** 2.0 knows folders, 4.5 ZIP64. */
const [VERSION, VERSION64] = [20, 45]
/** Made on Unix, whose permissions are in the upper half of the external attributes. */
const MADE_BY = (3 << 8) | VERSION64
const UTF8_NAMES = 1 << 11
const FILE_ATTRIBUTES = 0o100644 * 0x10000
/** Also marked as a folder of DOS. */
const FOLDER_ATTRIBUTES = 0o040755 * 0x10000 + 0x10
const [ZIP64_FIELD, TIME_FIELD] = [0x0001, 0x5455]
const TIME_FIELD_BYTES = 9
const LOCAL_ZIP64_BYTES = 20
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES, END64_BYTES, LOCATOR64_BYTES] = [30, 46, 22, 56, 20]
/** Above this size an archive says that it is ZIP64, needed or not. */
const ZIP64_ABOVE = 2_000_000_000

/** Times of DOS: from 1980 to 2107, in steps of two seconds. */
const DAY_MS = 86_400_000
const [FIRST_DOS_TIME, LAST_DOS_TIME] = [Date.UTC(1980, 0, 1), Date.UTC(2107, 11, 31, 23, 59, 58)]

/** Dates by day since the epoch: at most 47,000. Half of the time would go into making a `Date` of each entry's again. */
const dosDates = new Map<number, number>()

/** Size of the header in front of an entry. @throws ArchiveTooLarge when its path is too long */
export function localHeaderBytes({ path, bytes, modified }: ArchiveEntry): number {
  return LOCAL_BYTES + pathBytes(path) + timeFieldBytes(modified) + (bytes < MAX32 ? 0 : LOCAL_ZIP64_BYTES)
}

/** Writes it. @returns where it ends */
export function writeLocalHeader(target: Buffer, at: number, entry: ArchiveEntry): number {
  const isLarge = entry.bytes >= MAX32
  const nameBytes = target.write(entry.path, at + LOCAL_BYTES)
  target.writeUInt32LE(LOCAL, at)
  target.writeUInt16LE(isLarge ? VERSION64 : VERSION, at + 4)
  writeCommonFields(target, at + 6, entry, nameBytes)
  target.writeUInt16LE(timeFieldBytes(entry.modified) + (isLarge ? LOCAL_ZIP64_BYTES : 0), at + 28)
  const end = writeTimeField(target, at + LOCAL_BYTES + nameBytes, entry.modified)
  return isLarge ? writeZip64Field(target, end, [entry.bytes, entry.bytes]) : end
}

/** Size of an entry's header in the directory at the end. @param offset of its local header */
export function centralHeaderBytes({ path, bytes, modified }: ArchiveEntry, offset: number): number {
  return CENTRAL_BYTES + pathBytes(path) + timeFieldBytes(modified) + zip64FieldBytes(centralZip64(bytes, offset))
}

/** Writes it. @returns where it ends */
export function writeCentralHeader(target: Buffer, at: number, entry: ArchiveEntry, offset: number): number {
  const large = centralZip64(entry.bytes, offset)
  const nameBytes = target.write(entry.path, at + CENTRAL_BYTES)
  target.writeUInt32LE(CENTRAL, at)
  target.writeUInt16LE(MADE_BY, at + 4)
  target.writeUInt16LE(large.length > 0 ? VERSION64 : VERSION, at + 6)
  writeCommonFields(target, at + 8, entry, nameBytes)
  target.writeUInt16LE(timeFieldBytes(entry.modified) + zip64FieldBytes(large), at + 30)
  // No comment, on the first disk, binary.
  target.fill(0, at + 32, at + 38)
  target.writeUInt32LE(entry.path.endsWith('/') ? FOLDER_ATTRIBUTES : FILE_ATTRIBUTES, at + 38)
  target.writeUInt32LE(Math.min(offset, MAX32), at + 42)
  const end = writeTimeField(target, at + CENTRAL_BYTES + nameBytes, entry.modified)
  return large.length > 0 ? writeZip64Field(target, end, large) : end
}

/** Size of what follows the directory. @param offset of the directory */
export function endBytes(entries: number, centralBytes: number, offset: number): number {
  return END_BYTES + (isZip64(entries, centralBytes, offset) ? END64_BYTES + LOCATOR64_BYTES : 0)
}

/** What follows the directory. */
export function endRecords(entries: number, centralBytes: number, offset: number): Buffer {
  const records = Buffer.alloc(endBytes(entries, centralBytes, offset))
  const at = records.length - END_BYTES
  if (at > 0) {
    records.writeUInt32LE(END64, 0)
    writeUInt64(records, END64_BYTES - 12, 4)
    records.writeUInt16LE(MADE_BY, 12)
    records.writeUInt16LE(VERSION64, 14)
    writeUInt64(records, entries, 24)
    writeUInt64(records, entries, 32)
    writeUInt64(records, centralBytes, 40)
    writeUInt64(records, offset, 48)
    records.writeUInt32LE(LOCATOR64, END64_BYTES)
    writeUInt64(records, offset + centralBytes, END64_BYTES + 8)
    records.writeUInt32LE(1, END64_BYTES + 16)
  }
  records.writeUInt32LE(END, at)
  records.writeUInt16LE(Math.min(entries, MAX16), at + 8)
  records.writeUInt16LE(Math.min(entries, MAX16), at + 10)
  records.writeUInt32LE(Math.min(centralBytes, MAX32), at + 12)
  records.writeUInt32LE(Math.min(offset, MAX32), at + 16)
  return records
}

function pathBytes(path: string): number {
  const bytes = Buffer.byteLength(path)
  if (bytes > MAX16) throw new ArchiveTooLarge(`a path of ${bytes} bytes`)
  return bytes
}

function isZip64(entries: number, centralBytes: number, offset: number): boolean {
  return entries >= MAX16 || centralBytes >= MAX32 || offset >= MAX32 || offset + centralBytes + END_BYTES > ZIP64_ABOVE
}

/** The numbers of a central header that don't fit, in the order of the format. */
function centralZip64(bytes: number, offset: number): readonly number[] {
  if (bytes < MAX32) return offset < MAX32 ? [] : [offset]
  return offset < MAX32 ? [bytes, bytes] : [bytes, bytes, offset]
}

function zip64FieldBytes(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : 4 + 8 * numbers.length
}

/** What both headers of an entry hold: flags, method (stored, 0), time, date, CRC-32, sizes, length of the name. */
function writeCommonFields(target: Buffer, at: number, { bytes, crc32, modified }: ArchiveEntry, nameBytes: number): void {
  target.writeUInt16LE(UTF8_NAMES, at)
  target.writeUInt16LE(0, at + 2)
  target.writeUInt32LE(dosTime(modified), at + 4)
  target.writeUInt32LE(crc32, at + 8)
  target.writeUInt32LE(Math.min(bytes, MAX32), at + 12)
  target.writeUInt32LE(Math.min(bytes, MAX32), at + 16)
  target.writeUInt16LE(nameBytes, at + 20)
}

/** Date in the upper, time in the lower half. UTC, for the format knows no zone. */
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

/** The field has 32 bits with a sign: times from 1901 to 2038. Others have none. */
function timeFieldBytes(modified: number): number {
  const seconds = Math.floor(modified / 1000)
  return seconds === (seconds | 0) ? TIME_FIELD_BYTES : 0
}

/** The extended timestamp, from which readers know the time to the second, whatever their zone. @returns where it ends */
function writeTimeField(target: Buffer, at: number, modified: number): number {
  if (timeFieldBytes(modified) === 0) return at
  target.writeUInt16LE(TIME_FIELD, at)
  target.writeUInt16LE(TIME_FIELD_BYTES - 4, at + 2)
  // The time of the last change alone.
  target[at + 4] = 1
  target.writeInt32LE(Math.floor(modified / 1000), at + 5)
  return at + TIME_FIELD_BYTES
}

/** @returns where it ends */
function writeZip64Field(target: Buffer, at: number, numbers: readonly number[]): number {
  target.writeUInt16LE(ZIP64_FIELD, at)
  target.writeUInt16LE(8 * numbers.length, at + 2)
  for (const [index, number] of numbers.entries()) writeUInt64(target, number, at + 4 + 8 * index)
  return at + zip64FieldBytes(numbers)
}

function writeUInt64(target: Buffer, number: number, at: number): void {
  target.writeUInt32LE(number % 0x100000000, at)
  target.writeUInt32LE(Math.floor(number / 0x100000000), at + 4)
}

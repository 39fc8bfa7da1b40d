import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ToolFailed } from '../../failure.ts'
import { BinaryFile } from './binary-file.ts'
import { formatOf } from './format.ts'
import { readJpegHead, XMP_BEGINNING } from './jpeg-head.ts'

/** Bytes of a segment before its packet: marker, length, beginning. */
const HEAD_BYTES = 4 + XMP_BEGINNING.length
/** Most bytes of a segment after its marker. */
const MOST_BYTES = 65_535

/**
 * Writes a copy of a JPEG with another XMP packet, and everything else unchanged.
 * @param change returns the new text of the packet
 * @throws ToolFailed if the file isn't a JPEG with one packet in UTF-8, or the packet would be too long; and what `change` throws
 */
export async function replacePacket(source: string, target: string, change: (packet: string) => string): Promise<void> {
  const { start, end, bytes } = await packetOf(source)
  const packet = Buffer.from(change(textOf(bytes)))
  const head = Buffer.from(`\xff\xe1\0\0${XMP_BEGINNING}`, 'latin1')
  const length = head.length - 2 + packet.length
  if (length > MOST_BYTES) throw new ToolFailed('the XMP would be too long for a segment')
  head.writeUInt16BE(length, 2)
  const parts = async function* () {
    yield* createReadStream(source, { end: start - 1 })
    yield Buffer.concat([head, packet])
    yield* createReadStream(source, { start: end })
  }
  await pipeline(parts, createWriteStream(target))
}

/** @throws ToolFailed unless two JPEGs have the same XMP bytes */
export async function assertSameXmp(source: string, copy: string): Promise<void> {
  const [ours, theirs] = await Promise.all([source, copy].map(xmpOf))
  if (!Buffer.concat(ours!).equals(Buffer.concat(theirs!))) throw new ToolFailed('the copy has another XMP')
}

async function packetOf(path: string) {
  await using file = await BinaryFile.open(path)
  const segments = await segmentsOf(file)
  const packets = segments.filter(({ bytes }) => bytes.toString('latin1', 4, HEAD_BYTES) === XMP_BEGINNING)
  const [packet, ...others] = packets
  if (!packet || others.length > 0) throw new ToolFailed('the file has no packet of XMP, or several')
  return { ...packet, bytes: packet.bytes.subarray(HEAD_BYTES) }
}

async function xmpOf(path: string): Promise<Buffer[]> {
  await using file = await BinaryFile.open(path)
  return (await segmentsOf(file)).map(({ bytes }) => bytes)
}

/** The segments of XMP, with their markers. */
async function segmentsOf(file: BinaryFile): Promise<{ start: number; end: number; bytes: Buffer }[]> {
  if ((await formatOf(file)) !== 'jpeg') throw new ToolFailed('the file is no JPEG')
  const segments = []
  for (const { start, end } of (await readJpegHead(file)).xmp) {
    segments.push({ start, end, bytes: Buffer.from(await file.bytes(start, end - start)) })
  }
  return segments
}

function textOf(packet: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(packet)
  } catch (error) {
    throw new ToolFailed('the XMP is not in UTF-8', { cause: error })
  }
}

import type { FileHandle } from 'node:fs/promises'

/** Elements looked at before a file is taken for what its type says; ordinary files have a few hundred. */
const maxElements = 20_000

const matroska = new Set(['video/matroska', 'video/webm'])
const quickTime = new Set(['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp', 'video/3gpp2'])

/**
 * Whether a film has pictures, or is sound in a film's container. Where the container doesn't say (damaged, or of another
 * kind than MP4, QuickTime and Matroska) it is taken to have some.
 */
export async function hasVideoTrack(file: FileHandle, size: number, mime: string): Promise<boolean> {
  const tracks = matroska.has(mime) ? matroskaTracks(file, size) : quickTime.has(mime) ? quickTimeTracks(file, size) : []
  let found = false
  try {
    for await (const isVideo of tracks) {
      if (isVideo) return true
      found = true
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
  return !found
}

class Unreadable extends Error {}

interface Element {
  name: string | number
  /** Where its contents are. */
  start: number
  end: number
}

/** QuickTime and ISO media boxes: size (32 bits, or 1 and 64 bits behind the type) and type. */
async function* quickTimeTracks(file: FileHandle, size: number): AsyncGenerator<boolean> {
  const containers = new Set<string | number>(['moov', 'trak', 'mdia'])
  for await (const { name, start } of walk({ name: 'file', start: 0, end: size }, containers, async (at, end) => {
    const header = await read(file, at, Math.min(16, end - at))
    if (header.length < 8) return undefined
    const short = header.readUInt32BE(0)
    if (short === 1 && header.length < 16) return undefined
    const length = short === 0 ? end - at : short === 1 ? Number(header.readBigUInt64BE(8)) : short
    const headerBytes = short === 1 ? 16 : 8
    return length < headerBytes ? undefined : { name: header.toString('latin1', 4, 8), start: at + headerBytes, end: at + length }
  })) {
    if (name !== 'hdlr') continue
    const handler = (await read(file, start + 8, 4)).toString('latin1')
    if (handler === 'vide' || handler === 'soun') yield handler === 'vide'
  }
}

/** Matroska elements: id and size as numbers of variable length (RFC 8794). */
async function* matroskaTracks(file: FileHandle, size: number): AsyncGenerator<boolean> {
  const segment = 0x18538067
  const cluster = 0x1f43b675
  const trackType = 0x83
  const containers = new Set<string | number>([segment, 0x1654ae6b, 0xae])
  for await (const { name, start } of walk({ name: 'file', start: 0, end: size }, containers, async (at, end) => {
    const header = await read(file, at, Math.min(12, end - at))
    const idBytes = Math.clz32(header[0] ?? 0) - 23
    const sizeBytes = Math.clz32(header[idBytes] ?? 0) - 23
    if (idBytes > 4 || sizeBytes > 8 || header.length < idBytes + sizeBytes) return undefined
    const contents = at + idBytes + sizeBytes
    const length = variableInteger(header.subarray(idBytes, idBytes + sizeBytes))
    return { name: header.readUIntBE(0, idBytes), start: contents, end: length === undefined ? end : contents + length }
  })) {
    // Tracks are described before the pictures and sounds themselves.
    if (name === cluster) return
    if (name === trackType) yield (await read(file, start, 1))[0] === 1
  }
}

/** @returns undefined for "unknown", which is all ones */
function variableInteger(bytes: Buffer): number | undefined {
  const marker = 1 << (8 - bytes.length)
  let value = bytes[0]! & (marker - 1)
  let unknown = value === marker - 1
  for (const byte of bytes.subarray(1)) {
    value = value * 256 + byte
    unknown &&= byte === 255
  }
  return unknown ? undefined : value
}

/** Walks elements in file order, into those that are containers. */
async function* walk(
  root: Element,
  containers: ReadonlySet<string | number>,
  next: (at: number, end: number) => Promise<Element | undefined>,
): AsyncGenerator<Element> {
  const open = [root]
  const position = [root.start]
  for (let count = 0; open.length > 0; count++) {
    if (count > maxElements) throw new Unreadable()
    const end = open.at(-1)!.end
    const at = position.at(-1)!
    const element = at < end ? await next(at, end) : undefined
    if (!element) {
      open.pop()
      position.pop()
      continue
    }
    position[position.length - 1] = element.end
    yield element
    if (containers.has(element.name)) {
      open.push({ ...element, end: Math.min(element.end, end) })
      position.push(element.start)
    }
  }
}

async function read(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  if (!Number.isSafeInteger(position)) throw new Unreadable()
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, position)
  return buffer.subarray(0, bytesRead)
}

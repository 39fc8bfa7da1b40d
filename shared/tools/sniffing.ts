import { openAsBlob } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { FileTypeResult } from 'file-type'
import { sniffDigitalVideo } from './sniffing/digital-video.ts'
import { sniffDocument, sniffLatePdf, sniffText } from './sniffing/documents.ts'
import type { Sniffed } from './sniffing/sniffed.ts'

const unknown: Sniffed = { kind: 'generic', mime: 'application/octet-stream', extension: 'bin' }
/** Bytes at the start (and for some formats at the end) that decide. */
const sampleBytes = 65_536
/** The detector reads no larger piece at once, and stops looking after so many milliseconds. */
const maxBufferSize = 16 * 1024 ** 2
const timeout = 10_000

/** The names that clients know of types for which the detector has another. */
const usualNames: { [mime: string]: string } = { 'video/matroska': 'video/x-matroska', 'video/vnd.avi': 'video/x-msvideo' }

/** Named `image/` and `video/` by their registrations, but not pictures or films to a viewer. */
const notMedia = new Set(['image/vnd.dwg', 'image/icns', 'image/ktx'])

/**
 * Says what a file is by its bytes alone: neither its name nor a type sent along counts. Of files that are several things at
 * once, the type that starts at the first byte counts. Audio is generic, but a film's container counts as a film here, whatever its tracks.
 */
export async function sniff(path: string): Promise<Sniffed> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) return unknown
    const head = await sample(file, 0)
    const tail = await sample(file, Math.max(0, size - sampleBytes))
    const own = sniffDocument(head, tail) ?? sniffDigitalVideo(head)
    if (own) return own
    const type = await detect(path)
    // An XML declaration says less than what follows it does.
    if (!type || type.mime === 'application/xml') return sniffUntyped(head, tail)
    const mime = type.mime.toLowerCase()
    if (mime === 'application/gzip' && sniffText(await unzippedStart(head))?.mime === svgz.mime) return svgz
    return { kind: kindOf(type), mime: usualNames[mime] ?? mime, extension: type.ext }
  } finally {
    await file.close()
  }
}

/** SVG compressed by gzip, as its registration has it. */
const svgz: Sniffed = { kind: 'vector', mime: 'image/svg+xml', extension: 'svgz' }

/** What the start of a gzip file holds, as far as it can be read, as long as a sample. */
async function unzippedStart(head: Buffer): Promise<Buffer> {
  const gunzip = createGunzip()
  gunzip.end(head)
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of gunzip) {
      parts.push(part)
      length += part.length
      if (length >= sampleBytes) break
    }
  } catch {
    // The sample ends within the stream, or the stream is damaged.
  }
  return Buffer.concat(parts).subarray(0, sampleBytes)
}

/** Text that is marked up is what its markup says; other text may be what stands before a PDF. */
function sniffUntyped(head: Buffer, tail: Buffer): Sniffed {
  const text = sniffText(head)
  return (text?.mime !== 'text/plain' ? text : undefined) ?? sniffLatePdf(head, tail) ?? text ?? unknown
}

async function sample(file: FileHandle, position: number): Promise<Buffer> {
  const buffer = Buffer.alloc(sampleBytes)
  const { bytesRead } = await file.read(buffer, 0, sampleBytes, position)
  return buffer.subarray(0, bytesRead)
}

/** A file on which the detector chokes is of no known type. */
async function detect(path: string): Promise<FileTypeResult | undefined> {
  // Loaded with the first file: the table of events, which leads here, is read by processes that see none.
  const { fileTypeFromBlob } = await import('file-type')
  try {
    // fileTypeFromFile doesn't do: it imports its reader by a name that bundlers don't see, so in functions it would know no type at all.
    return await fileTypeFromBlob(await openAsBlob(path), { maxBufferSize, signal: AbortSignal.timeout(timeout) })
  } catch {
    return undefined
  }
}

function kindOf({ mime }: FileTypeResult): Sniffed['kind'] {
  if (notMedia.has(mime)) return 'generic'
  if (mime.startsWith('image/')) return 'image'
  return mime.startsWith('video/') || mime === 'application/mxf' ? 'video' : 'generic'
}

import { openAsBlob } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type { FileTypeResult } from 'file-type'
import { sniffDigitalVideo } from './sniffing/digital-video.ts'
import { sniffDocument, sniffLatePdf, sniffText } from './sniffing/documents.ts'
import type { Sniffed } from './sniffing/sniffed.ts'

const unknown: Sniffed = { kind: 'generic', mime: 'application/octet-stream', extension: 'bin' }
/** Bytes read from the start, and for some formats from the end. */
const sampleBytes = 65_536
/** Limits of the detector: largest piece to read, in bytes, and time in milliseconds. */
const maxBufferSize = 16 * 1024 ** 2
const timeout = 10_000

/** Usual names of types that the detector names differently. */
const usualNames: { [mime: string]: string } = { 'video/matroska': 'video/x-matroska', 'video/vnd.avi': 'video/x-msvideo' }

/** Registered as `image/`, but not pictures to a viewer. */
const notMedia = new Set(['image/vnd.dwg', 'image/icns', 'image/ktx'])

/** Bytes that are read in any order, as those of a `Blob`. */
export interface RandomBytes {
  readonly size: number
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** Detects a file's type from its bytes only, not from its name or a claimed type. */
export async function sniff(path: string): Promise<Sniffed> {
  return sniffBytes(await openAsBlob(path))
}

/**
 * Detects the type of bytes. If they are valid as several types, the one that starts at the first byte counts. Audio is generic, but a film's container
 * counts as a film, whatever its tracks.
 */
export async function sniffBytes(bytes: RandomBytes): Promise<Sniffed> {
  const { size } = bytes
  if (size === 0) return unknown
  const head = await sample(bytes, 0)
  const tail = await sample(bytes, Math.max(0, size - sampleBytes))
  const own = sniffDocument(head, tail) ?? sniffDigitalVideo(head)
  if (own) return own
  const type = await detect(bytes)
  // The text after an XML declaration may tell a more specific type.
  if (!type || type.mime === 'application/xml') return sniffUntyped(head, tail)
  const mime = type.mime.toLowerCase()
  if (mime === 'application/gzip' && sniffText(await unzippedStart(head))?.mime === svgz.mime) return svgz
  return { kind: kindOf(type), mime: usualNames[mime] ?? mime, extension: type.ext }
}

/** SVG compressed with gzip, as registered. */
const svgz: Sniffed = { kind: 'vector', mime: 'image/svg+xml', extension: 'svgz' }

/** The unzipped start of a gzip file, as far as readable, at most as long as a sample. */
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

/** Text with markup has the markup's type. Other text may precede a PDF. */
function sniffUntyped(head: Buffer, tail: Buffer): Sniffed {
  const text = sniffText(head)
  return (text?.mime !== 'text/plain' ? text : undefined) ?? sniffLatePdf(head, tail) ?? text ?? unknown
}

async function sample(bytes: RandomBytes, start: number): Promise<Buffer> {
  return Buffer.from(await bytes.slice(start, Math.min(start + sampleBytes, bytes.size)).arrayBuffer())
}

/** Undefined for files on which the detector fails. */
async function detect(bytes: RandomBytes): Promise<FileTypeResult | undefined> {
  // Loaded with the first file, because processes that import the table of events load this module but never see files.
  const { fileTypeFromBlob } = await import('file-type')
  try {
    // Not fileTypeFromFile: bundlers don't see its dynamic import, so in functions it would detect nothing. Of a blob it reads size and slices alone.
    return await fileTypeFromBlob(bytes as Blob, { maxBufferSize, signal: AbortSignal.timeout(timeout) })
  } catch {
    return undefined
  }
}

function kindOf({ mime }: FileTypeResult): Sniffed['kind'] {
  if (notMedia.has(mime)) return 'generic'
  if (mime.startsWith('image/')) return 'image'
  return mime.startsWith('video/') || mime === 'application/mxf' ? 'video' : 'generic'
}

import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import * as z from 'zod'
import type { FilePart } from '../object-answer.ts'

/** A picture that was rendered for a link. */
export interface Picture {
  /** In quotes; names the link, what it shows and the transformation. */
  etag: string
  mime: string
  data: Uint8Array
}

/** A picture with the time when it was rendered, in UNIX milliseconds. A large one is in its file alone. */
export interface KeptPicture extends Omit<Picture, 'data'> {
  made: number
  data: Uint8Array | FilePart
}

/** Bytes of the largest picture that is read into memory. */
export const LARGEST_IN_MEMORY = 1024 ** 2

/** The first line of a file, as JSON. */
const Label = z.object({ etag: z.string(), mime: z.string(), made: z.number(), length: z.number(), crc32: z.number() })

/** Bytes of the longest first line. */
const LABEL_BYTES = 1024
const END_OF_LINE = 0x0a

/** The bytes of a picture's file: a line that describes it, then its data. @param made when it was rendered, in UNIX milliseconds */
export function pictureFile({ etag, mime, data }: Picture, made: number): Buffer {
  const label: z.infer<typeof Label> = { etag, mime, made, length: data.length, crc32: crc32(data) }
  return Buffer.concat([Buffer.from(`${JSON.stringify(label)}\n`), data])
}

/**
 * Reads a picture's file: of a large one the first line, because what is sent slowly must not stay in memory.
 * @returns undefined where there is none, and where it is damaged or another picture's
 */
export async function readPictureFile(etag: string, path: string): Promise<KeptPicture | undefined> {
  const file = await open(path).catch(() => undefined)
  try {
    return file && (await readFrom(file, etag, path))
  } finally {
    await file?.close()
  }
}

async function readFrom(file: FileHandle, etag: string, path: string): Promise<KeptPicture | undefined> {
  const { size } = await file.stat()
  const isLarge = size > LABEL_BYTES + LARGEST_IN_MEMORY
  const { buffer, bytesRead } = await file.read(Buffer.alloc(isLarge ? LABEL_BYTES : size), 0, isLarge ? LABEL_BYTES : size, 0)
  const start = buffer.subarray(0, Math.min(bytesRead, LABEL_BYTES)).indexOf(END_OF_LINE) + 1
  const label = labelIn(buffer.toString('utf8', 0, start))
  if (label?.etag !== etag || label.length !== size - start) return undefined
  const { mime, made, length } = label
  if (isLarge) return { etag, mime, made, data: { path, start, length } }
  const data = buffer.subarray(start, bytesRead)
  return crc32(data) === label.crc32 ? { etag, mime, made, data } : undefined
}

function labelIn(line: string): z.infer<typeof Label> | undefined {
  try {
    return Label.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

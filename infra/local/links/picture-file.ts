import { crc32 } from 'node:zlib'
import * as z from 'zod'

/** A picture that was rendered for a link. */
export interface Picture {
  /** In quotes; names the link, what it shows and the transformation. */
  etag: string
  mime: string
  data: Uint8Array
}

/** A picture with the time when it was rendered, in UNIX milliseconds. */
export interface KeptPicture extends Picture {
  made: number
}

/** The first line of a file, as JSON. */
const Label = z.object({ etag: z.string(), mime: z.string(), made: z.number(), crc32: z.number() })

const END_OF_LINE = 0x0a

/** The bytes of a picture's file: a line that describes it, then its data. */
export function writePictureFile({ etag, mime, made, data }: KeptPicture): Buffer {
  const label: z.infer<typeof Label> = { etag, mime, made, crc32: crc32(data) }
  return Buffer.concat([Buffer.from(`${JSON.stringify(label)}\n`), data])
}

/** Reads a picture's file. @returns undefined where it is damaged, as by a power cut, or another picture's */
export function readPictureFile(etag: string, file: Buffer): KeptPicture | undefined {
  const end = file.indexOf(END_OF_LINE)
  const label = Label.safeParse(parsed(file.toString('utf8', 0, Math.max(0, end)))).data
  const data = file.subarray(end + 1)
  if (label?.etag !== etag || label.crc32 !== crc32(data)) return undefined
  return { etag, mime: label.mime, made: label.made, data }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import * as z from 'zod'
import type { ReceivedPart } from '../../shared/backends/objects/port.ts'
import { AnswerIsoTime, AnswerMediaId } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { isoTime } from '../../shared/library/time.ts'
import { type PartUploadRecord, partsOf, stateOf } from '../../shared/library/uploads/part-upload.ts'
import type { PartRequests } from '../../shared/library/uploads/part-uploads.ts'

/** Id of an upload in parts, in a path. */
export const uploadIdParam = { uploadId: z.string().meta({ examples: ['Zl8vQx2yT0d5m8h1rW3kq9uB7cYfGjA4sNePzLxKvVo'] }) }

/** Number of a part, from 1. */
export const PartNumber = z
  .number()
  .int()
  .min(1)
  .max(10_000)
  .meta({ examples: [1] })

/** An MD5 in a request: hex in any case. */
export const Md5 = documentedAs(
  z
    .string()
    .regex(/^[0-9a-f]{32}$/i, 'must be an MD5 in hex')
    .transform((md5) => md5.toLowerCase()),
  { type: 'string', pattern: '^[0-9A-Fa-f]{32}$', examples: ['9e107d9d372bb6826bd81d3542a419d6'] },
)

/** Clients send whole local paths, too. */
const MAX_FILENAME = 4_096

/** A client's announcement of a file that it is about to send in parts. */
export const announcedFile = {
  filename: z
    .string()
    .max(MAX_FILENAME)
    .meta({ examples: ['harbour.mov'] }),
  bytes: z
    .number()
    .int()
    .min(0)
    .max(2 ** 50)
    .meta({ description: 'size of the file', examples: [3_221_225_472] }),
  md5: Md5.optional().describe('MD5 of the file, in hex'),
}

/** The answer about an upload that has begun. */
export const begunUpload = {
  upload_id: z.string().meta({ examples: ['Zl8vQx2yT0d5m8h1rW3kq9uB7cYfGjA4sNePzLxKvVo'] }),
  part_bytes: z
    .number()
    .int()
    .meta({ description: 'size of each part but the last one', examples: [8_388_608] }),
  parts: z
    .number()
    .int()
    .meta({ description: 'how many there are', examples: [384] }),
  expires: AnswerIsoTime.describe('end of the upload where no part comes'),
}

export function begunJson({ uploadId, parts, expires }: PartUploadRecord) {
  return { upload_id: uploadId, part_bytes: parts.partBytes, parts: partsOf(parts.bytes).parts, expires: isoTime(expires * 1000) }
}

export const WantedParts = z
  .object({ parts: z.array(PartNumber).min(1).max(100) })
  .meta({ id: 'WantedParts', examples: [{ parts: [1, 2, 3, 4] }] })

export const PartUrls = z
  .object({
    urls: z.array(
      z.object({
        part: PartNumber,
        method: z.literal('PUT'),
        url: z.string().meta({ format: 'uri', examples: ['https://uploads.example.com/Zl8vQx2y/file?partNumber=1'] }),
        headers: z.record(z.string(), z.string()).meta({ description: 'send them with it', examples: [{}] }),
        expires: AnswerIsoTime,
      }),
    ),
  })
  .meta({ id: 'PartUrls' })

export function partUrlsJson({ expires, requests }: PartRequests) {
  return { urls: requests.map(({ part, url, headers }) => ({ part, method: 'PUT' as const, url, headers, expires: isoTime(expires) })) }
}

/** How far an upload is. */
export const uploadState = {
  state: z.enum(['open', 'finalizing', 'finalized', 'aborted']),
  bytes: z
    .number()
    .int()
    .meta({ description: 'size of the whole file', examples: [3_221_225_472] }),
  part_bytes: z
    .number()
    .int()
    .meta({ examples: [8_388_608] }),
  received: z
    .array(
      z.object({
        part: PartNumber,
        bytes: z
          .number()
          .int()
          .meta({ examples: [8_388_608] }),
        etag: z.string().meta({ description: 'MD5 of the part, in hex', examples: ['9e107d9d372bb6826bd81d3542a419d6'] }),
      }),
    )
    .describe('by number; empty once it is finalized'),
  media_id: AnswerMediaId.optional().describe('once it is finalized'),
}

export function stateJson({ upload, received }: { upload: PartUploadRecord; received: readonly ReceivedPart[] }) {
  return {
    state: stateOf(upload),
    bytes: upload.parts.bytes,
    part_bytes: upload.parts.partBytes,
    received: received.map(({ number, bytes, etag }) => ({ part: number, bytes, etag })),
    ...(upload.mediaId !== undefined && { media_id: upload.mediaId }),
  }
}

export const CompleteUploadInput = z
  .strictObject({ md5: Md5.optional().describe('MD5 of the file, which its parts are compared with') })
  .default({})
  .meta({ id: 'CompleteUploadInput', examples: [{}] })

/** The file of an upload. */
export const uploadedMedia = {
  media_id: AnswerMediaId,
  unchanged: z.literal(true).optional().describe('the replaced file has these bytes already, and stays as it is'),
}

export const CompletedMedia = z.object(uploadedMedia).meta({ id: 'CompletedMedia' })

import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { AnswerIsoTime, AnswerMediaId, FolderIdJson } from '../../shared/http/fields.ts'
import { findByChecksum } from '../../shared/library/media/checksums.ts'
import { isoTime } from '../../shared/library/time.ts'
import { partsOf } from '../../shared/library/uploads/part-sizes.ts'
import { beginPartUpload } from '../../shared/library/uploads/part-uploads.ts'
import { MAX_PARTS_BYTES } from '../../shared/settings.ts'
import { Md5 } from './multipart-schema.ts'

/** Clients send whole local paths, too. */
const MAX_FILENAME = 4_096

export const beginMultipartUpload = endpoint({
  route: 'POST /upload/multipart',
  summary: 'Begin an upload in parts, for large files and unsteady lines',
  description:
    'Needs WRITE on the folder, or upload access through a clique; on a CDN folder READ and WRITE. Cut the file into parts of `part_bytes`; the ' +
    'last one has what is left, and an empty file is one empty part. Ask for URLs of the parts, put them in any order, several at a time, and ' +
    'complete the upload. It ends 7 days after the last part. With `md5` the answer tells of files that are there already, and the parts are ' +
    'compared with it at the end (on AWS up to 1 GiB). 409 `too_many_uploads` where you have 1,000 open ones.',
  access: 'user',
  idempotent: true,
  uses: { table: 'writeByChecksum', partUploads: 'begin' },
  body: z
    .object({
      folder: FolderIdJson,
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
    })
    .meta({ id: 'NewMultipartUpload' }),
  returns: z
    .object({
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
      existing: z.array(AnswerMediaId).optional().describe('with `md5`: files with it that the caller may READ'),
    })
    .meta({ id: 'MultipartUpload' }),
  refuses: ['forbidden', 'not found', 'conflict', 'too large'],
  async handle({ body: { folder, ...file }, settings, ...library }) {
    const maxBytes = Math.min(settings.maxUploadBytes, MAX_PARTS_BYTES)
    const { uploadId, parts, expires } = await beginPartUpload(library, folder, file, maxBytes)
    const existing = file.md5 === undefined ? undefined : ((await findByChecksum(library, [file.md5])).get(file.md5) ?? [])
    return {
      upload_id: uploadId,
      part_bytes: parts.partBytes,
      parts: partsOf(file.bytes).parts,
      expires: isoTime(expires * 1000),
      ...(existing && { existing }),
    }
  },
})

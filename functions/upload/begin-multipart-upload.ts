import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerMediaId } from '../../shared/http/declaration/fields.ts'
import { findByChecksum } from '../../shared/library/media/checksums.ts'
import { beginPartUpload } from '../../shared/library/uploads/part-uploads.ts'
import { MAX_PARTS_BYTES } from '../../shared/settings.ts'
import { destination, destinationOf, GOES_NOWHERE, goesSomewhere } from './destination-schema.ts'
import { announcedFile, begunJson, begunUpload } from './multipart-schema.ts'

export const beginMultipartUpload = endpoint({
  route: 'POST /upload/multipart',
  summary: 'Begin an upload in parts, for large files and unsteady lines',
  description:
    'Needs WRITE on the folder, or upload access through a clique; on a CDN folder READ and WRITE. With `replaces` it goes on as `POST /upload/register` ' +
    'says. One of `folder` and `replaces` is needed. Cut the file into parts of `part_bytes`; the ' +
    'last one has what is left, and an empty file is one empty part. Ask for URLs of the parts, put them in any order, several at a time, and ' +
    'complete the upload. It ends 7 days after the last part. With `md5` the answer tells of files that are there already, and the parts are ' +
    'compared with it at the end (on AWS up to 1 GiB). 409 `too_many_uploads` where you have 1,000 open ones, ' +
    "`quota_exceeded` where the company's quota has no room.",
  access: 'user',
  idempotent: true,
  conditional: true,
  uses: { table: 'writeByChecksum', partUploads: 'begin' },
  body: z
    .object({ ...destination, ...announcedFile })
    .refine(goesSomewhere, GOES_NOWHERE)
    .meta({ id: 'NewMultipartUpload', examples: [{ folder: 1843027, filename: 'harbour.mov', bytes: 3_221_225_472 }] }),
  returns: z
    .object({
      ...begunUpload,
      existing: z.array(AnswerMediaId).optional().describe('with `md5`: files with it that the caller may READ'),
    })
    .meta({ id: 'MultipartUpload' }),
  refuses: ['forbidden', 'not found', 'conflict', 'too large'],
  async handle({ body, settings, ...library }) {
    const { filename, bytes, md5 } = body
    const maxBytes = Math.min(settings.maxUploadBytes, MAX_PARTS_BYTES)
    const begun = await beginPartUpload(library, destinationOf(body), { filename, bytes, md5 }, maxBytes)
    const existing = md5 === undefined ? undefined : ((await findByChecksum(library, [md5])).get(md5) ?? [])
    return { ...begunJson(begun), ...(existing && { existing }) }
  },
})

import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { finishParts } from '../../shared/library/uploads/finish.ts'
import { CompletedMedia, CompleteUploadInput, uploadIdParam } from './multipart-schema.ts'

export const completeMultipartUpload = endpoint({
  route: 'POST /upload/multipart/{uploadId}/complete',
  summary: 'Make a file of the parts of an upload',
  description:
    'Needs the same right on the folder as to begin. Starts the import; poll `GET /media/{id}`. Completing again gives the same file. 409 ' +
    '`parts_missing` lists `parts` that have not arrived, 409 `part_in_flight` while one arrives, 409 `upload_finalizing` while the MD5 ' +
    'of a large file is being compared: complete again after `Retry-After`. 409 `quota_exceeded` where an upload that began before ' +
    "the company's quota finds no room: it is kept until `held_until`, and completed by itself when there is. " +
    '422 `size_mismatch` or `checksum_mismatch`: nothing becomes a ' +
    'file, and the parts stay for another try. The next version of a file is answered and refused as `GET /upload/finalize/{uploadId}` says; once it is ' +
    'refused the upload has ended: 410.',
  access: 'user',
  idempotent: true,
  uses: { table: 'write', partUploads: 'joinOrEnd', uploads: 'consume' },
  timeoutSeconds: 29,
  memoryMb: 1769,
  params: uploadIdParam,
  body: CompleteUploadInput,
  returns: CompletedMedia,
  refuses: ['forbidden', 'not found', 'conflict', 'gone', 'other version', 'mismatch'],
  async handle({ params, body, ...library }) {
    const { mediaId, unchanged } = await finishParts(library, params.uploadId, body.md5)
    return { media_id: mediaId, ...(unchanged && { unchanged }) }
  },
})

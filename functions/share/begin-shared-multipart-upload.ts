import * as z from 'zod'
import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { folderForSending } from '../../shared/library/shares/share.ts'
import { beginPartUpload } from '../../shared/library/uploads/part-uploads.ts'
import { MAX_PARTS_BYTES } from '../../shared/settings.ts'
import { notReplacing } from '../upload/destination-schema.ts'
import { announcedFile, begunJson, begunUpload } from '../upload/multipart-schema.ts'
import { secretParam } from './secret-param.ts'
import { sendingParts } from './visiting.ts'

export const beginSharedMultipartUpload = endpoint({
  route: 'POST /s/{secret}/upload/multipart',
  summary: 'Begin an upload in parts by a share link',
  description:
    'Into the shared folder, so it needs a link with `allow.upload`, and WRITE or UPLOAD of its maker: else 403. Goes on like `POST ' +
    "/upload/multipart`, below this address; of files that are there already it tells nothing. The file is the maker's, with `uploaded_via`. 409 " +
    '`share_full` where the link has no room for the file, or half of those that it takes are open from the same source; `quota_exceeded` where the company ' +
    'has none. Room is taken as URLs are handed out. 413 above the largest file, and above what may ' +
    'be sent by a link at all.',
  ...byShareLink,
  ...sendingParts,
  params: secretParam,
  body: z.object({ ...announcedFile, ...notReplacing }).meta({ id: 'NewSharedUpload' }),
  returns: z.object(begunUpload).meta({ id: 'SharedUpload' }),
  refuses: ['conflict', 'too large'],
  async handle({ body: { filename, bytes, md5 }, settings, sourceAddress, ...library }) {
    const maxBytes = Math.min(settings.maxUploadBytes, MAX_PARTS_BYTES, settings.shareMaxBytes)
    const sending = { limits: settings, sourceAddress }
    const folder = { folderId: folderForSending(library.share) }
    return begunJson(await beginPartUpload({ ...library, sending }, folder, { filename, bytes, md5 }, maxBytes))
  },
})

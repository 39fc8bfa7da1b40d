import * as z from 'zod'
import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint, LARGE_BODY_BYTES } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdJson, MediaIdJson } from '../../shared/http/declaration/fields.ts'
import { MAX_SELECTED } from '../../shared/library/zips/selection.ts'
import { requestSharedZip } from '../../shared/library/zips/shared.ts'
import { zipUrl } from '../../shared/library/zips/zip.ts'
import { ZipJob, zipJson } from '../zip/schema.ts'
import { secretParam } from './secret-param.ts'
import { zipping } from './visiting.ts'

export const createSharedZip = endpoint({
  route: 'POST /s/{secret}/zip',
  summary: 'Ask for a ZIP archive of what a share link shows',
  description:
    'Of the shared folder or one below it, of some files (`media_ids`), or of the shared files: of each what its download by the link gives, so with `allow.download` `preview` ' +
    'renditions and previews of videos, without the files that have neither. 403 where the link is to look at files alone. The answer is a job: poll ' +
    'it until it is DONE. It is FAILED where no file has a preview. Nobody gets an e-mail.',
  ...byShareLink,
  ...zipping,
  params: secretParam,
  body: z
    .strictObject({
      folder_id: FolderIdJson.optional().describe('by default the shared folder'),
      media_ids: z.array(MediaIdJson).min(1).max(MAX_SELECTED).optional().describe('some of the files that the link shows'),
    })
    .refine(({ folder_id, media_ids }) => folder_id === undefined || media_ids === undefined, {
      error: 'goes without media_ids',
      path: ['folder_id'],
    })
    .default({})
    .meta({ id: 'SharedZipInput', examples: [{}] }),
  maxBodyBytes: LARGE_BODY_BYTES,
  returns: ZipJob,
  refuses: ['conflict'],
  timeoutSeconds: 29,
  async handle({ body, requestId, ...library }) {
    const zip = await requestSharedZip(library, { folderId: body.folder_id, mediaIds: body.media_ids }, requestId)
    return zipJson(zip, await zipUrl(library, zip))
  },
})

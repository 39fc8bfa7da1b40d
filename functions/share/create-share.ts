import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdJson, MediaIdJson } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { shareUrl } from '../../shared/http/declaration/share-link.ts'
import { createShare as create } from '../../shared/library/shares/manage.ts'
import { MAX_SHARED_FILES } from '../../shared/library/shares/share.ts'
import type { MediaId } from '../../shared/vocabulary/ids.ts'
import { NewShare, shareJson, termsOf, termsOfShare } from './schema.ts'

/** Most ids in one call, those that come again included: each wrong one costs as much as a hundred good ones. */
const MAX_NAMED = 4 * MAX_SHARED_FILES

/** An id that comes twice counts once, also against the limit. */
const SharedMediaIds = documentedAs(
  z
    .array(MediaIdJson)
    .max(MAX_NAMED)
    .transform((ids) => [...new Set(ids)])
    .pipe(z.array(z.custom<MediaId>()).min(1).max(MAX_SHARED_FILES)),
  z.array(MediaIdJson).min(1).max(MAX_SHARED_FILES),
)

export const createShare = endpoint({
  route: 'POST /share',
  summary: 'Make a link to a folder or to files, for people without an account',
  description:
    'Name `folder_id` or `media_ids`, not both; an id that comes twice counts once, and files are of one company. The link shows what its maker may ' +
    'READ at the time, in the folder and below it. Needs READ on everything; 403 for a file that you have by a read-only copy alone, and for what lies ' +
    'in a trashcan. In a folder such files are left out. `allow.upload` needs a folder and WRITE or UPLOAD on it, and is 403 for a CDN folder. The ' +
    'address is shown here, and to its maker by `GET /share`. 409 `too_many_shares` where you have 1,000 links in the company.',
  access: 'user',
  uses: { table: 'write', apiSecretsKey: 'read' },
  idempotent: true,
  shownOnce: ['url'],
  body: z
    .object({
      folder_id: FolderIdJson.optional(),
      media_ids: SharedMediaIds.optional(),
      ...termsOfShare,
    })
    .refine(({ folder_id, media_ids }) => (folder_id === undefined) !== (media_ids === undefined), {
      error: 'needs folder_id or media_ids, not both',
      path: ['folder_id'],
    })
    .meta({ id: 'ShareInput', examples: [{ folder_id: 1843027, allow: { download: 'preview' } }] }),
  returns: NewShare,
  refuses: ['forbidden', 'not found', 'too many'],
  // Hashing a password needs processor time.
  memoryMb: 1024,
  async handle({ body, baseUrl, ...library }) {
    const { folder_id: folderId, media_ids: mediaIds, ...terms } = body
    const made = await create(library, { folderId, mediaIds }, termsOf(terms))
    return { ...shareJson(made), url: shareUrl(baseUrl, made.secret) }
  },
})

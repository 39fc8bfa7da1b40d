import * as z from 'zod'
import { endpoint, LARGE_BODY_BYTES } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { replaceFolders } from '../../shared/library/media/place.ts'
import { MAX_FOLDERS } from '../../shared/library/media/pointers.ts'
import { Membership, MembershipInput, membershipsJson } from './schema.ts'

export const replaceMediaFolders = endpoint({
  route: 'POST /media/{id}/folders',
  summary: 'Say which of the folders that the caller may write to hold the file; others are not touched',
  description:
    'Folders that the caller may not write to keep the file. Putting the file into a folder is copying it: that needs READ on the ' +
    'file and WRITE on the folder, and in a CDN folder what publishing takes. A file is in at most 1,000 folders. One request changes at most ' +
    '90 folders and links.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: MediaIdText },
  body: z.array(MembershipInput).max(MAX_FOLDERS),
  maxBodyBytes: LARGE_BODY_BYTES,
  returns: z.array(Membership),
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const { access } = library
    const wanted = body.map(({ group_id }) => group_id)
    const media = await replaceFolders(library, params.id, wanted)
    // Only callers with READ on a file learn its other folders.
    const readable = await access.hasOnMedia('READ', media)
    return membershipsJson(await (readable ? access.visibleAmong(media) : access.writableAmong(media)))
  },
})

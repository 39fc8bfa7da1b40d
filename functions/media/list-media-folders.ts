import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { mediaWith } from '../../shared/library/media/find.ts'
import { Membership, membershipsJson } from './schema.ts'

export const listMediaFolders = endpoint({
  route: 'GET /media/{id}/folders',
  summary: 'List the folders that hold a file, as far as the caller can see them',
  description: 'Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read' },
  params: { id: MediaIdText },
  returns: z.array(Membership),
  async handle({ params, ...library }) {
    const media = await mediaWith(library, 'READ', params.id)
    return membershipsJson(await library.access.visibleAmong(media))
  },
})

import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { mediaWith } from '../../shared/library/media/find.ts'
import { MediaParams, Membership, membershipsJson } from './schema.ts'

export const listMediaFolders = endpoint({
  route: 'GET /media/{id}/folders',
  summary: 'List the folders that hold a file, as far as the caller can see them',
  description: 'Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read' },
  params: MediaParams,
  returns: z.array(Membership),
  async handle({ params, caller, table }) {
    const access = new Access(table, caller)
    const media = await mediaWith('READ', table, access, params.id)
    return membershipsJson(await access.visibleAmong(media))
  },
})

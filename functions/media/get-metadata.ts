import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { metadataJson } from '../../shared/library/media/document.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { MediaParams, Metadata } from './schema.ts'

export const getMetadata = endpoint({
  route: 'GET /media/{id}/metadata',
  summary: 'Read the metadata of a file',
  description: 'Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read' },
  params: MediaParams,
  returns: Metadata,
  refuses: ['conflict'],
  async handle({ params, caller, table }) {
    return metadataJson(await availableMediaWith('READ', table, new Access(table, caller), params.id))
  },
})

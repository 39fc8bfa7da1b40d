import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { metadataJson } from '../../shared/library/media/document.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { Metadata } from './schema.ts'

export const getMetadata = endpoint({
  route: 'GET /media/{id}/metadata',
  summary: 'Read the metadata of a file',
  description: 'Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read' },
  params: { id: MediaIdText },
  returns: Metadata,
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    return metadataJson(await availableMediaWith(library, 'READ', params.id))
  },
})

import { endpoint } from '../../shared/http/endpoint.ts'
import { metadataJson } from '../../shared/library/media/document.ts'
import { editOneAs } from '../../shared/library/media/edit-as.ts'
import { MediaParams, Metadata, MetadataInput } from './schema.ts'

export const replaceMetadata = endpoint({
  route: 'POST /media/{id}/metadata',
  summary: 'Replace the metadata of a file',
  access: 'user',
  uses: { table: 'write' },
  params: MediaParams,
  body: MetadataInput,
  returns: Metadata,
  async handle({ params, body, ...by }) {
    const { editorial, adult_content: adultContent, keywords, title, description } = body
    return metadataJson(await editOneAs(by, params.id, () => ({ editorial, adultContent, keywords, title, description })))
  },
})

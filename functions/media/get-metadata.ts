import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { withVersion } from '../../shared/http/declaration/results.ts'
import { metadataJson } from '../../shared/library/media/document.ts'
import { available } from '../../shared/library/media/find.ts'
import { ownMedia, stockItemWith } from '../../shared/library/stock/stock-item.ts'
import { Metadata } from './schema.ts'

export const getMetadata = endpoint({
  route: 'GET /media/{id}/metadata',
  summary: 'Read the metadata of a file or of an item of the stock library',
  description:
    'Needs READ on a folder that holds the file. Items of the stock library are 404 for companies without the right to use it, and 503 ' +
    '`stock_unavailable` while it does not answer.',
  access: 'user or application',
  uses: { table: 'read', stock: 'read' },
  versioned: true,
  params: { id: MediaIdText },
  returns: Metadata,
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    const media = await ownMedia(library, params.id)
    if (!media) return metadataJson(await stockItemWith(library, params.id))
    await library.access.requireMedia('READ', media)
    return withVersion(media.version, metadataJson(available(media)))
  },
})

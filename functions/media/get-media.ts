import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { accepted, withVersion } from '../../shared/http/declaration/results.ts'
import { mediaJson, stockJson } from '../../shared/library/media/document.ts'
import { isAvailable } from '../../shared/library/media/media.ts'
import { ownMedia, stockItemWith } from '../../shared/library/stock/stock-item.ts'
import { ImportProgress, Media } from './schema.ts'

export const getMedia = endpoint({
  route: 'GET /media/{id}',
  summary: 'Read the document of a file or of an item of the stock library; 202 while a file is being imported',
  description:
    'Needs READ on a folder that holds the file; whoever uploaded it may follow the import without. While the file is being ' +
    'imported it answers 202 with the progress in percent; `delayed` says that an operator has to look after it. Items of the stock ' +
    'library have the type `stock`. Companies without the right to use that library get 404; while it does not answer, it is 503 ' +
    '`stock_unavailable`.',
  access: 'user or application',
  uses: { table: 'read', stock: 'read' },
  versioned: true,
  params: { id: MediaIdText },
  returns: Media,
  accepted: ImportProgress,
  async handle({ params, ...library }) {
    const { access, clock } = library
    const media = await ownMedia(library, params.id)
    if (!media) return stockJson(await stockItemWith(library, params.id), clock.now())
    // Uploaders follow the import of their files, also with UPLOAD alone.
    const isUploader = access.caller.kind === 'user' && access.caller.user.userId === media.uploadedBy
    if (!(isUploader && (await access.isContained(media)))) await access.requireMedia('READ', media)
    if (!isAvailable(media))
      return accepted({ status: media.delayed ? ('delayed' as const) : ('importing' as const), progress: media.progress })
    return withVersion(media.version, mediaJson(media, clock.now()))
  },
})

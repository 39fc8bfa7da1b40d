import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { sizedDownloadUrl } from '../../shared/library/media/delivery.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { renditionSizes } from '../../shared/library/media/media.ts'
import { attributedUser, DownloadLocation, DownloadQuery, downloadLocationJson } from './schema.ts'

export const getSizedDownloadLocation = endpoint({
  route: 'GET /media/{id}/download_location/{size}',
  summary: 'Get a URL, good for five minutes, from which one size of an image can be downloaded',
  description:
    'Sizes are pixels of the longest side, never more than the original has. 404 where the file has no picture to make a size of. ' +
    'Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read', urls: 'sign' },
  params: { id: MediaIdText, size: z.enum(renditionSizes) },
  query: DownloadQuery,
  returns: DownloadLocation,
  refuses: ['conflict'],
  async handle({ params, query, log, ...library }) {
    const media = await availableMediaWith(library, 'READ', params.id)
    const user = await attributedUser(library, query.user)
    log.info('download', { media: media.mediaId, size: params.size, attributedTo: user })
    return downloadLocationJson(await sizedDownloadUrl(library, media, params.size))
  },
})

import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { redirect } from '../../shared/http/results.ts'
import { thumbnailUrl } from '../../shared/library/media/delivery.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'

export const getPreview = endpoint({
  route: 'GET /media/{id}/download/preview',
  summary: 'Go to the 800px rendition of an image, or to the generic picture',
  description: 'Redirects to a URL that is good for a day. Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read', urls: 'sign' },
  params: { id: MediaIdText },
  also: ['redirect'],
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    const media = await availableMediaWith(library, 'READ', params.id)
    return redirect(await thumbnailUrl(library, media, '800px'))
  },
})

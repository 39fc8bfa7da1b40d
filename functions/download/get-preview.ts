import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { redirect } from '../../shared/http/results.ts'
import { findPreview, previewUrl } from '../../shared/library/encodings/preview.ts'
import { thumbnailUrl } from '../../shared/library/media/delivery.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'

export const getPreview = endpoint({
  route: 'GET /media/{id}/download/preview',
  summary: 'Go to the 800px rendition of an image, the preview of a video, or the generic picture',
  description:
    'Redirects to a URL that is good for a day. Until the preview of a video is made it is 409 `preview_pending`, and `Retry-After` says when ' +
    'to ask again. Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'write', urls: 'sign' },
  params: { id: MediaIdText },
  also: ['redirect'],
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    const media = await availableMediaWith(library, 'READ', params.id)
    const preview = await findPreview(library, media)
    return redirect(await (preview === undefined ? thumbnailUrl(library, media, '800px') : previewUrl(library, media, preview)))
  },
})

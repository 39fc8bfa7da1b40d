import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { redirect } from '../../shared/http/declaration/results.ts'
import { previewOf } from '../../shared/library/stock/preview.ts'

export const getPreview = endpoint({
  route: 'GET /media/{id}/download/preview',
  summary: 'Go to the 800px rendition of an image, the preview of a video, or the generic picture',
  description:
    'Redirects to a URL that is good for a day. Until the preview of a video is made it is 409 `preview_pending`, and `Retry-After` says when ' +
    'to ask again. Needs READ on a folder that holds the file. Of items of the stock library it is the picture that searches show, for ' +
    'companies that may use it.',
  access: 'user or application',
  uses: { table: 'write', urls: 'sign', stock: 'preview' },
  params: { id: MediaIdText },
  also: ['redirect'],
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    return redirect(await previewOf(library, params.id))
  },
})

import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { redirect } from '../../shared/http/declaration/results.ts'
import { finishForm } from '../../shared/library/uploads/finish.ts'
import { uploadedMedia } from './multipart-schema.ts'

export const finalizeUpload = endpoint({
  route: 'GET /upload/finalize/{uploadId}',
  summary: 'Finalize an upload: storage redirects here; the id in the path is all the authorization it needs',
  description:
    'Storage redirects here once the file is posted. Starts the import, and answers with the media id, or redirects to the ' +
    '`redirectURL` of the registration with the query `media_id`. Finalizing again gives the same file. 404 where the upload is ' +
    'unknown or its folder was deleted; 409 before anything was posted, and 409 ' +
    "`quota_exceeded` where the company's quota has no room: the file is kept until `held_until`, and becomes one of the library by itself " +
    'when there is room. The next version of a file is imported while the old one serves everything: poll `file_number`, or the files of `GET ' +
    '/media/{id}/files`. With the bytes that the file has it stays as it is (`unchanged`). It is refused, and what was posted is freed, without the right ' +
    'to replace the file, with 412 where it has another version than `if_version`, with 422 `media_type_differs` where what was posted is of another ' +
    '`media_type`, and with 409 `quota_exceeded`: it is never held. 409 `trashed` keeps it.',
  access: 'anyone',
  uses: { table: 'write', uploads: 'consume' },
  params: { uploadId: z.string().meta({ minLength: 1, examples: ['Zl8vQx2y'] }) },
  query: z.object({ key: z.string().optional().describe('added by storage: what was posted') }),
  returns: z.object(uploadedMedia).meta({ id: 'UploadedMedia' }),
  also: ['redirect'],
  timeoutSeconds: 29,
  refuses: ['forbidden', 'not found', 'conflict', 'other version', 'mismatch'],
  async handle({ params, query, ...library }) {
    const { redirectUrl, mediaId, unchanged } = await finishForm(library, params.uploadId, query.key)
    const said = { media_id: mediaId, ...(unchanged && { unchanged }) }
    return redirectUrl === undefined ? said : redirect(withQuery(redirectUrl, said))
  },
})

/** Joins text: `searchParams` would rewrite the client's own query (`%20` as `+`, `?flag` as `?flag=`), and break signed addresses. */
function withQuery(address: string, said: Readonly<Record<string, number | boolean>>): string {
  const url = new URL(address)
  const own = url.search.slice(1).split('&')
  const kept = own.filter((pair) => pair !== '' && !(pair.split('=', 1)[0]! in said))
  url.search = [...kept, ...Object.entries(said).map((pair) => pair.join('='))].join('&')
  return url.href
}

import * as z from 'zod'
import { endpoint, redirect } from '../../shared/http/endpoint.ts'
import { AnswerId } from '../../shared/http/fields.ts'
import { finalizeUpload as finalize } from '../../shared/library/uploads/uploads.ts'

export const finalizeUpload = endpoint({
  route: 'GET /upload/finalize/{uploadId}',
  summary: 'Finalize an upload: storage redirects here; the id in the path is all the authorization it needs',
  access: 'anyone',
  uses: { table: 'write', uploads: 'read' },
  params: z.object({ uploadId: z.string() }),
  query: z.object({ key: z.string().optional() }),
  returns: z.object({ media_id: AnswerId }),
  also: ['redirect'],
  async handle({ params, query, table, uploads, clock }) {
    const { mediaId, redirectUrl } = await finalize({ table, uploads, clock }, params.uploadId, query.key)
    return redirectUrl === undefined ? { media_id: mediaId } : redirect(withMediaId(redirectUrl, mediaId))
  },
})

function withMediaId(redirectUrl: string, mediaId: number): string {
  const url = new URL(redirectUrl)
  url.searchParams.set('media_id', String(mediaId))
  return url.href
}

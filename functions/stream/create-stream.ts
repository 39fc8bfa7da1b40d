import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { requestStream } from '../../shared/library/videos/streams.ts'

export const createStream = endpoint({
  route: 'POST /media/{id}/stream',
  summary: 'Ask for the public HLS stream of a video',
  description:
    'The stream is encoded in the background: poll `stream_url` until it is there, or wait for the e-mail. Everybody who knows its URL may ' +
    'watch it. A stream that is there or on its way stays as it is; one that could not be made is tried again. 400 (`not_a_video`) for any ' +
    'other file, 403 (`streaming_not_enabled`) where the company may make no streams. Needs WRITE on a folder that holds the file.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: MediaIdText },
  returns: z.object({ Status: z.literal('Created') }).meta({ id: 'StreamRequest' }),
  refuses: ['forbidden'],
  async handle({ params, requestId, ...library }) {
    await requestStream(library, params.id, requestId)
    return { Status: 'Created' as const }
  },
})

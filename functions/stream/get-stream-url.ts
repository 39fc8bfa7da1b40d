import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { streamUrl } from '../../shared/library/videos/objects.ts'
import { availableStream } from '../../shared/library/videos/streams.ts'

export const getStreamUrl = endpoint({
  route: 'GET /media/{id}/metadata/stream_url',
  summary: 'Get the URL of the HLS playlist of a video',
  description:
    'The URL is public, and stays the same. 404 until there is a stream: `stream_not_found` where it was never asked for or is still being ' +
    'encoded, `stream_failed` where it could not be made. Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read' },
  params: { id: MediaIdText },
  returns: z
    .object({
      Stream: z.string().meta({
        format: 'uri',
        description: 'HLS playlist',
        examples: ['https://cdn.example.com/streams/2f1c8a4be09d47c3a6f5b1d07e93c284/index.m3u8'],
      }),
    })
    .meta({ id: 'StreamUrl' }),
  async handle({ params, settings, ...library }) {
    const { encodingId } = await availableStream(library, params.id)
    return { Stream: streamUrl(settings, encodingId) }
  },
})

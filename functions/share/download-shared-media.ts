import * as z from 'zod'
import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { downloadShared } from '../../shared/library/shares/download.ts'
import { writing } from '../download/schema.ts'
import { secretParam } from './secret-param.ts'

export const downloadSharedMedia = endpoint({
  route: 'GET /s/{secret}/media/{id}/download',
  summary: 'Get a URL, good for five minutes, from which a file that a share link shows can be downloaded',
  description:
    'What `allow.download` of the link gives: the file, or its rendition of 1,600 pixels or the preview of a video, 404 where it has neither. 403 ' +
    'where the link is to look at files alone. 409 `preview_pending` or `download_pending` while it is being made, and `Retry-After` says when to ask again.',
  ...byShareLink,
  ...writing,
  params: { ...secretParam, id: MediaIdText },
  returns: z
    .object({
      url: z.string().meta({
        format: 'uri',
        description: 'good for five minutes',
        examples: ['https://files.example.com/original/902114?Signature=MEUCIQD'],
      }),
    })
    .meta({ id: 'SharedDownload' }),
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    return { url: await downloadShared(library, params.id) }
  },
})

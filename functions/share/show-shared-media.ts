import * as z from 'zod'
import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { findPreview, previewUrl } from '../../shared/library/downloads/download.ts'
import { thumbnailUrl } from '../../shared/library/media/delivery.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { posterUrls } from '../../shared/library/videos/streams.ts'
import { secretParam } from './secret-param.ts'
import { fileJson, SharedFile } from './shared-schema.ts'
import { visiting } from './visiting.ts'

export const showSharedMedia = endpoint({
  route: 'GET /s/{secret}/media/{id}',
  summary: 'Look at a file that a share link shows',
  description:
    'The file with the address of a large picture and, of a video, of its preview, to play it: both good for a day, and no downloads. Until the ' +
    'preview of a video is made it is 409 `preview_pending`, and `Retry-After` says when to ask again.',
  ...byShareLink,
  ...visiting,
  params: { ...secretParam, id: MediaIdText },
  returns: SharedFile.extend({
    video_url: z
      .string()
      .nullable()
      .meta({
        format: 'uri',
        description: 'plays a video; null for other files',
        examples: ['https://files.example.com/preview.mp4?Signature=MEUCIQD'],
      }),
  }).meta({ id: 'ShownFile' }),
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    const media = await availableMediaWith(library, 'READ', params.id)
    const preview = await findPreview(library, media)
    const pictures = {
      thumbnailUrl: await thumbnailUrl(library, media, '1600px'),
      posterUrl: (await posterUrls(library, [media])).get(media.mediaId),
    }
    return { ...fileJson(media, pictures), video_url: preview === undefined ? null : await previewUrl(library, media, preview) }
  },
})

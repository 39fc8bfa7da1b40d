import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerMediaId, AnswerTime, CompanyIdText, FolderIdText, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { cdnFolder, findLink, linkUrl } from '../../shared/library/links/find-links.ts'
import { stateChanged, stateOf } from '../../shared/library/media/link.ts'
import { timestamp } from '../../shared/library/time.ts'

export const getLink = endpoint({
  route: 'GET /cdn/{company}/folder/{folder}/link/{media}',
  summary: 'Read the link of a file in a CDN folder',
  description: 'Needs READ on the CDN folder. 404 where nothing is linked under the id.',
  access: 'user',
  uses: { table: 'read' },
  params: { company: CompanyIdText, folder: FolderIdText, media: MediaIdText },
  returns: z
    .object({
      media_id: AnswerMediaId,
      url: z
        .string()
        .nullable()
        .meta({
          format: 'uri',
          description: 'null until the import has found out the extension',
          examples: ['https://cdn.example.com/press/2f1c8a4be09d47c3a6f5b1d07e93c284.jpg'],
        }),
      state: z
        .enum(['queued', 'active', 'replacing'])
        .describe('`queued` until it can be fetched; `replacing` until all edges serve the new file; else `active`'),
      changed: AnswerTime.describe('when the state changed last'),
    })
    .meta({ id: 'CdnLink' }),
  refuses: ['forbidden'],
  async handle({ params, settings, ...library }) {
    const folder = await cdnFolder(library, params.company, params.folder)
    const { link, media, extension } = await findLink(library, folder, params.media)
    return {
      media_id: params.media,
      url: extension === undefined ? null : linkUrl(settings, { ...link, extension }),
      state: stateOf(link, media),
      changed: timestamp(stateChanged(link, media)),
    }
  },
})

import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { FolderIdText } from '../../shared/http/fields.ts'
import { byShareLink } from '../../shared/http/middleware/open-share.ts'
import { wholeNumber } from '../../shared/http/query.ts'
import { posterUrls } from '../../shared/library/encodings/streams.ts'
import { thumbnailUrl } from '../../shared/library/media/delivery.ts'
import { sharedPage } from '../../shared/library/shares/contents.ts'
import { renditionSizes } from '../../shared/vocabulary/rendition-size.ts'
import { shownTerms, termsJson } from './schema.ts'
import { secretParam } from './secret-param.ts'
import { fileJson, folderJson, SharedFile, SharedFolder } from './shared-schema.ts'
import { visiting } from './visiting.ts'

/** Files in an answer, at most and by default; and files that a page may begin behind. */
const [MAX_FILES, DEFAULT_FILES, MAX_OFFSET] = [500, 200, 1_000_000]

export const listShared = endpoint({
  route: 'GET /s/{secret}/contents',
  summary: 'See what a share link shows: a folder with its subfolders, or files',
  description:
    'Without `folder_id` the shared folder, or the shared files in the order in which they were named; files of a folder come by name. Nothing but ' +
    'what lies in the shared folder can be named: all else is 404. What the maker may READ no more, or has by a read-only copy, is left out, so a page ' +
    'may hold fewer files than `count`: go on at `next` until there is none.',
  ...byShareLink,
  ...visiting,
  params: secretParam,
  query: z.object({
    folder_id: FolderIdText.optional(),
    offset: wholeNumber(0, MAX_OFFSET).default(0).describe('where the page begins: `next` of the page before'),
    count: wholeNumber(1, MAX_FILES).default(DEFAULT_FILES).describe('most files of the answer'),
    thumbnail_size: z.enum(renditionSizes).default('320px'),
  }),
  returns: z
    .object({
      ...shownTerms,
      path: z.array(SharedFolder).describe('from the shared folder to this one; empty where files are shared'),
      folders: z.array(SharedFolder).describe('those in this one, by name'),
      files: z.array(SharedFile),
      next: z
        .number()
        .int()
        .nullable()
        .meta({ minimum: 0, description: '`offset` of the next page; null behind the last', examples: [200] }),
    })
    .meta({ id: 'SharedContents' }),
  askForLess: 'Ask for less: `count`.',
  refuses: ['not ready'],
  timeoutSeconds: 29,
  memoryMb: 1769,
  temporaryMb: 10_240,
  async handle({ query, ...library }) {
    const { folder_id: folderId, offset, count: limit, thumbnail_size: size } = query
    const { path, folders, files, next } = await sharedPage(library, { folderId, offset, limit })
    const [thumbnails, posters] = await Promise.all([
      Promise.all(files.map((media) => thumbnailUrl(library, media, size))),
      posterUrls(library, files),
    ])
    return {
      ...termsJson(library.share),
      path: path.map(folderJson),
      folders: folders.map(folderJson),
      files: files.map((media, n) => fileJson(media, { thumbnailUrl: thumbnails[n]!, posterUrl: posters.get(media.mediaId) })),
      next: next ?? null,
    }
  },
})

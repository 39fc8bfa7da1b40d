import * as z from 'zod'
import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { flag, wholeNumber } from '../../shared/http/declaration/query.ts'
import { thumbnailUrl } from '../../shared/library/media/delivery.ts'
import type { AvailableMedia } from '../../shared/library/media/media.ts'
import { sharedPage } from '../../shared/library/shares/contents.ts'
import { posterUrls } from '../../shared/library/videos/streams.ts'
import { renditionSizes } from '../../shared/vocabulary/rendition-size.ts'
import { shownTerms, termsJson } from './schema.ts'
import { secretParam } from './secret-param.ts'
import { fileJson, folderJson, SharedFile, SharedFolder, SharedSubfolder, subfolderJson } from './shared-schema.ts'
import { visiting } from './visiting.ts'

/** Files in an answer, at most and by default; and files that a page may begin behind. */
const [MAX_FILES, DEFAULT_FILES, MAX_OFFSET] = [500, 200, 1_000_000]

const count = z
  .number()
  .int()
  .meta({ minimum: 0, examples: [12] })

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
    recursive: flag().default(false).describe('with the files of all folders below it, each once'),
    offset: wholeNumber(0, MAX_OFFSET).default(0).describe('where the page begins: `next` of the page before'),
    count: wholeNumber(1, MAX_FILES).default(DEFAULT_FILES).describe('most files of the answer'),
    thumbnail_size: z.enum(renditionSizes).default('320px'),
  }),
  returns: z
    .object({
      ...shownTerms,
      maker: z
        .string()
        .meta({ examples: ['Anna Berg'] })
        .describe('full name of whoever made the link'),
      path: z.array(SharedFolder).describe('from the shared folder to this one; empty where files are shared'),
      folders: z.array(SharedSubfolder).describe('those in this one, by name'),
      files: z.array(SharedFile),
      file_count: count.describe('files of this folder, of all pages'),
      files_below: count.nullable().describe('with those in subfolders, each once; null but for the first page'),
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
    const { folder_id: folderId, recursive, offset, count: limit, thumbnail_size: size } = query
    const { path, folders, files, total, below, next } = await sharedPage(library, { folderId, recursive, offset, limit })
    const pictureOf = (media: AvailableMedia) =>
      media.kind === 'video' ? posterUrls(library, [media]).then((urls) => urls.get(media.mediaId)) : thumbnailUrl(library, media, size)
    const [thumbnails, posters, covers] = await Promise.all([
      Promise.all(files.map((media) => thumbnailUrl(library, media, size))),
      posterUrls(library, files),
      Promise.all(folders.map(({ cover }) => cover && pictureOf(cover))),
    ])
    return {
      ...termsJson(library.share),
      maker: library.access.caller.user.fullname,
      path: path.map(folderJson),
      folders: folders.map((each, n) => subfolderJson(each, covers[n])),
      files: files.map((media, n) => fileJson(media, { thumbnailUrl: thumbnails[n]!, posterUrl: posters.get(media.mediaId) })),
      file_count: total,
      files_below: below ?? null,
      next: next ?? null,
    }
  },
})

import * as z from 'zod'
import { AnswerFolderId, AnswerMediaId, AnswerPixels, answerText } from '../../shared/http/declaration/fields.ts'
import { inLanguage } from '../../shared/library/media/languages.ts'
import type { AvailableMedia } from '../../shared/library/media/media.ts'
import type { SharedSubfolder as SharedSubfolderFound } from '../../shared/library/shares/contents.ts'
import type { FolderRecord } from '../../shared/library/tree/folder.ts'
import { mediaKinds } from '../../shared/vocabulary/media-kind.ts'

const pictureUrl = z.string().meta({ format: 'uri', examples: ['https://files.example.com/renditions/902114?Signature=MEUCIQD'] })

export const SharedFolder = z.object({ id: AnswerFolderId, name: z.string().meta({ examples: ['Harbour'] }) }).meta({ id: 'SharedFolder' })

export const SharedSubfolder = SharedFolder.extend({
  file_count: z
    .number()
    .int()
    .nullable()
    .meta({
      minimum: 0,
      description: 'files below it, each once; null where it was not looked at: with the first page, of 200 folders, it is',
      examples: [12],
    }),
  cover_url: pictureUrl.nullable().describe('a picture of what is below it, good for a day; null where there is none'),
}).meta({ id: 'SharedSubfolder' })

export const SharedFile = z
  .object({
    id: AnswerMediaId,
    filename: z.string().meta({ examples: ['harbour.jpg'] }),
    title: answerText('The harbour at dawn').describe('in English, else in another language'),
    description: answerText('Fishing boats before sunrise'),
    byline: answerText('Anna Berg'),
    copyright: answerText('Example Ltd'),
    media_type: z.enum(mediaKinds),
    file_mimetype: z.string().meta({ examples: ['image/jpeg'] }),
    file_disksize: z
      .number()
      .int()
      .meta({ minimum: 0, description: 'bytes', examples: [4_194_304] }),
    width: AnswerPixels,
    height: AnswerPixels,
    thumbhash: z
      .string()
      .nullable()
      .meta({ description: 'a ThumbHash of its picture in base64; null where there is none', examples: ['1QcSHQRnh493V4dIh4eXh1h4kJUI'] }),
    thumbnail_url: pictureUrl.describe('good for a day'),
    poster_url: pictureUrl.nullable().describe('a frame of a video; null for what has none'),
  })
  .meta({ id: 'SharedFile' })

export const folderJson = ({ folderId, name }: FolderRecord): z.input<typeof SharedFolder> => ({ id: folderId, name })

export const subfolderJson = ({ folder, count }: SharedSubfolderFound, coverUrl: string | undefined): z.input<typeof SharedSubfolder> => ({
  ...folderJson(folder),
  file_count: count ?? null,
  cover_url: coverUrl ?? null,
})

export function fileJson(
  media: AvailableMedia,
  pictures: { thumbnailUrl: string; posterUrl: string | undefined },
): z.input<typeof SharedFile> {
  return {
    id: media.mediaId,
    filename: media.filename,
    title: inLanguage(media.title, 'en') ?? null,
    description: inLanguage(media.description, 'en') ?? null,
    byline: media.byline,
    copyright: media.copyright,
    media_type: media.kind,
    file_mimetype: media.mime,
    file_disksize: media.bytes,
    width: media.width,
    height: media.height,
    thumbhash: media.thumbhash ?? null,
    thumbnail_url: pictures.thumbnailUrl,
    poster_url: pictures.posterUrl ?? null,
  }
}

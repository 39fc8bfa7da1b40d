import * as z from 'zod'
import {
  AnswerFileNumber,
  AnswerIsoTime,
  AnswerMediaId,
  AnswerPixels,
  AnswerUserId,
  answerText,
} from '../../shared/http/declaration/fields.ts'
import { isoTime } from '../../shared/library/time.ts'
import type { FileEntry } from '../../shared/library/versions/entry.ts'

/** A file that a media record has, had, or is to have. */
export const MediaFile = z
  .object({
    number: AnswerFileNumber.nullable().describe('null while it imports: it is given when the import ends, and never used again'),
    current: z.boolean().describe('whether it is what the media record shows'),
    state: z.enum(['available', 'importing', 'failed']),
    filename: z.string().meta({ examples: ['harbour.jpg'] }),
    file_mimetype: answerText('image/jpeg').describe('null for what is not imported'),
    file_disksize: z
      .number()
      .int()
      .meta({ minimum: 0, description: 'bytes', examples: [4_194_304] }),
    file_md5: answerText('9e107d9d372bb6826bd81d3542a419d6').describe('null for what is not imported'),
    width: AnswerPixels,
    height: AnswerPixels,
    created: AnswerIsoTime,
    uploaded_by: AnswerUserId.describe('who made this number of it'),
    comment: answerText('The retouched one'),
    pinned: z.boolean().describe('whether it is kept for ever'),
    preview_url: z
      .string()
      .nullable()
      .meta({
        format: 'uri',
        description: 'a picture of at most 800 pixels, good for a day or until the number is deleted; null where there is none',
        examples: ['https://files.example.com/renditions/902114?Signature=MEUCIQD'],
      }),
  })
  .meta({ id: 'MediaFile' })

export function fileJson({ number, current, state, filename, bytes, facts, ...entry }: FileEntry): z.input<typeof MediaFile> {
  const { mime = null, md5 = null, width = null, height = null } = facts ?? {}
  return {
    ...{ number, current, state, filename },
    ...{ file_mimetype: mime, file_disksize: bytes, file_md5: md5, width, height },
    created: isoTime(entry.created),
    uploaded_by: entry.uploadedBy,
    comment: entry.comment,
    pinned: entry.pinned,
    preview_url: entry.preview,
  }
}

/** The answer where the current file has the wanted bytes already. */
export const UnchangedFile = z
  .object({ media_id: AnswerMediaId, unchanged: z.literal(true).describe('these are the bytes of the current file already') })
  .meta({ id: 'UnchangedFile' })

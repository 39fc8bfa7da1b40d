import * as z from 'zod'
import { AnswerFolderId, AnswerIsoTime, AnswerMediaId, AnswerUserId, answerText, text } from '../../shared/http/declaration/fields.ts'
import { shareUrl } from '../../shared/http/declaration/share-link.ts'
import { type CountedShare, type ShareTerms, secretForMaker } from '../../shared/library/shares/manage.ts'
import { type ShareRecord, shareDownloads } from '../../shared/library/shares/share.ts'
import { isoTime } from '../../shared/library/time.ts'
import type { SharedUpload } from '../../shared/library/uploads/shared-uploads.ts'
import { NewPassword } from '../auth/new-password.ts'

export const shareIdParam = {
  shareId: z
    .string()
    .max(64)
    .meta({ examples: ['k3Jd0vX2Tq6wYpZ9aBcDeQ'] }),
}

const Expires = z.iso
  .datetime({ offset: true, error: 'must be a time like 2030-05-17T10:00:00Z' })
  .transform((time) => Date.parse(time))
  .meta({ type: 'string', format: 'date-time', examples: ['2030-05-17T10:00:00Z'] })

const Allow = z
  .strictObject({
    download: z
      .enum(shareDownloads)
      .optional()
      .describe(
        'nothing, renditions of at most 1,600 pixels and previews of films, or the files themselves; `none` where a new link says nothing',
      ),
    upload: z.boolean().optional().describe('whether people may send files into the folder'),
  })
  .meta({ id: 'ShareAllowInput', examples: [{ download: 'preview' }] })

/** The terms of a link, when it is made and when it is changed. */
export const termsOfShare = {
  expires: Expires.nullish().describe('when it ends; null for never'),
  password: NewPassword.nullish().describe('what people must know besides the address; null takes it away'),
  allow: Allow.optional(),
  title: text(255)
    .nullish()
    .meta({ examples: ['Press pictures'] }),
  message: text(2_000)
    .nullish()
    .meta({ examples: ['For your article on the harbour.'] }),
}

type Terms = z.output<z.ZodObject<typeof termsOfShare>>

export const termsOf = ({ allow, ...terms }: Terms): ShareTerms => ({ ...terms, ...allow })

const use = z
  .number()
  .int()
  .meta({ minimum: 0, examples: [12] })

/** The terms that its maker and its visitors are shown. */
export const shownTerms = {
  title: answerText('Press pictures'),
  message: answerText('For your article on the harbour.'),
  expires: AnswerIsoTime.nullable(),
  allow: z.object({ download: z.enum(shareDownloads), upload: z.boolean() }),
}

const bytes = z.number().int().min(0)

const OpenUploads = z.array(
  z.object({
    upload_id: z.string().meta({ examples: ['Zl8vQx2yT0d5m8h1rW3kq9uB7cYfGjA4sNePzLxKvVo'] }),
    filename: answerText('harbour.mov').describe('null of a form, which names its file when it is posted'),
    bytes: bytes.nullable().meta({ description: 'size of the file; null of a form', examples: [3_221_225_472] }),
    reserved_bytes: bytes.meta({
      description:
        'what it takes of the limits of the link and of the quota: what has arrived, and what the URLs that were handed out may bring',
      examples: [134_217_728],
    }),
    expires: AnswerIsoTime.describe('when it ends where nothing more comes'),
  }),
)

export const Share = z
  .object({
    id: z.string().meta({ examples: ['k3Jd0vX2Tq6wYpZ9aBcDeQ'] }),
    folder_id: AnswerFolderId.nullable(),
    media_ids: z.array(AnswerMediaId).nullable().describe('null where a folder is shared'),
    ...shownTerms,
    has_password: z.boolean(),
    created: AnswerIsoTime,
    user_id: AnswerUserId.describe('the maker: the link shows what they may READ'),
    visits: use.describe('by how many browsers its page was opened'),
    downloads: use,
    uploads: use.describe('files that were sent by it'),
    url: z
      .string()
      .optional()
      .meta({
        format: 'uri',
        description: 'the address to give away, for its maker alone: absent for others',
        examples: ['https://media.example.com/s/hT6nWc2Rk8Vq4Ym0Zp9Lx5Ds1Bf7Gj3Ka0Qe6Ut8Iow'],
      }),
    open_uploads: OpenUploads.optional().describe(
      'what is being sent by it, in the order in which it ends: of a single link that is asked for',
    ),
  })
  .meta({ id: 'ShareLink' })

/** A link with the address that was made for it now. */
export const NewShare = Share.extend({
  url: z
    .string()
    .optional()
    .meta({
      format: 'uri',
      description: 'the address to give away; absent in the answer to a repeated request',
      examples: ['https://media.example.com/s/hT6nWc2Rk8Vq4Ym0Zp9Lx5Ds1Bf7Gj3Ka0Qe6Ut8Iow'],
    }),
}).meta({ id: 'NewShareLink' })

/** What `shownTerms` shows of a link. */
export function termsJson({ title, message, expires, download, upload }: ShareRecord) {
  return { title, message, expires: expires === undefined ? null : isoTime(expires), allow: { download, upload } }
}

export function shareJson({ share, counts }: CountedShare): z.input<typeof Share> {
  const { shareId, folderId, mediaIds, passwordHash, created, userId } = share
  return {
    id: shareId,
    folder_id: folderId ?? null,
    media_ids: mediaIds ?? null,
    ...termsJson(share),
    has_password: passwordHash !== undefined,
    created: isoTime(created),
    user_id: userId,
    visits: counts.visits,
    downloads: counts.downloads,
    uploads: counts.uploads,
  }
}

/** A link as it is shown to the caller: to its maker with its address. */
export async function shownShareJson(library: Parameters<typeof secretForMaker>[0], baseUrl: string, counted: CountedShare) {
  const secret = await secretForMaker(library, counted.share)
  return { ...shareJson(counted), ...(secret !== undefined && { url: shareUrl(baseUrl, secret) }) }
}

export function sharedUploadJson({ upload, reservation }: SharedUpload): z.input<typeof OpenUploads>[number] {
  const inParts = 'parts' in upload ? upload : undefined
  return {
    upload_id: upload.uploadId,
    filename: inParts?.filename ?? null,
    bytes: inParts?.parts.bytes ?? null,
    reserved_bytes: reservation.bytes,
    expires: isoTime(upload.expires * 1000),
  }
}

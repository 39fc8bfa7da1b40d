import * as z from 'zod'
import { UserIdText } from '../../shared/http/fields.ts'
import { shownAs } from '../../shared/http/shown-as.ts'
import type { AuthorizedReading, AuthorizedWriting } from '../../shared/library/access/access.ts'
import { findUser, isMemberOf } from '../../shared/library/accounts/users.ts'
import { logDownload } from '../../shared/library/downloads/log.ts'
import { Invalid } from '../../shared/library/errors.ts'
import type { AvailableMedia } from '../../shared/library/media/media.ts'
import type { UserId } from '../../shared/library/vocabulary/ids.ts'
import type { RenditionSize } from '../../shared/library/vocabulary/rendition-size.ts'

/** Longest description of a download, in characters. */
const MAX_DOWNLOAD_INFO = 10_000

export const DownloadQuery = z.object({
  download_info: shownAs(z.string().max(MAX_DOWNLOAD_INFO).refine(isJson, 'must be JSON'), {
    contentMediaType: 'application/json',
    examples: [{ purpose: 'annual report' }],
  })
    .optional()
    .describe(`JSON that describes the download, at most ${MAX_DOWNLOAD_INFO} characters`),
  user: UserIdText.optional().describe('user whom the download is attributed to'),
})

const DeliveryUrl = z
  .string()
  .meta({ format: 'uri', description: 'good for five minutes', examples: ['https://files.example.com/original/1843027?Signature=MEUCIQD'] })

export const DownloadLocation = z
  .object({
    method: z.literal('GET'),
    url: DeliveryUrl,
    internal_elb_url: DeliveryUrl.describe('to be ignored'),
    metadata_written: z
      .literal(false)
      .optional()
      .describe("where a JPEG, PNG or TIFF could not be written, so that it is delivered without the library's metadata; otherwise absent"),
  })
  .meta({ id: 'DownloadLocation' })

export function downloadLocationJson(url: string, metadataWritten: boolean): z.input<typeof DownloadLocation> {
  return { method: 'GET', url, internal_elb_url: url, ...(metadataWritten ? {} : { metadata_written: false }) }
}

/** What functions have in common that write metadata into what they offer: ExifTool needs a whole processor, and room for two files of 100 MB. */
export const writing = {
  uses: { table: 'write', media: 'write', exiftool: 'use', urls: 'sign' },
  timeoutSeconds: 29,
  memoryMb: 1769,
} as const

/** Logs a download beside the work on its answer. @returns what that work gives */
export async function logged<Answer>(
  library: AuthorizedWriting,
  media: AvailableMedia,
  { size, user, info }: { size: RenditionSize | null; user: UserId | undefined; info: string | undefined },
  answer: Promise<Answer>,
): Promise<Answer> {
  const { caller } = library.access
  const keyId = caller.kind === 'application' ? caller.key.keyId : caller.keyId
  const entry = { size, userId: user ?? null, keyId: keyId ?? null, info: info ?? null }
  const [answered] = await Promise.all([answer, logDownload(library, media, entry)])
  return answered
}

/**
 * The user to whom a download is attributed: the caller, or the user of its company whom an application names.
 * @throws Invalid for any other user
 */
export async function attributedUser(
  { table, access: { caller } }: AuthorizedReading,
  named: UserId | undefined,
): Promise<UserId | undefined> {
  if (caller.kind === 'user') return caller.user.userId
  if (named === undefined) return undefined
  const user = await findUser({ table }, named)
  if (!user || !isMemberOf(user, caller.key.companyId))
    throw new Invalid({ path: 'user', message: 'must be a user of the company of the key' })
  return named
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

import * as z from 'zod'
import { UserIdText } from '../../shared/http/fields.ts'
import { shownAs } from '../../shared/http/shown-as.ts'
import type { AuthorizedReading } from '../../shared/library/access/access.ts'
import { findUser, isMemberOf } from '../../shared/library/accounts/users.ts'
import { Invalid } from '../../shared/library/errors.ts'
import type { UserId } from '../../shared/library/vocabulary/ids.ts'

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
  .object({ method: z.literal('GET'), url: DeliveryUrl, internal_elb_url: DeliveryUrl.describe('to be ignored') })
  .meta({ id: 'DownloadLocation' })

export function downloadLocationJson(url: string): z.input<typeof DownloadLocation> {
  return { method: 'GET', url, internal_elb_url: url }
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

import type { UrlSigner } from '../../backends/edge/port.ts'
import type { Mail } from '../../backends/mail/port.ts'
import type { Settings } from '../../settings.ts'
import { recipientOf, type Unmailed } from '../accounts/recipient.ts'
import { mailBrand } from '../brands/brand.ts'
import type { Writing } from '../library.ts'
import { renderEmail } from '../mail/email.ts'
import { timestamp } from '../time.ts'
import { changeZip, findZip, zipUrl } from './zip.ts'

interface Mailing extends Writing {
  mail: Mail
  urls: UrlSigner
  settings: Pick<Settings, 'brand'>
}

/**
 * Mails the requester that a zip is ready. Idempotent, except after a crash between the mail and its record. Applications get no mail.
 * @throws MailUnavailable, InvalidEmail
 */
export async function mailZip(library: Mailing, jobId: string): Promise<Unmailed | undefined> {
  const zip = await findZip(library, jobId)
  if (zip?.state !== 'DONE' || zip.mailed || zip.requester.kind !== 'user') return undefined
  const link = await zipUrl(library, zip)
  if (link === undefined || zip.validUntil! * 1000 <= library.clock.now()) return undefined
  const { userId } = zip.requester
  const recipient = await recipientOf(library, userId)
  if (!recipient || 'reason' in recipient) return recipient
  const { to, fullname } = recipient
  const { requestId, validUntil, listing } = zip
  const paragraphs = [
    `Hello ${fullname},`,
    `${zip.selection ? 'your selection' : 'the folder'} “${listing!.folderName}” is ready to be downloaded as a ZIP archive.`,
    { text: 'Download the archive', link },
    `The link works for everybody who has it, until ${timestamp(validUntil! * 1000)} UTC.`,
  ]
  const brand = await mailBrand(library, zip.companyId)
  await library.mail.send(renderEmail({ to, subject: `Your download: ${listing!.folderName}`, paragraphs, brand, requestId }))
  await changeZip(library, zip, { mailed: true })
  return undefined
}

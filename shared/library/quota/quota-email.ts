import type { Mail } from '../../backends/mail/port.ts'
import type { Settings } from '../../settings.ts'
import { findCompany } from '../accounts/companies.ts'
import { recipientOf, type Unmailed } from '../accounts/recipient.ts'
import { requestOf } from '../actor.ts'
import { mailBrand } from '../brands/brand.ts'
import type { Reading } from '../library.ts'
import { renderEmail } from '../mail/email.ts'
import type { MailInput } from '../mail/job.ts'
import { type QuotaRecord, quotaKey } from './steps.ts'

interface Mailing extends Reading {
  mail: Mail
  settings: Pick<Settings, 'brand'>
}

type QuotaMail = Extract<MailInput, { quota: unknown }>

/**
 * Tells an admin by mail how full their company's quota is. Sends nothing if it is below `percent` again.
 * @throws MailUnavailable, InvalidEmail
 */
export async function mailQuota(library: Mailing, { quota: companyId, percent, userId }: QuotaMail): Promise<Unmailed | undefined> {
  const [company, reached] = await Promise.all([findCompany(library, companyId), library.table.get<QuotaRecord>(quotaKey(companyId))])
  if (!company || !reached || reached.percent < percent) return undefined
  const recipient = await recipientOf(library, userId)
  if (!recipient || 'reason' in recipient) return recipient
  const { to, fullname } = recipient
  const paragraphs = [
    `Hello ${fullname},`,
    `the files of ${company.name} take ${reached.bytes} of ${reached.quotaBytes} bytes, trash and uploads under way included.`,
    percent === 100
      ? 'Uploads that find no room are kept for 7 days, and become files by themselves when there is some.'
      : 'When all is taken, uploads find no room any more.',
    'Empty trashcans and delete files to make room, or ask the operator for more.',
  ]
  const subject = percent === 100 ? `The storage of ${company.name} is full` : `${percent} % of the storage of ${company.name} are taken`
  const requestId = requestOf(reached.by).requestId ?? reached.by.kind
  await library.mail.send(renderEmail({ to, subject, paragraphs, brand: await mailBrand(library, companyId), requestId }))
  return undefined
}

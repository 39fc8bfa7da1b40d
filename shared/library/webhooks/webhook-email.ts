import type { Mail } from '../../backends/mail/port.ts'
import type { Settings } from '../../settings.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { recipientOf, type Unmailed } from '../accounts/recipient.ts'
import { requestOf } from '../actor.ts'
import { mailBrand } from '../brands/brand.ts'
import type { Reading } from '../library.ts'
import { renderEmail } from '../mail/email.ts'
import { type WebhookRecord, webhookKey } from './webhook.ts'

interface Mailing extends Reading {
  mail: Mail
  settings: Pick<Settings, 'brand'>
}

/** Mails an admin that a webhook was disabled, unless it is enabled again or gone. @throws MailUnavailable, InvalidEmail */
export async function mailWebhook(
  library: Mailing,
  companyId: CompanyId,
  { webhook: webhookId, userId, why }: { webhook: string; userId: UserId; why: 'gone' | 'failing' },
): Promise<Unmailed | undefined> {
  const webhook = await library.table.get<WebhookRecord>(webhookKey(companyId, webhookId))
  if (!webhook || webhook.enabled) return undefined
  const recipient = await recipientOf(library, userId)
  if (!recipient || 'reason' in recipient) return recipient
  const { to, fullname } = recipient
  const { host } = new URL(webhook.url)
  const paragraphs = [
    `Hello ${fullname},`,
    why === 'gone'
      ? `the webhook to ${host} is turned off: its target answered that it takes nothing any more (410).`
      : `the webhook to ${host} is turned off: nothing could be delivered for five days.`,
    `Webhook ${webhookId}${webhook.description && `, “${webhook.description}”`}. Events are no longer queued for it. Once its target works, turn it on again and have it sent what it missed.`,
  ]
  const requestId = requestOf(webhook.by).requestId ?? webhookId
  const brand = await mailBrand(library, companyId)
  await library.mail.send(renderEmail({ to, subject: `A webhook is turned off: ${host}`, paragraphs, brand, requestId }))
  return undefined
}

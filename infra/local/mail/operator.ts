import { randomUUID } from 'node:crypto'
import type { Mail } from '../../../shared/backends/mail/port.ts'
import { renderEmail } from '../../../shared/library/mail/email.ts'
import type { Log } from '../../../shared/log/log.ts'

/** E-mails to whoever operates the server. @param options.to nobody gets any where it is absent */
export function tellOperator({ mail, to, brand, log }: { mail: Mail; to: string | undefined; brand: string; log: Log }) {
  return async (subject: string, text: string): Promise<void> => {
    if (to === undefined) return
    const requestId = randomUUID()
    await mail
      .send(renderEmail({ to, subject, paragraphs: text.split('\n'), brand, requestId }))
      .catch((error) => log.error('mail to the operator failed', { error, requestId }))
  }
}

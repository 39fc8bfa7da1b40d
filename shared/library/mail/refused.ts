import { randomUUID } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import { InvalidEmail, type Mail, MailRefused } from '../../backends/mail/port.ts'
import type { Table } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { recordMailFailure } from './failures.ts'

/** Sends e-mails, and notes those that are refused for good as failed. They count as sent: another attempt would fail as well. */
export function notingRefusals({ mail, table, clock, log }: { mail: Mail; table: Table; clock: Clock; log: Log }): Mail {
  return {
    async send(email) {
      try {
        await mail.send(email)
      } catch (error) {
        if (!(error instanceof MailRefused || error instanceof InvalidEmail)) throw error
        log.warn('an e-mail was refused for good', { error })
        const { to: recipient, subject } = email
        const diagnostic = error.cause instanceof Error ? error.cause.message : error.message
        await recordMailFailure(
          { table },
          { id: randomUUID(), kind: 'reject', time: clock.now(), recipient, subject, messageId: '', diagnostic },
        )
      }
    },
  }
}

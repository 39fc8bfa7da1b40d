import * as z from 'zod'
import type { MailFailure } from '../../shared/library/mail/failures.ts'

/** What SES tells of every e-mail. */
const mail = z.object({
  messageId: z.string().min(1),
  destination: z.array(z.string()).min(1),
  commonHeaders: z.object({ subject: z.string().optional() }).optional(),
})

const Bounce = z.object({
  eventType: z.literal('Bounce'),
  mail,
  bounce: z.object({
    bounceType: z.string(),
    bounceSubType: z.string(),
    bouncedRecipients: z.array(z.object({ status: z.string().optional(), diagnosticCode: z.string().optional() })),
  }),
})
const Complaint = z.object({
  eventType: z.literal('Complaint'),
  mail,
  complaint: z.object({ complaintFeedbackType: z.string().nullish(), complaintSubType: z.string().nullish() }),
})
const Reject = z.object({ eventType: z.literal('Reject'), mail, reject: z.object({ reason: z.string() }) })

const Detail = z.discriminatedUnion('eventType', [Bounce, Complaint, Reject])

/**
 * An event of SES as EventBridge delivers it, read as the failure that it tells of. Source: Amazon SES Developer Guide, "Monitoring SES
 * events using Amazon EventBridge", and "Contents of event data" for `detail`.
 */
export const SesEvent = z
  .object({
    id: z.string().regex(/^[\w-]{1,100}$/),
    time: z.iso.datetime().transform((text) => Date.parse(text)),
    detail: Detail,
  })
  .transform(({ id, time, detail }): MailFailure => {
    const { messageId, destination, commonHeaders } = detail.mail
    const [recipient = ''] = destination
    return { id, time, messageId, recipient, subject: commonHeaders?.subject ?? '', ...reasonOf(detail) }
  })

function reasonOf(detail: z.infer<typeof Detail>): Pick<MailFailure, 'kind' | 'diagnostic'> {
  switch (detail.eventType) {
    case 'Bounce': {
      const { bounceType, bounceSubType, bouncedRecipients } = detail.bounce
      const [{ diagnosticCode, status } = {}] = bouncedRecipients
      return { kind: 'bounce', diagnostic: joined(`${bounceType}, ${bounceSubType}`, diagnosticCode ?? status) }
    }
    case 'Complaint': {
      const { complaintFeedbackType, complaintSubType } = detail.complaint
      return { kind: 'complaint', diagnostic: joined(complaintFeedbackType, complaintSubType) }
    }
    case 'Reject':
      return { kind: 'reject', diagnostic: detail.reject.reason }
  }
}

function joined(...parts: (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(': ')
}

const mail = {
  timestamp: '2026-05-17T09:29:58.000Z',
  source: 'library@example.com',
  sendingAccountId: '123456789012',
  messageId: '010201979c1b2d3e-0a1b2c3d-1111-2222-3333-444455556666-000000',
  destination: ['anna@example.com'],
  headersTruncated: false,
  headers: [{ name: 'To', value: 'anna@example.com' }],
  commonHeaders: { from: ['library@example.com'], to: ['anna@example.com'], subject: 'SVC: Your new password' },
  tags: { 'ses:configuration-set': ['library'], 'ses:operation': ['SendEmail'] },
}

const event = {
  version: '0',
  id: '6f1c9c5e-7a0e-4f0f-9c0a-0d7f5b3f2a11',
  source: 'aws.ses',
  account: '123456789012',
  time: '2026-05-17T09:30:00Z',
  region: 'eu-west-1',
  resources: ['arn:aws:ses:eu-west-1:123456789012:configuration-set/library'],
}

/** Events of SES as EventBridge puts them into a queue: a mail server refused an e-mail, its recipient called it spam, SES refused it. */
export const bounced = {
  ...event,
  'detail-type': 'Email Bounced',
  detail: {
    eventType: 'Bounce',
    bounce: {
      feedbackId: '010201979c1b2d3e-feedback-000000',
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [
        { emailAddress: 'anna@example.com', action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
      ],
      timestamp: '2026-05-17T09:29:59.000Z',
      reportingMTA: 'dns; mta.example.com',
    },
    mail,
  },
}
export const complained = {
  ...event,
  id: 'a3d4c1f0-2b65-4f4e-8d7b-3a0f6c1e9b22',
  time: '2026-05-18T10:00:00Z',
  'detail-type': 'Email Complaint Received',
  detail: {
    eventType: 'Complaint',
    complaint: {
      feedbackId: '010201979c1b2d3e-feedback-000001',
      complaintSubType: null,
      complainedRecipients: [{ emailAddress: 'anna@example.com' }],
      timestamp: '2026-05-18T09:59:59.000Z',
      complaintFeedbackType: 'abuse',
    },
    mail,
  },
}
export const rejected = {
  ...event,
  id: 'c0ffee00-1111-4222-8333-944455556666',
  time: '2026-04-30T23:59:59Z',
  'detail-type': 'Email Rejected',
  detail: { eventType: 'Reject', reject: { reason: 'Bad content' }, mail },
}

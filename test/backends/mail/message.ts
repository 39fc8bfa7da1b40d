import assert from 'node:assert/strict'
import type PostalMime from 'postal-mime'
import type { Email } from '../../../shared/backends/mail/port.ts'

/** A parsed message as its sender gave it; without line ends at the end of a body, which MIME may add. */
export function asEmail({ to, subject, text, html }: Awaited<ReturnType<typeof PostalMime.parse>>): Email {
  assert.equal(to?.length, 1)
  return { to: to[0]!.address!, subject: subject!, text: text!.trimEnd(), html: html!.trimEnd() }
}

import assert from 'node:assert/strict'
import { describe, onTestFinished, test } from 'vitest'
import { type Email, InvalidEmail, type Mail } from '../../../shared/backends/mail/port.ts'

export const sender = 'Media Library <library@example.com>'

export interface MailUnderTest {
  mail: Mail
  /** Mails as their recipients read them, in the order in which they were sent; without line ends at the end of a body, which MIME may add. */
  sentTo(address: string): Promise<Email[]>
  close(): Promise<void>
}

const reset: Email = {
  to: 'anna@example.com',
  subject: 'Reset your password',
  text: 'Your code: 123456',
  html: '<p>Your code: <b>123456</b></p>',
}

/** What every mail adapter promises. */
export function mailContract(name: string, open: () => Promise<MailUnderTest>): void {
  describe(`mail contract: ${name}`, () => {
    function promises(title: string, check: (under: MailUnderTest) => Promise<void>): void {
      test(title, async () => {
        const under = await open()
        onTestFinished(() => under.close())
        await check(under)
      })
    }

    promises('a mail arrives with its subject, text and HTML', async ({ mail, sentTo }) => {
      await mail.send({ ...reset, to: 'arrives@example.com' })
      assert.deepEqual(await sentTo('arrives@example.com'), [{ ...reset, to: 'arrives@example.com' }])
    })

    promises('any script, long lines and lines of a single dot arrive unchanged', async ({ mail, sentTo }) => {
      const email = {
        to: 'script@example.com',
        subject: `Ordner „Übergrößen – 冬のカタログ“ 📦 ${'ist fertig, '.repeat(20)}Ende`,
        text: `Grüße\n.\n..\nFrom here\n${'sehr lang ü '.repeat(300)}\n日本語`,
        html: `<p>Grüße &amp; ${'<i>日本語</i> '.repeat(300)}</p>\n<p>.</p>`,
      }
      await mail.send(email)
      assert.deepEqual(await sentTo('script@example.com'), [email])
    })

    promises('a subject that looks encoded arrives as it is', async ({ mail, sentTo }) => {
      const subject = `Your download: =?utf-8?Q?Your=20password?= ${'=?x?B?AAAA?= größer '.repeat(8)}`.trim()
      await mail.send({ ...reset, to: 'encoded@example.com', subject })
      assert.deepEqual(
        (await sentTo('encoded@example.com')).map((email) => email.subject),
        [subject],
      )
    })

    promises("a recipient's international domain is sent in its ASCII form", async ({ mail, sentTo }) => {
      await mail.send({ ...reset, to: 'anna@bücher.example' })
      assert.equal((await sentTo('anna@xn--bcher-kva.example')).length, 1)
    })

    promises('a subject that would add a header is refused and nothing is sent', async ({ mail, sentTo }) => {
      for (const end of ['\r\n', '\n', '\r', '\0', '\u2028']) {
        const injected = { ...reset, to: 'subject@example.com', subject: `hello${end}Bcc: other@example.com` }
        await assert.rejects(mail.send(injected), InvalidEmail)
      }
      assert.deepEqual(await sentTo('subject@example.com'), [])
      assert.deepEqual(await sentTo('other@example.com'), [])
    })

    promises('a recipient that is not one bare address is refused', async ({ mail, sentTo }) => {
      for (const to of notOneAddress) await assert.rejects(mail.send({ ...reset, to }), InvalidEmail, JSON.stringify(to))
      assert.deepEqual(await sentTo('other@example.com'), [])
    })
  })
}

/** What isn't one address, `vocabulary/mail-address.test.ts` has; of these each would be one more recipient, or a header. */
const notOneAddress = [
  'anna@example.com\r\nBcc: other@example.com',
  'anna@example.com, other@example.com',
  'other@example.com;anna@example.com',
  'Anna <other@example.com>',
  'group: other@example.com;',
  'other@example.com(comment)',
]

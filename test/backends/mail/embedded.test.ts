import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { openEmbeddedMail } from '../../../shared/backends/mail/embedded.ts'
import { type Email, type Mail, MailUnavailable } from '../../../shared/backends/mail/port.ts'
import { mailContract, sender } from './contract.ts'
import { asEmail } from './message.ts'

const noon = Date.UTC(2026, 1, 3, 12)

mailContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'))
  let time = noon
  return {
    mail: openEmbeddedMail({ folder, sender, clock: { ...systemClock, now: () => time++ } }),
    async sentTo(address) {
      const mails = await Promise.all(filesIn(folder).map((file) => PostalMime.parse(readFileSync(join(folder, file)))))
      return mails.filter(({ to }) => to?.some((recipient) => recipient.address === address)).map(asEmail)
    },
    async close() {
      rmSync(folder, { recursive: true })
    },
  }
})

describe('embedded mail', () => {
  let parent: string
  let folder: string
  let mail: Mail

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'mail-'))
    folder = join(parent, 'outbox')
    mail = openEmbeddedMail({ folder, sender, clock: { ...systemClock, now: () => noon } })
  })
  afterEach(() => rmSync(parent, { recursive: true }))

  test('only their owner can read mails, and the folder', async () => {
    await mail.send(hello)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.equal(statSync(join(folder, filesIn(folder)[0]!)).mode & 0o777, 0o600)
  })

  test('a mail is one whole .eml file whose name begins with the time', async () => {
    await mail.send(hello)
    await mail.send(hello)
    const names = readdirSync(folder)
    assert.equal(names.length, 2)
    for (const name of names) assert.match(name, /^2026-02-03T120000\.000Z-[0-9a-f-]{36}\.eml$/)
  })

  test('it is a message that every mail server takes: short ASCII lines that end in CRLF, date, id, sender', async () => {
    await mail.send({ ...hello, subject: 'ü'.repeat(200), text: `${'ü'.repeat(5_000)}\n`, html: `<p>${'ü'.repeat(5_000)}</p>` })
    const bytes = readFileSync(join(folder, filesIn(folder)[0]!))
    const lines = bytes.toString('latin1').split('\r\n')
    for (const line of lines) {
      assert.ok(line.length <= 998)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII but CR and LF
      assert.match(line, /^[\x00-\x09\x0b\x0c\x0e-\x7f]*$/)
    }
    const parsed = await PostalMime.parse(bytes)
    assert.deepEqual(parsed.from, { name: 'Media Library', address: 'library@example.com' })
    assert.equal(Date.parse(parsed.date!), noon)
    assert.match(parsed.messageId!, /^<[^@\s]+@example\.com>$/)
  })

  test('a folder that went away is MailUnavailable', async () => {
    rmSync(folder, { recursive: true })
    await assert.rejects(mail.send(hello), MailUnavailable)
  })
})

const hello: Email = { to: 'anna@example.com', subject: 'Hello', text: 'Hello\n', html: '<p>Hello</p>\n' }

function filesIn(folder: string): string[] {
  return readdirSync(folder).sort()
}

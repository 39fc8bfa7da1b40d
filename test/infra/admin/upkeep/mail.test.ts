import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import PostalMime from 'postal-mime'
import { describe, test } from 'vitest'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { recordMailFailure } from '../../../../shared/library/mail/failures.ts'
import { startMailServer } from '../../../support/mail-server.ts'
import { runCommand, runJson, temporaryLibrary } from '../run-command.ts'

const directory = await temporaryLibrary()

describe('mail failures', () => {
  const today = Date.now()
  const failures = (...args: string[]) => runJson(directory, ['mail', 'failures', ...args])

  test('are listed newest first, as a table and as JSON', async () => {
    assert.equal((await runCommand(directory, ['mail', 'failures'])).out, 'No e-mail failed.')
    const table = openEmbeddedTable(embeddedLayout(directory).table)
    const failure = { kind: 'bounce', subject: 'SVC: Your new password', messageId: 'm-1', diagnostic: '550 user unknown' } as const
    await recordMailFailure({ table }, { ...failure, id: '1', time: today - 3 * 86_400_000, recipient: 'anna@example.com' })
    await recordMailFailure({ table }, { ...failure, id: '2', time: today, recipient: 'berta@example.com' })
    table.close()

    const time = new Date(today).toISOString().slice(0, 19).replace('T', ' ')
    const [newest, ...others] = await failures()
    const { messageId, ...shown } = failure
    assert.deepEqual(newest, { time, recipient: 'berta@example.com', message_id: messageId, ...shown })
    assert.equal(others.length, 1)
    assert.deepEqual(await failures('--limit', '1'), [newest])
    assert.deepEqual(await failures('--since', new Date(today - 2 * 86_400_000).toISOString().slice(0, 10)), [newest])

    const [titles, row] = (await runCommand(directory, ['mail', 'failures'])).out.split('\n')
    assert.match(titles!, /^TIME \(UTC\) +KIND +RECIPIENT +SUBJECT +DIAGNOSTIC$/)
    assert.match(row!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +bounce +berta@example\.com +SVC: Your new password +550 user unknown$/)
  })
})

describe('mail test', () => {
  const send = (settings: Record<string, string>, ...args: string[]) =>
    runCommand(directory, ['mail', 'test', 'anna@example.com', ...args], '', settings)
  const plain = { disabledCommands: ['STARTTLS'] }

  test('goes to the mail server, from the sender', async () => {
    await using server = await startMailServer(plain)
    const settings = { MAIL_URL: `smtp://127.0.0.1:${server.port}`, MAIL_SENDER: 'media@example.com' }
    assert.deepEqual(await send(settings, '--json'), { code: 0, out: '{"sent":true}', error: '' })
    const { from, to } = await PostalMime.parse(server.received[0]!)
    assert.deepEqual([from?.address, to?.[0]?.address], ['media@example.com', 'anna@example.com'])
    assert.equal((await send(settings)).out, `An e-mail to anna@example.com went to the mail server 127.0.0.1:${server.port}.`)
  })

  test('prints the words of a mail server that refuses it, and of one that does not encrypt', async () => {
    await using server = await startMailServer({ ...plain, allowInsecureAuth: true }, () => true)
    const address = `127.0.0.1:${server.port}`
    const refused = await send({ MAIL_URL: `smtp://${address}` }, '--json')
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(
      refused.error,
      new RegExp(`^The mail server did not take the mail \\(the mail server ${address}\\): .*550 no such mailbox`),
    )
    const unsafe = await send({ MAIL_URL: `smtp://anna:secret@${address}` })
    assert.equal(unsafe.code, 1)
    assert.match(unsafe.error, /STARTTLS|TLS/)
    assert.ok(!unsafe.error.includes('secret'))
  })

  test('is a file where there is no mail server, and refuses wrong settings and addresses', async () => {
    const { code, out } = await send({})
    assert.deepEqual([code, out], [0, `An e-mail to anna@example.com went to the folder ${embeddedLayout(directory).mail}.`])
    assert.equal(readdirSync(embeddedLayout(directory).mail).length, 1)
    assert.match((await send({ MAIL_URL: 'mail.example.com' })).error, /MAIL_URL must be the address of a mail server/)
    assert.equal((await runCommand(directory, ['mail', 'test', 'anna'])).code, 2)
  })
})

import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { noteServiceEvent } from '../../functions/events/note-service-event.ts'
import { listMailFailures } from '../../shared/library/mail/failures.ts'
import type { Log } from '../../shared/log/log.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { openTestTable } from '../support/library.ts'
import { bounced, complained, rejected } from '../support/ses-events.ts'

const now = Date.parse('2026-05-20T00:00:00Z')
const settings = { ...defaultSettings, playerUrl: '', cdnUrl: '' }

describe('an event of the mail service', () => {
  let library: ReturnType<typeof openTestTable>
  let logged: string[]
  beforeEach(() => {
    library = openTestTable()
    library.clock.ms = now
    logged = []
  })
  const note = (message: string, fields?: object) => void logged.push(JSON.stringify({ message, ...fields }))
  const log: Log = { info: note, warn: note, error: note, with: () => log }
  const consume = (message: unknown) =>
    noteServiceEvent.handle({ ...library, message, by: { kind: 'job', job: 'j', run: 'r' }, settings, log })
  const listed = (which: { since?: number; limit?: number } = {}) => listMailFailures(library, { since: 0, limit: 100, ...which })

  test('is recorded once, however often it comes', async () => {
    for (let time = 0; time < 3; time++) await consume(bounced)
    assert.deepEqual(await listed(), [
      {
        id: bounced.id,
        kind: 'bounce',
        time: Date.parse(bounced.time),
        recipient: 'anna@example.com',
        subject: 'SVC: Your new password',
        messageId: bounced.detail.mail.messageId,
        diagnostic: 'Permanent, General: smtp; 550 5.1.1 user unknown',
      },
    ])
    const { items } = await library.table.scan()
    assert.deepEqual(
      items.map(({ pk, sk, ttl }) => ({ pk, sk, ttl })),
      [{ pk: 'MAILEVENTS#2026-05', sk: `2026-05-17T09:30:00.000Z#${bounced.id}`, ttl: Date.parse(bounced.time) / 1000 + 90 * 86_400 }],
    )
  })

  test('is listed newest first, over months, as many as asked for, since when asked for', async () => {
    for (const event of [complained, rejected, bounced]) await consume(event)
    const kinds = async (which?: Parameters<typeof listed>[0]) => (await listed(which)).map(({ kind, diagnostic }) => [kind, diagnostic])
    const all = [
      ['complaint', 'abuse'],
      ['bounce', 'Permanent, General: smtp; 550 5.1.1 user unknown'],
      ['reject', 'Bad content'],
    ]
    assert.deepEqual(await kinds(), all)
    assert.deepEqual(await kinds({ limit: 2 }), all.slice(0, 2))
    assert.deepEqual(await kinds({ limit: 1 }), all.slice(0, 1))
    assert.deepEqual(await kinds({ since: Date.parse('2026-05-01') }), all.slice(0, 2))
    assert.deepEqual(await kinds({ since: now + 1 }), [])
  })

  test('that is older than 90 days is not listed, though it is there', async () => {
    await consume({ ...bounced, time: '2026-02-18T23:59:59Z' })
    await consume({ ...bounced, time: '2026-02-19T00:00:01Z' })
    assert.equal((await library.table.scan()).items.length, 2)
    assert.deepEqual(
      (await listed()).map(({ time }) => new Date(time).toISOString()),
      ['2026-02-19T00:00:01.000Z'],
    )
  })

  test('with the words of a hostile mail server is cut, and on one line', async () => {
    const diagnosticCode = `550 \u001b[31m\r\nno\u202e ${'x'.repeat(100_000)}`
    const bounce = { ...bounced.detail.bounce, bouncedRecipients: [{ diagnosticCode }] }
    await consume({ ...bounced, detail: { ...bounced.detail, bounce } })
    const [failure] = await listed()
    assert.match(failure!.diagnostic, /^Permanent, General: 550 {2}\[31m no {2}x+$/)
    assert.ok(failure!.diagnostic.length <= 500)
  })

  test('of an unknown shape is a line in the log, and gone', async () => {
    const unknown = [
      undefined,
      null,
      'text',
      [],
      {},
      { ...bounced, id: 'a#b' },
      { ...bounced, time: 'yesterday' },
      { ...bounced, detail: { ...bounced.detail, eventType: 'Delivery' } },
      { ...bounced, detail: { ...bounced.detail, mail: { ...bounced.detail.mail, destination: [] } } },
      { ...bounced, detail: { ...bounced.detail, bounce: 'hard' } },
    ]
    for (const message of unknown) await consume(message)
    assert.deepEqual(await listed(), [])
    assert.equal(logged.length, unknown.length)
    assert.match(logged.at(-1)!, /not understood.*"detail\.bounce"/)
  })

  test('names nobody in the log', async () => {
    for (const event of [bounced, complained, rejected, { ...bounced, detail: {} }]) await consume(event)
    assert.equal(logged.length, 4)
    assert.doesNotMatch(logged.join(), /anna|user unknown/)
    assert.ok(logged[0]!.includes(bounced.detail.mail.messageId))
  })
})

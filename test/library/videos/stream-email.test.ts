import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Email } from '../../../shared/backends/mail/port.ts'
import { disableUser } from '../../../shared/library/accounts/admins.ts'
import { enableUser, setEmail } from '../../../shared/library/accounts/users.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { mailStream } from '../../../shared/library/videos/stream-email.ts'
import { requestStream } from '../../../shared/library/videos/streams.ts'
import { changeVideo, type Stream } from '../../../shared/library/videos/video.ts'
import { toEncodingId } from '../../../shared/vocabulary/ids.ts'
import { setUpStreams, VIDEO } from './set-up-streams.ts'

/** A stream that has ended, and what mails that. */
async function setUp(state: Stream['state'] = 'available', email: string | null = 'anna@example.com') {
  const world = await setUpStreams()
  const { library, admin, asAdmin, video, put } = world
  await put({ filename: 'Harbour <1>.mp4' })
  if (email !== null) await setEmail(library, admin.user.userId, email)
  await requestStream(asAdmin(), VIDEO, 'request-1')
  const becomes = async (changed: Partial<Stream>) => {
    const before = await video()
    return (await changeVideo(library, before, { stream: { ...before.stream!, ...changed } })).stream!
  }
  const { encodingId } = await becomes({ state })
  const sent: Email[] = []
  const settings = { brand: 'SVC', cdnUrl: 'https://cdn.example.com', playerUrl: 'https://player.example.com' }
  const mailing = { ...library, settings, mail: { send: async (email: Email) => void sent.push(email) } }
  return { ...world, becomes, encodingId, sent, mailing, mail: () => mailStream(mailing, VIDEO, encodingId) }
}

test('is sent once, and once more only when the process ended before it could note that', async () => {
  const { sent, mail, mailing, encodingId, video } = await setUp()
  const away = { ...mailing, mail: { send: () => Promise.reject(new Error('the mail server is away')) } }
  await assert.rejects(mailStream(away, VIDEO, encodingId), /away/)
  assert.equal((await video()).stream?.mailed, undefined)
  for (let times = 0; times < 3; times += 1) await mail()
  assert.equal(sent.length, 1)
  assert.equal((await video()).stream?.mailed, true)
})

test('is not sent of an attempt that goes on or was replaced, of a file that is gone, nor to who is disabled', async () => {
  const { sent, mail, mailing, becomes, library, company, admin } = await setUp('encoding')
  await company.add('another admin', true, 'another password')
  await mail()
  await becomes({ state: 'available' })
  await mailStream(mailing, VIDEO, toEncodingId('0'.repeat(32)))
  await disableUser(library, admin.user.userId)
  assert.equal(await mail(), undefined)
  await enableUser(library, admin.user.userId)
  await library.table.delete(mediaKey(VIDEO))
  await mail()
  assert.deepEqual(sent, [])
})

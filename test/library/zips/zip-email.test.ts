import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Email } from '../../../shared/backends/mail/port.ts'
import { disableUser } from '../../../shared/library/accounts/admins.ts'
import { enableUser, setEmail } from '../../../shared/library/accounts/users.ts'
import { findZip } from '../../../shared/library/zips/zip.ts'
import { mailZip } from '../../../shared/library/zips/zip-email.ts'
import { setUp } from './set-up.ts'

/** A zip that is DONE, and what mails it. */
async function done() {
  const world = await setUp()
  const { folder, request, build, library, admin, clock } = world
  const { folderId } = await folder('Harbour <1>')
  const { zip } = await build((await request(folderId)).jobId)
  await setEmail(library, admin.user.userId, 'anna@example.com')
  const sent: Email[] = []
  const urls = {
    sign: async (key: string, { expires }: { expires: number }) => `https://files.example.com/${key}?Expires=${expires / 1000}`,
  }
  const mailing = { ...library, urls, settings: { brand: 'SVC' }, mail: { send: async (email: Email) => void sent.push(email) } }
  return { ...world, zip, sent, mailing, userId: admin.user.userId, clock }
}

test('is sent once, and once more only when the process ended before it could note that', async () => {
  const { zip, sent, mailing, library } = await done()
  const brief = { ...mailing, mail: { send: () => Promise.reject(new Error('the mail server is away')) } }
  await assert.rejects(mailZip(brief, zip.jobId), /away/)
  for (let times = 0; times < 3; times += 1) await mailZip(mailing, zip.jobId)
  assert.equal(sent.length, 1)
  assert.equal((await findZip(library, zip.jobId))?.mailed, true)
})

test('is not sent to who is disabled, of a zip that has ended, nor of one that is not there', async () => {
  const { zip, sent, mailing, clock, library, userId, add } = await done()
  await add('another admin', true, 'another password')
  assert.equal(await mailZip(mailing, 'nothing'), undefined)
  await disableUser(library, userId)
  await mailZip(mailing, zip.jobId)
  await enableUser(library, userId)
  clock.advance(86_400)
  await mailZip(mailing, zip.jobId)
  assert.deepEqual(sent, [])
})

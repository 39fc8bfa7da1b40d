import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test, vi } from 'vitest'
import type { endpoints } from '../../functions/endpoints.ts'
import type { ApiClient } from '../../shared/http/declaration/client.ts'
import { disableUser } from '../../shared/library/accounts/admins.ts'
import { revokeKey } from '../../shared/library/accounts/api-keys.ts'
import { addUser } from '../../shared/library/accounts/provision.ts'
import { getJob } from '../../shared/library/jobs/job.ts'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { putFailedJob } from '../support/failed-job.ts'
import { elsewhere } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { hmacAuthorization } from '../support/successes.ts'
import { uploadAndImport } from '../support/uploading.ts'

type Client = ApiClient<typeof endpoints>

const { service, accounts, person } = await serviceWithAccounts()
const admin = await service.client()
const id = service.demo.company_id

describe('a company', () => {
  const questions = [
    'list-company-users',
    'list-api-keys',
    'get-api-endpoint',
    'list-company-folders',
    'get-company-disk-usage',
    'list-failed-jobs',
  ] as const
  const create = async (name: string) => (await admin['create-folder']({ body: { name, parent: null } })).body.id
  const usage = async () => (await admin['get-company-disk-usage']({ params: { id } })).body

  const namesake = async (companyId: CompanyId, username: string) => {
    const user = { companyId, username, fullname: 'Anna Berg', password: 'a long password', admin: false }
    return (await addUser(accounts.library, user)).userId
  }

  test('answers its members, its secrets to admins alone; to strangers it does not exist', async () => {
    const { client: fellow } = await person()
    const elsewhereId = await accounts.company('Another')
    const { client: stranger } = await person({ companyId: elsewhereId, admin: true })
    const application = await service.client(hmacAuthorization(await accounts.key(['downloads'])))
    for (const name of questions) {
      const status = async (client: Client, company: number) => (await client[name]({ params: { id: company } })).status
      assert.equal(await status(admin, id), 200, name)
      assert.equal(await status(fellow, id), ['list-api-keys', 'list-failed-jobs'].includes(name) ? 403 : 200, name)
      assert.equal(await status(stranger, id), 404, name)
      assert.equal(await status(admin, elsewhereId), 404, name)
      assert.equal(await status(admin, 1), 404, name)
      assert.equal(await status(application, id), 401, name)
    }
  })

  test('lists its users by name and then id, those who can sign in, each with an address that leads to them', async () => {
    const companyId = await accounts.company('Listed')
    const add = (username: string, isAdmin = false) => accounts.user({ companyId, username: `${username} ${randomUUID()}`, admin: isAdmin })
    const asker = await add('Zoë', true)
    const [nine, ten] = [await add('user 9'), await add('User 10')]
    const namesakes = await Promise.all(['one', 'other'].map((username) => namesake(companyId, `${username} ${randomUUID()}`)))
    const gone = await add('Gone')
    await disableUser(accounts.library, gone.userId)
    const client = await service.client(asker.authorization)
    const { body: users } = await client['list-company-users']({ params: { id: companyId } })
    assert.deepEqual(
      users.map((user) => user.id),
      [...namesakes.sort((a, b) => a - b), nine.userId, ten.userId, asker.userId],
    )
    assert.deepEqual(Object.keys(users[0]!).sort(), ['fullname', 'href', 'id'])
    assert.equal(users[2]?.fullname, nine.username)
    const followed = await fetch(users[2]!.href, { headers: { authorization: asker.authorization } })
    assert.equal(((await followed.json()) as { id: number }).id, nine.userId)
  })

  test('its API keys come with secrets that sign in, oldest first; a revoked key is gone', async () => {
    const [one, two] = [await accounts.key([]), await accounts.key(['downloads'])]
    const { body: keys } = await admin['list-api-keys']({ params: { id } })
    assert.equal(keys[0]?.key, service.demo.api_key)
    assert.equal(keys[0]?.secret, service.demo.api_secret)
    for (const { key, secret } of [one, two]) {
      const listed = keys.find((each) => each.key === key)
      assert.deepEqual(listed, { id: listed?.id, key, secret, companyId: id })
      assert.ok(Number.isInteger(listed.id))
      assert.match(await service.signIn({ api_key: listed.key, api_secret: listed.secret }), / Token=/)
    }
    await revokeKey(accounts, one.key)
    const { body: left } = await admin['list-api-keys']({ params: { id } })
    assert.deepEqual(
      left,
      keys.filter(({ key }) => key !== one.key),
    )
  })

  test('no secret that was told is logged', elsewhere, async () => {
    const { body: keys } = await admin['list-api-keys']({ params: { id } })
    const log = service.log.join('\n')
    assert.ok(log.includes('/apikeys'), 'the log was looked at')
    for (const { key, secret } of keys) assert.ok(!log.includes(secret) && !log.includes(key))
  })

  // A job that failed is an error in the log and at /healthz, where other journeys look at the same service.
  test('lists its failed jobs to its admins, and none of others; they are tried again at once', elsewhere, async () => {
    const other = await accounts.company('Other')
    const [failed, foreign] = [await putFailedJob(accounts, id, 902_114), await putFailedJob(accounts, other, 902_115)]
    const { jobs, more } = (await admin['list-failed-jobs']({ params: { id } })).body
    assert.deepEqual(
      jobs.map((job) => [job.job_id, job.kind, job.media_id]),
      [[failed, 'import-media', 902_114]],
    )
    assert.equal(more, false)
    assert.ok(Date.parse(jobs[0]!.next_try) > Date.parse(jobs[0]!.asked))

    const retry = (client: Client, company: number, ...ids: string[]) =>
      client['retry-failed-jobs']({ params: { id: company }, body: { job_ids: ids } })
    const { client: fellow } = await person()
    assert.equal((await retry(fellow, id, failed)).status, 403)
    assert.equal((await retry(admin, other, foreign)).status, 404)
    assert.deepEqual((await retry(admin, id, failed, foreign, failed, 'import-media.1')).body, { retried: [failed] })
    assert.deepEqual((await retry(admin, id, failed)).body, { retried: [] })
    // There is no such file, so there is nothing to do, and its job is done.
    await vi.waitFor(async () => assert.equal(await getJob(accounts.library, failed), undefined), { timeout: 300_000, interval: 100 })
    assert.deepEqual((await admin['list-failed-jobs']({ params: { id } })).body, { jobs: [], more: false })
    const { client: stranger } = await person({ companyId: other, admin: true })
    assert.deepEqual(
      (await stranger['list-failed-jobs']({ params: { id: other } })).body.jobs.map((job) => job.job_id),
      [foreign],
    )
  })

  test('its disk usage grows with an import and not with the upload, a copy or an edit; the last pointer takes it back', async () => {
    const [folder, other] = [await create('Folder'), await create('Other')]
    const before = await usage()
    const counted = { bytes: before.bytes + 1000, files: before.files + 1, version_bytes: 0 }
    const media = Number((await uploadAndImport(admin, folder, Buffer.alloc(1000, 'a'), 'a.txt')).id)
    assert.deepEqual(await usage(), counted)
    await admin['copy-media']({ params: { id: media, folderId: other } })
    await admin['set-title']({ params: { id: media }, body: { en: 'Title' } })
    assert.deepEqual(await usage(), counted)
    await admin['remove-media']({ params: { id: media, folderId: folder } })
    assert.deepEqual(await usage(), counted)
    await admin['remove-media']({ params: { id: media, folderId: other } })
    assert.deepEqual(await usage(), before)
  })
})

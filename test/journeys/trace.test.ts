import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, vi } from 'vitest'
import { setQuota } from '../../shared/library/quota/quota.ts'
import { mailTo } from '../support/mail.ts'
import { elsewhere } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { imported, postForm } from '../support/uploading.ts'

describe('a traceparent', async () => {
  const { accounts, person, service } = await serviceWithAccounts()

  test('is found in every log line, job and e-mail that follows from an upload', elsewhere, async () => {
    const companyId = await accounts.company('Harbour')
    const { client, username } = await person({ companyId, admin: true, username: `admin-${randomUUID()}@example.com` })
    const { id: folder } = (await client['create-folder']({ body: { name: 'Folder' } })).body
    await setQuota(accounts.library, companyId, 10)
    const trace = randomBytes(16).toString('hex')
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`

    const form = (await client['register-upload']({ body: { folder } })).body
    const location = (await postForm(form, Buffer.alloc(9), 'file.bin')).headers.get('location')!
    const finalized = await fetch(location, { headers: { traceparent } })
    const id = finalized.headers.get('x-svc-request-id')!
    await imported(client, ((await finalized.json()) as { media_id: number }).media_id)
    await mailTo(username, service)

    const linesWith = (text: string) => service.log.filter((line) => line.includes(text)).map((line) => JSON.parse(line))
    const jobs = await vi.waitFor(
      () => {
        const done = linesWith(trace).filter(({ message }) => message === 'job')
        const kinds = new Set(done.map(({ job }) => job.split('.')[0]))
        for (const kind of ['import-media', 'send-mail']) assert.ok(kinds.has(kind), `${kind} of ${[...kinds]}`)
        return done
      },
      { timeout: 60_000, interval: 50 },
    )
    for (const job of jobs) assert.deepEqual([job.id, job.traceparent], [id, traceparent])
    assert.equal(linesWith(trace).filter(({ route }) => route === 'GET /upload/finalize/{uploadId}').length, 1)
    assert.deepEqual(linesWith(`"id":"${id}"`), linesWith(trace), 'the request id finds the same')

    const folderOfMails = join(service.directory!, 'mail')
    const mails = await Promise.all((await readdir(folderOfMails)).map((name) => readFile(join(folderOfMails, name), 'utf8')))
    const [mail, ...others] = mails.filter((text) => text.includes(trace))
    assert.deepEqual(others, [])
    assert.match(mail!, new RegExp(`^traceparent: ${traceparent}\\r?$`, 'im'))
    assert.match(mail!, new RegExp(`^X-Request-Id: ${id}\\r?$`, 'im'))
  })

  test('that is invalid is ignored', elsewhere, async () => {
    const traceparent = `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`
    assert.equal((await service.request('/folder', { headers: { traceparent } })).status, 401)
    assert.ok(!service.log.some((line) => line.includes(traceparent)))
  })
})

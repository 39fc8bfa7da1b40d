import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { sendMail } from '../../functions/jobs/send-mail.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { sesClient, sesMail } from '../../shared/backends/mail/ses.ts'
import { type EmbeddedTable, openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { jobHandler } from '../../shared/events/job-lambda.ts'
import { requestPasswordReset } from '../../shared/library/accounts/password-reset-requests.ts'
import { addUser, openCompany } from '../../shared/library/accounts/provision.ts'
import { type JobRecord, jobIdOf, jobKey } from '../../shared/library/jobs/job.ts'
import { countFailed, listJobs } from '../../shared/library/jobs/operator.ts'
import { ATTEMPTS } from '../../shared/library/jobs/retries.ts'
import { stateOf, waitingSince } from '../../shared/library/jobs/states.ts'
import { by } from '../support/library.ts'

process.env.SETTINGS = JSON.stringify({ brand: 'SVC' })

describe('mail that SES refuses', () => {
  const directory = mkdtempSync(join(tmpdir(), 'send-mail-'))
  let table: EmbeddedTable
  let ses: Server
  let refusal: { status: number; code: string } | undefined
  const client = () =>
    sesClient({
      endpoint: `http://127.0.0.1:${(ses.address() as AddressInfo).port}`,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      maxAttempts: 1,
    })

  beforeAll(async () => {
    table = openEmbeddedTable(join(directory, 'table.db'))
    ses = createServer((request, response) => {
      request.resume()
      const { status, code } = refusal ?? { status: 200, code: '' }
      response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': code })
      response.end(JSON.stringify(refusal ? { message: 'refused' } : { MessageId: 'm-1' }))
    })
    await new Promise<void>((resolve) => ses.listen(0, '127.0.0.1', resolve))
    const library = { table, clock: systemClock, by }
    const { companyId } = await openCompany(library, 'Example')
    const person = { username: 'anna@example.com', fullname: 'Anna Berg', password: 'correct horse', admin: false }
    await addUser(library, { companyId, ...person })
    await requestPasswordReset(library, { companyId, username: person.username, baseUrl: 'https://media.example.com', requestId: 'r-1' })
  })
  afterAll(() => {
    ses.close()
    table.close()
    rmSync(directory, { recursive: true })
  })

  const waiting = async (): Promise<JobRecord | undefined> => (await listJobs({ table }, ['send-mail'], {}))[0]
  /** A run of the function, however long the job was to wait. @returns the job after it */
  async function run(): Promise<JobRecord | undefined> {
    await table.update(jobKey(jobIdOf((await waiting())!)), { set: waitingSince((await waiting())!, Date.now()) })
    const mail = sesMail({ sender: 'library@example.com', configurationSet: 'library', client: client() })
    await jobHandler({ ...sendMail, name: 'send-mail' }, { table, mail }, { table, waker: { async wake() {} }, runs: 1 })({})
    return waiting()
  }

  for (const refused of [
    { status: 400, code: 'MessageRejected' },
    { status: 403, code: 'AccessDeniedException' },
    { status: 400, code: 'AccountSuspendedException' },
    { status: 429, code: 'TooManyRequestsException' },
  ]) {
    test(`is tried again: ${refused.code}`, async () => {
      refusal = refused
      const job = (await run())!
      assert.equal(stateOf(job), 'later')
      assert.equal(job.lastError, `MailUnavailable: SES did not take the mail: ${refused.code}`)
    })
  }

  test('counts as failed in the end, which raises an alarm', async () => {
    let job = await waiting()
    while (job!.attempts < ATTEMPTS) job = await run()
    assert.equal(stateOf(job!), 'failed')
    assert.deepEqual(await countFailed({ table }), new Map([['send-mail', 1]]))
  })

  test('is sent once SES takes it', async () => {
    refusal = undefined
    assert.equal(await run(), undefined)
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SQSRecord } from 'aws-lambda'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { sendMail } from '../../functions/events/send-mail.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { sesClient, sesMail } from '../../shared/backends/mail/ses.ts'
import { type EmbeddedTable, openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { queueHandler } from '../../shared/events/lambda.ts'
import { requestPasswordReset } from '../../shared/library/accounts/password-reset-requests.ts'
import { addUser, openCompany } from '../../shared/library/accounts/provision.ts'
import { by } from '../support/library.ts'

process.env.SETTINGS = JSON.stringify({ brand: 'SVC' })

describe('mail that SES refuses', () => {
  const directory = mkdtempSync(join(tmpdir(), 'send-mail-'))
  let table: EmbeddedTable
  let ses: Server
  let refusal: { status: number; code: string } | undefined
  let asked: string
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
    const { items } = await table.scan()
    asked = items.find(({ sk }) => sk === 'RESETREQUEST')!.pk.replace('RESETREQUEST#', '')
  })
  afterAll(() => {
    ses.close()
    table.close()
    rmSync(directory, { recursive: true })
  })

  const deliver = () => {
    const body = JSON.stringify({ passwordReset: asked })
    const record = { messageId: 'm', receiptHandle: '', body, attributes: { ApproximateReceiveCount: '1' } } as unknown as SQSRecord
    const mail = sesMail({ sender: 'library@example.com', configurationSet: 'library', client: client() })
    return queueHandler({ ...sendMail, name: 'send-mail' }, { table, mail }, { async extend() {} })({ Records: [record] })
  }

  for (const refused of [
    { status: 400, code: 'MessageRejected' },
    { status: 403, code: 'AccessDeniedException' },
    { status: 400, code: 'AccountSuspendedException' },
    { status: 429, code: 'TooManyRequestsException' },
  ]) {
    test(`comes back, and so to the dead letters, which raise an alarm: ${refused.code}`, async () => {
      refusal = refused
      assert.deepEqual(await deliver(), { batchItemFailures: [{ itemIdentifier: 'm' }] })
    })
  }

  test('is sent once SES takes it', async () => {
    refusal = undefined
    assert.deepEqual(await deliver(), { batchItemFailures: [] })
  })
})

import assert from 'node:assert/strict'
import { onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { openWebhookTargets } from '../../../../shared/backends/webhooks/http.ts'
import { createWebhook } from '../../../../shared/library/webhooks/manage.ts'
import { sendTest } from '../../../../shared/library/webhooks/send.ts'
import { by, openTestCompany, requestOf } from '../../../support/library.ts'
import { runCommand, runJson, temporaryLibrary } from '../run-command.ts'

const directory = await temporaryLibrary()

test('webhook list, deliveries and disable tell of the webhooks of companies, and turn one off', async () => {
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  onTestFinished(() => table.close())
  const library = { table, clock: systemClock, by }
  const { admin, companyId } = await openTestCompany(library)
  const request = {
    ...requestOf(library, admin),
    apiSecretsKey: { get: async () => ({ current: Buffer.alloc(32, 1).toString('base64') }) },
    webhookTargets: openWebhookTargets(),
  }
  const { webhookId: id } = (await createWebhook(request, companyId, { url: 'https://hooks.example.com/' })).webhook
  const event_id = await sendTest(request, id)
  const webhook = async (...args: string[]) => runJson(directory, ['webhook', ...args])
  const listed = { id, company_id: companyId, url: 'https://hooks.example.com/', enabled: true, failing_since: null }
  const [{ types, folder_ids, description, created, ...told }] = await webhook('list')
  assert.deepEqual(told, listed)
  assert.deepEqual(await webhook('list', '--company', String(companyId + 1)), [])
  const [{ id: _, time, ...delivery }] = await webhook('deliveries', id)
  assert.deepEqual(delivery, { event_id, type: 'webhook.test', state: 'pending', attempts: 0, status: null, error: null })
  assert.deepEqual(await webhook('deliveries', id, '--state', 'failed'), [])
  assert.deepEqual(await webhook('disable', id), { id, company_id: companyId, enabled: false })
  assert.equal(((await webhook('list')) as { enabled: boolean }[])[0]?.enabled, false)
  const { error } = await runCommand(directory, ['webhook', 'disable', `${companyId}-AAAAAAAAAAAA`])
  assert.match(error, /There is no such webhook/)
})

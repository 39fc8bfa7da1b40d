import assert from 'node:assert/strict'
import { deliveriesOf } from '../../shared/library/webhooks/delivery.ts'
import { companyOf, webhookKey } from '../../shared/library/webhooks/webhook.ts'
import type { World } from '../support/successes.ts'
import type { Sources } from './event-sources.ts'

/** Two slow webhooks that wait at a time: the run of the first one wakes that of the second. Nobody has their address. */
export async function webhooks({ client, accounts: { table } }: World, sources: Sources): Promise<void> {
  await sources.settle()
  const made = [1, 2].map(async () => (await client['create-webhook']({ body: { url: 'https://hooks.example.invalid/' } })).body.id)
  const ids = await Promise.all(made)
  for (const webhookId of ids) {
    await table.update(webhookKey(companyOf(webhookId)!, webhookId), { set: { isSlow: true } })
    assert.equal((await client['test-webhook']({ params: { webhookId } })).status, 200)
  }
  await sources.runJobs()
  for (const webhookId of ids) {
    const { body } = await client['list-deliveries']({ params: { webhookId } })
    assert.ok(body.deliveries[0]!.attempts.length > 0)
    await client['delete-webhook']({ params: { webhookId } })
  }
  await sources.runJobs()
  for (const webhookId of ids) assert.deepEqual((await table.query({ pk: deliveriesOf(webhookId), consistent: true })).items, [])
}

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { wakeJobs } from '../../../functions/events/wake-jobs.ts'
import { openWebhookTargets } from '../../../shared/backends/webhooks/http.ts'
import { jobsIn } from '../../../shared/library/jobs/in-state.ts'
import type { JobKind } from '../../../shared/library/jobs/job.ts'
import { mailJob } from '../../../shared/library/mail/job.ts'
import { deliver } from '../../../shared/library/webhooks/deliver.ts'
import { latestDeliveries, placeOf } from '../../../shared/library/webhooks/delivery.ts'
import { FAILING_WEBHOOKS } from '../../../shared/library/webhooks/health.ts'
import { changeWebhook, createWebhook, type WebhookChange } from '../../../shared/library/webhooks/manage.ts'
import { sendTest } from '../../../shared/library/webhooks/send.ts'
import { deliveryJob, jobFor, requireWebhook, slowDeliveryJob } from '../../../shared/library/webhooks/webhook.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { TestClock } from '../../support/test-clock.ts'
import { type Answering, webhookReceiver } from '../../support/webhook-receiver.ts'

const DAY = 86_400
const apiSecretsKey = { get: async () => ({ current: Buffer.alloc(32, 1).toString('base64') }) }

/** A company with a webhook, and what its job does by a clock of the test's own. */
async function openWebhook(answering: Answering) {
  const clock = new TestClock()
  const library = {
    ...openTestTable(clock),
    apiSecretsKey,
    webhookTargets: openWebhookTargets({ clock, plainHttp: true, allowed: ['127.0.0.0/8'] }),
    log: jsonLog(() => undefined),
  }
  const { admin, companyId } = await openTestCompany(library)
  const request = requestOf(library, admin)
  const { url, received } = await webhookReceiver(answering)
  const { webhookId } = (await createWebhook(request, companyId, { url })).webhook
  const webhook = () => requireWebhook(request, webhookId)
  /** Runs the job until it has nothing more to do, or for some seconds of the clock. @returns when it ran, in seconds from the first run */
  async function run(seconds = Number.POSITIVE_INFINITY, only?: JobKind<{ webhookId: string }>): Promise<number[]> {
    const ran = [0]
    for (;;) {
      const kind = only ?? jobFor(await webhook())
      const again = await deliver(library, { kind, companyId, webhookId, shown: (event) => event })
      if (!again && !only && jobFor(await webhook()) !== kind) continue
      const at = ran.at(-1)! + (again?.inSeconds ?? 0)
      if (!again || at > seconds) return ran
      clock.advance(again.inSeconds ?? 0)
      ran.push(at)
    }
  }
  const deliveries = async () => (await latestDeliveries(library, webhookId, {})).deliveries
  return {
    ...{ clock, library, received, run, deliveries, webhook },
    sendTest: () => sendTest(request, webhookId),
    change: (change: WebhookChange) => changeWebhook(request, webhookId, change),
    mails: async () => (await Array.fromAsync(jobsIn(library, 'waiting', [mailJob.name]))).map(({ input }) => input),
  }
}

describe('deliveries', () => {
  test('that fail are tried ten times over three days', async () => {
    const { run, received, deliveries, sendTest } = await openWebhook((response) => response.writeHead(500).end())
    await sendTest()
    const last = (await run()).at(-1)!
    assert.equal(received.length, 10)
    assert.ok(last >= 3 * DAY && last <= 3.4 * DAY, String(last))
    const [delivery] = await deliveries()
    assert.equal(placeOf(delivery!).state, 'failed')
    assert.deepEqual(
      delivery!.attempts.map(({ status }) => status),
      Array(10).fill(500),
    )
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  })

  test('wait as long as their target asks for, but no longer than a day', async () => {
    for (const [retryAfter, seconds] of [
      ['600', 600],
      ['999999', DAY],
      ['nonsense', 5],
    ] as const) {
      const { run, received, sendTest } = await openWebhook((response, n) =>
        response.writeHead(n === 0 ? 503 : 204, { 'retry-after': retryAfter }).end(),
      )
      await sendTest()
      const [, second = 0] = await run()
      assert.ok(second >= seconds && second <= seconds * 1.11, `${retryAfter}: ${second}`)
      assert.equal(received.length, 2)
    }
  })

  test('to a target that fails for five days end, and its admins are mailed', async () => {
    const { run, clock, sendTest, webhook, mails, change } = await openWebhook((response) => response.writeHead(500).end())
    await sendTest()
    await run(2 * DAY)
    assert.equal((await webhook()).enabled, true)
    assert.deepEqual(await mails(), [])
    clock.advance(3.5 * DAY)
    await sendTest()
    await run(60)
    const { enabled, webhookId } = await webhook()
    assert.equal(enabled, false)
    assert.deepEqual(
      (await mails()).map((input) => ({ ...(input as object), userId: 0 })),
      [{ webhook: webhookId, userId: 0, why: 'failing' }],
    )
    assert.equal((await change({ enabled: true })).failingSince, undefined)
  })

  test('to a target that fails for more than an hour are told of each minute, until one arrives', async () => {
    let isDown = true
    const { run, clock, library, sendTest } = await openWebhook((response) => response.writeHead(isDown ? 500 : 200).end())
    /** What the schedule that wakes jobs says. */
    const told = async () => {
      const lines: string[] = []
      const settings = { ...defaultSettings, playerUrl: '', cdnUrl: '' }
      const waker = { kinds: [], groupOf: (kind: string) => kind, wake: async () => undefined }
      await wakeJobs.handle({
        ...library,
        settings,
        by: { kind: 'job', job: 'wake-jobs', run: '1' },
        waker,
        log: jsonLog((line) => lines.push(line)),
      })
      return lines.map((line) => JSON.parse(line)).map(({ message, webhooks }) => ({ message, webhooks }))
    }
    await sendTest()
    await run(1_800)
    assert.deepEqual(await told(), [])
    clock.advance(3_600)
    assert.deepEqual(await told(), [{ message: FAILING_WEBHOOKS, webhooks: 1 }])
    isDown = false
    await sendTest()
    await run(60)
    assert.deepEqual(await told(), [])
  })

  test('to a target that answers slowly are handed to runs of their own, until it is quick', async () => {
    const { run, clock, received, sendTest, webhook } = await openWebhook((response, n) => {
      if (n === 0) clock.advance(5.2)
      response.writeHead(200).end()
    })
    await sendTest()
    await run()
    assert.equal((await webhook()).isSlow, true)
    await sendTest()
    await run(Number.POSITIVE_INFINITY, deliveryJob)
    assert.equal(received.length, 1)
    await run(Number.POSITIVE_INFINITY, slowDeliveryJob)
    assert.equal(received.length, 2)
    assert.equal((await webhook()).isSlow, undefined)
  })

  test('to a target that is new are among the slow ones until it has answered, and so are those to a new address', async () => {
    let isDown = true
    const { run, sendTest, webhook, change, received } = await openWebhook((response) =>
      isDown ? response.destroy() : response.writeHead(500).end(),
    )
    await sendTest()
    await run(0, deliveryJob)
    assert.equal(received.length, 0)
    await run(0, slowDeliveryJob)
    assert.deepEqual([received.length, (await webhook()).isSlow], [1, true])
    isDown = false
    await run(10)
    assert.equal((await webhook()).isSlow, undefined)
    isDown = true
    await run(60)
    assert.equal((await webhook()).isSlow, undefined)
    assert.equal((await change({ url: `${(await webhook()).url}/other` })).isSlow, true)
  })
})

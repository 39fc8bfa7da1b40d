import assert from 'node:assert/strict'
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import { describe, test, vi } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { startJobs } from '../../../../functions/events/start-jobs.ts'
import { events } from '../../../../functions/events.ts'
import { tellChange } from '../../../../functions/jobs/tell-change.ts'
import { retryFailedRuns } from '../../../../infra/admin/jobs/retry-failed-runs.ts'
import type { FailedRuns, Letter } from '../../../../infra/homes/failed-runs.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import type { Table } from '../../../../shared/backends/table/port.ts'
import { openWebhookTargets } from '../../../../shared/backends/webhooks/http.ts'
import { allEvents } from '../../../../shared/library/feed/all-events.ts'
import { createFolder } from '../../../../shared/library/folders/folders.ts'
import { deliver } from '../../../../shared/library/webhooks/deliver.ts'
import { createWebhook } from '../../../../shared/library/webhooks/manage.ts'
import { deliveryJob, slowDeliveryJob } from '../../../../shared/library/webhooks/webhook.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { batchHandler } from '../../../../shared/runtime/lambda.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import { runDueJobs } from '../../../support/due-jobs.ts'
import { instead } from '../../../support/instead.ts'
import { openTestCompany, openTestObjects, openTestTable, requestOf } from '../../../support/library.ts'
import { bounced } from '../../../support/ses-events.ts'
import { type Mapping, pollStream, recordOf, Throttled } from '../../../support/stream-poller.ts'
import { TestClock } from '../../../support/test-clock.ts'
import { webhookReceiver } from '../../../support/webhook-receiver.ts'
import { synthesize } from '../../aws/stack/synthesized.ts'
import { runCommand, temporaryLibrary } from '../run-command.ts'

process.env.SETTINGS = JSON.stringify(defaultSettings)

const HOUR = 3_600
const FUNCTION = 'arn:aws:lambda:eu-west-1:123456789012:function:media-library-start-jobs'

/** When Lambda gives up the changes of start-jobs, as the template says. */
const mapping: Mapping = synthesize({ endpoints, events })
  .ofType('AWS::Lambda::EventSourceMapping')
  .find(({ id }) => id.startsWith('startjobs'))!.properties

const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

type Handler = (event: DynamoDBStreamEvent) => Promise<void>

/**
 * A company with a webhook whose admin makes folders within an hour, and the stack that tells of them.
 * @param options.folders how many @param options.faults of the table
 */
async function openStack({ folders, faults = (table) => table }: { folders: number; faults?: (table: Table) => Table }) {
  const clock = new TestClock()
  /** The consumer goes by the machine's clock. */
  const jobClock = Object.assign(new TestClock(), { ms: Date.now() + 1_000 })
  const { table, by } = openTestTable()
  const library = {
    ...{ table, by, clock: systemClock, log: jsonLog(() => undefined) },
    apiSecretsKey: { get: async () => ({ current: Buffer.alloc(32, 1).toString('base64') }) },
    webhookTargets: openWebhookTargets({ clock: systemClock, plainHttp: true, allowed: ['127.0.0.0/8'] }),
  }
  const { admin, companyId } = await openTestCompany(library)
  const request = requestOf(library, admin)
  const { url, received } = await webhookReceiver()
  const { webhookId } = (await createWebhook(request, companyId, { url })).webhook
  const { position } = await table.readChanges(undefined, 10_000)
  const made: number[] = []
  for (let n = 0; n < folders; n++) made.push((await createFolder(request, { name: `Folder ${n}`, parent: null })).folderId)
  const { changes } = await table.readChanges(position, 10_000)
  const start = clock.now()
  const records = changes
    .filter(({ key }) => key.sk.startsWith('FOLDER#'))
    .map((change, n) => recordOf(change, n, start + (n * HOUR * 1_000) / folders))
  const waker = { kinds: [], groupOf: (kind: string) => kind, wake: async () => undefined }
  const handler: Handler = batchHandler({ ...startJobs, name: 'start-jobs' }, { table: faults(table), waker })

  const bucket = openTestObjects()
  const letters: Letter[] = []
  const ran: unknown[] = []
  /** Keeps a batch that was given up, as Lambda does, of which a rule of EventBridge sends a notice. */
  async function keep(Records: DynamoDBRecord[], n: number): Promise<void> {
    const key = `aws/lambda/mapping/shard/2026/01/15/2026-01-15T12.00.${String(n).padStart(4, '0')}-id`
    // The guide leaves open whether the payload is a value or the text of one.
    const payload = n % 2 === 0 ? { Records } : JSON.stringify({ Records })
    const kept = { requestContext: { functionArn: FUNCTION, condition: 'RetryAttemptsExhausted' }, payload }
    await bucket.put(key, Buffer.from(JSON.stringify(kept)), { contentType: 'application/json' })
    send({ 'detail-type': 'Object Created', source: 'aws.s3', detail: { object: { key } } })
  }
  function send(body: unknown): void {
    letters.push({ id: String(letters.length), body: JSON.stringify(body), receipt: '' })
  }
  let handled = handler
  let hidden = new Set<Letter>()
  const runs: FailedRuns = {
    changes: bucket,
    letters: {
      async receive() {
        const some = letters.filter((letter) => !hidden.has(letter)).slice(0, 10)
        for (const letter of some) hidden.add(letter)
        return some
      },
      remove: async (letter) => void letters.splice(letters.indexOf(letter), 1),
      giveBack: async (letter) => void hidden.delete(letter),
    },
    serviceConsumer: 'media-library-note-service-event',
    async run(fn, event) {
      ran.push(event)
      if (fn !== FUNCTION) return true
      return handled(event as DynamoDBStreamEvent).then(
        () => true,
        (error) => {
          if (error instanceof Killed) throw error
          return false
        },
      )
    },
  }
  return {
    ...{ clock, records, made: sorted(made), letters, ran, send, keep },
    /** Lambda polls the stream, and keeps what it gives up. @returns how many changes that were */
    async poll(by: (event: DynamoDBStreamEvent) => ReturnType<Handler> = handler): Promise<number> {
      const givenUp = await pollStream(records, by, mapping, clock)
      for (const [n, batch] of givenUp.entries()) await keep(batch, n)
      return givenUp.flat().length
    },
    handler,
    /** Runs the jobs that repeat what the consumer failed on. @param seconds that pass before */
    async repeat(seconds = 0) {
      jobClock.advance(seconds)
      await runDueJobs({ table: faults(table), clock: jobClock }, tellChange)
    },
    /** Has the command run a consumer in another way. */
    handledBy(other: Handler) {
      handled = other
    },
    /** The command, as a process that has died leaves it: letters that it hid are shown again. */
    async retry() {
      hidden = new Set()
      return retryFailedRuns(runs)
    },
    kept: async () => (await bucket.list('')).objects.length,
    /** Folders that the feed tells of, in its order, and those that the webhook was told of. */
    async told() {
      const feed = await Array.fromAsync(allEvents({ table, clock: systemClock }, companyId, 0))
      for (const kind of [slowDeliveryJob, deliveryJob]) {
        while (await deliver(library, { kind, companyId, webhookId, shown: (event) => event }));
      }
      const bodies = received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'folder.created')
      return {
        feed: sorted(feed.flatMap(({ data }) => data.folderId ?? [])),
        webhook: sorted(bodies.map(({ data }) => data.data.folderId)),
      }
    },
  }
}

const folderIn = ({ dynamodb }: DynamoDBRecord) => Number(dynamodb?.NewImage?.folderId?.N)

/** Ends the command. */
class Killed extends Error {}

const failing: Handler = async () => {
  throw new Error('the table is away')
}

describe('failed-runs retry', () => {
  test('tells of every change once after the consumer failed for an hour', async () => {
    const { clock, made, poll, handler, retry, told, kept, letters } = await openStack({ folders: 240 })
    const end = clock.now() + HOUR * 1_000
    const givenUp = await poll((event) => (clock.now() < end ? failing(event) : handler(event)))
    // The others waited in the stream.
    assert.ok(givenUp > 0 && givenUp < made.length / 2, `${givenUp}`)
    assert.equal((await told()).feed.length, made.length - givenUp)
    assert.deepEqual(await retry(), { changes: givenUp, messages: 0, schedules: 0, failed: 0, unknown: 0 })
    assert.deepEqual(await told(), { feed: made, webhook: made })
    assert.deepEqual([await kept(), letters.length], [0, 0])
  })

  test('tells of every change once after the consumer could not be started for a day', async () => {
    const { clock, made, poll, handler, retry, told } = await openStack({ folders: 50 })
    const end = clock.now() + 24 * HOUR * 1_000
    const givenUp = await poll(async (event) => {
      if (clock.now() < end) throw new Throttled()
      return handler(event)
    })
    assert.equal(givenUp, made.length)
    assert.equal((await retry()).changes, made.length)
    assert.deepEqual(await told(), { feed: made, webhook: made })
  })

  test('leaves the one change of which the consumer dies again, and its letter, until it is handled', async () => {
    const { records, made, poll, handler, handledBy, retry, told, kept, letters } = await openStack({ folders: 120 })
    const poison = records[60]!
    const dying: Handler = async (event) => {
      if (event.Records.includes(poison)) throw new Error('it ran out of memory')
      return handler(event)
    }
    assert.equal(await poll(dying), 1)
    const others = made.filter((folderId) => folderId !== folderIn(poison))
    assert.deepEqual(await told(), { feed: others, webhook: others })
    handledBy(failing)
    assert.deepEqual(await retry(), { changes: 0, messages: 0, schedules: 0, failed: 1, unknown: 0 })
    assert.deepEqual([await kept(), letters.length], [1, 1])
    handledBy(handler)
    assert.equal((await retry()).changes, 1)
    assert.deepEqual(await told(), { feed: made, webhook: made })
    assert.deepEqual([await kept(), letters.length], [0, 0])
  })

  test('has nothing to do with a change on which the consumer only fails: a job repeats it', async () => {
    let poison: string | undefined
    const faults = (table: Table) =>
      instead(table, {
        async transact(operations) {
          if (Object.keys(operations).some((name) => name === `mark ${poison}.0`)) throw new Error('it is poison')
          return table.transact(operations)
        },
      })
    const { records, made, poll, repeat, told, kept } = await openStack({ folders: 120, faults })
    poison = records[60]!.eventID!
    const sleep = vi.spyOn(systemClock, 'sleep').mockResolvedValue()
    assert.equal(await poll(), 0)
    sleep.mockRestore()
    assert.equal(await kept(), 0)
    assert.ok((await told()).feed.length < made.length)
    await assert.rejects(repeat(), /could not be told/)
    poison = undefined
    await repeat(3_600)
    assert.deepEqual(await told(), { feed: made, webhook: made })
  })

  test('tells nothing twice of what was told before, and goes on where it was killed', async () => {
    const { records, made, keep, handler, handledBy, retry, told, kept, letters } = await openStack({ folders: 300 })
    // Lambda may keep one twice.
    for (const [n, record] of [...records.slice(0, 10), ...records].entries()) await keep([record], n)
    // Some were handled before their answers were lost.
    await handler({ Records: records.slice(50, 150) })
    let invocations = 0
    handledBy(async (event) => {
      const answer = await handler(event)
      if (++invocations === 2) throw new Killed()
      return answer
    })
    await assert.rejects(retry(), Killed)
    assert.equal(await kept(), 309)
    handledBy(handler)
    await retry()
    assert.deepEqual(await told(), { feed: made, webhook: made })
    assert.deepEqual([await kept(), letters.length], [0, 0])
  })

  test('notes messages of services, removes letters of schedules, and leaves what it does not know', async () => {
    const { send, retry, ran, letters } = await openStack({ folders: 0 })
    send(bounced)
    send({ source: 'aws.scheduler', 'detail-type': 'Scheduled Event', detail: '{}' })
    send({ DDBStreamBatchInfo: { shardId: 'shard' } })
    letters.push({ id: 'text', body: 'text', receipt: '' })
    assert.deepEqual(await retry(), { changes: 0, messages: 1, schedules: 1, failed: 0, unknown: 2 })
    assert.deepEqual(ran, [bounced])
    assert.equal(letters.length, 2)
  })

  test('says on one machine who does it there', async () => {
    const { code, error } = await runCommand(await temporaryLibrary(), ['failed-runs', 'retry'])
    assert.deepEqual([code, error.includes('One machine tries again what failed')], [1, true])
  })
})

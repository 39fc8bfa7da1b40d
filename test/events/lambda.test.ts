import assert from 'node:assert/strict'
import type { DynamoDBRecord } from 'aws-lambda'
import { beforeEach, describe, test, vi } from 'vitest'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { type Table, TableUnavailable } from '../../shared/backends/table/port.ts'
import { eventsToRepeat, type Failed } from '../../shared/library/events/failed-event.ts'
import { jobsIn } from '../../shared/library/jobs/in-state.ts'
import { JobKind } from '../../shared/library/jobs/job.ts'
import type { Batches, NamedFunction } from '../../shared/runtime/consumer.ts'
import { batchHandler, startedHandler } from '../../shared/runtime/lambda.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { instead } from '../support/instead.ts'
import { by, openTestTable } from '../support/library.ts'
import { recordOf } from '../support/stream-poller.ts'

process.env.SETTINGS = JSON.stringify({ brand: 'SVC' })

// biome-ignore lint/suspicious/noExplicitAny: the table of events knows nothing of what each handler receives.
const consumer = (handle: (event: any) => Promise<void>): Pick<NamedFunction, 'name' | 'uses' | 'handle'> => ({
  name: 'consumer',
  uses: { table: 'read' },
  handle,
})
const table = {} as never

describe('a consumer of the stream as Lambda function', () => {
  beforeEach(() => {
    const sleep = vi.spyOn(systemClock, 'sleep').mockResolvedValue()
    return () => sleep.mockRestore()
  })

  const record = (sequence: string): DynamoDBRecord => ({
    eventID: `id-${sequence}`,
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: sequence,
      Keys: { pk: { S: `MEDIA#${sequence}` }, sk: { S: 'TOMBSTONE' } },
      NewImage: { mediaId: { N: sequence }, companyId: { N: '5' } },
    },
  })
  const other = { ...record('3'), dynamodb: { Keys: { pk: { S: 'OTHER#3' }, sk: { S: 'OTHER' } }, NewImage: { id: { S: '3' } } } }
  const unreadable = {
    ...record('4'),
    eventName: 'MODIFY',
    dynamodb: {
      Keys: { pk: { S: 'MEDIA#4' }, sk: { S: 'MEDIA' } },
      OldImage: { state: { S: 'available' }, folders: { NULL: true } },
      NewImage: { state: { S: 'available' } },
    },
  } satisfies DynamoDBRecord
  const repetition = new JobKind<Failed>('repeat')

  /** @param handle what the consumer does @param faults of the table */
  function follower(handle: Batches['handle'], faults = (table: Table) => table) {
    const { table } = openTestTable()
    const declared = { uses: {}, trigger: { batchesOf: ['media.removed', 'media.placed'] as const }, repeatedBy: repetition, handle }
    return {
      handler: batchHandler({ ...declared, name: 'follow' }, { table: faults(table) }),
      repeated: async () =>
        (await Array.fromAsync(jobsIn({ table }, 'waiting', ['repeat']))).map(({ subject, companyId, input }) => ({
          subject,
          companyId,
          input,
        })),
    }
  }

  test('gets the events that it wants, in order', async () => {
    const seen: unknown[] = []
    const { handler, repeated } = follower(async ({ events, by }) => {
      seen.push(...events, by.run)
      return []
    })
    await handler({ Records: [record('1'), other, record('2')] })
    const event = (mediaId: number) => ({ name: 'media.removed', id: `id-${mediaId}.0`, companyId: 5, mediaId })
    assert.deepEqual(seen, [event(1), event(2), 'id-1'])
    await handler({ Records: [other] })
    assert.equal(seen.length, 3)
    assert.deepEqual(await repeated(), [])
  })

  test('has a job repeat each event on which it fails, and what cannot be read; others go on', async () => {
    const seen: number[] = []
    const { handler, repeated } = follower(async ({ events }) => {
      seen.push(...events.map(({ mediaId }: { mediaId: number }) => mediaId))
      return events.filter(({ mediaId }: { mediaId: number }) => mediaId === 2)
    })
    const Records = [record('1'), unreadable, record('2'), record('5')]
    // Lambda may give it the same batch again.
    for (const _ of [1, 2]) await handler({ Records })
    assert.deepEqual(seen, [1, 2, 5, 2, 2, 2, 2, 1, 2, 5, 2, 2, 2, 2])
    const jobs = await repeated()
    assert.deepEqual(jobs.map(({ subject, companyId }) => [subject, companyId]).sort(), [
      ['id-2.0', 5],
      ['id-4', 0],
    ])
    const inputs = jobs.map(({ input }) => input as Failed)
    assert.deepEqual(
      inputs.flatMap((input) => ('event' in input ? eventsToRepeat(input, ['media.removed']).map(({ id }) => id) : input.change.id)).sort(),
      ['id-2.0', 'id-4'],
    )
  })

  test('tries again what fails for a moment, before it gets what comes after', async () => {
    const seen: number[] = []
    let outage = 3
    const { handler, repeated } = follower(async ({ events }) => {
      if (outage-- > 0) throw new Error('away')
      seen.push(...events.map(({ mediaId }: { mediaId: number }) => mediaId))
      return []
    })
    await handler({ Records: [record('1'), record('2')] })
    await handler({ Records: [record('3')] })
    assert.deepEqual(seen, [1, 2, 3])
    assert.deepEqual(await repeated(), [])
  })

  test('has jobs repeat all where it throws', async () => {
    const { handler, repeated } = follower(async () => {
      throw new Error('bad')
    })
    await handler({ Records: [record('1'), record('2')] })
    assert.deepEqual((await repeated()).map(({ subject }) => subject).sort(), ['id-1.0', 'id-2.0'])
  })

  test('fails where no job can be asked for, so that the stream gives it the same again', async () => {
    const { handler } = follower(
      async ({ events }) => events,
      (table) =>
        instead(table, {
          transact: async () => {
            throw new TableUnavailable('away')
          },
        }),
    )
    await assert.rejects(handler({ Records: [record('1')] }), TableUnavailable)
  })

  test('asks for no job because a job waits: that would go on for ever', async () => {
    const { table } = openTestTable()
    const handle: Batches['handle'] = async () => {
      throw new Error('bad')
    }
    const declared = { uses: {}, trigger: { batchesOf: ['job.waits'] as const }, repeatedBy: repetition, handle }
    await table.transact({
      job: repetition.ask({ clock: systemClock, by }, { companyId: toCompanyId(1), subject: 'a', input: { event: {} as never } }),
    })
    const { changes } = await table.readChanges(undefined, 10)
    const Records = changes.map((change, n) => recordOf(change, n))
    await batchHandler({ ...declared, name: 'follow' }, { table })({ Records })
    assert.equal((await Array.fromAsync(jobsIn({ table }, 'waiting', ['repeat']))).length, 1)
  })
})

describe('what a schedule or a rule starts, as Lambda function', () => {
  test('gets the event, who it acts as, what it uses and the context', async () => {
    const seen: Record<string, unknown>[] = []
    const started = startedHandler(
      consumer(async (event) => void seen.push(event)),
      { table },
    )
    await started({ source: 'aws.ses' }, { awsRequestId: 'r-1' })
    const [{ message, by, settings, clock, log, ...granted }] = seen as [Record<string, unknown>]
    assert.deepEqual([message, settings], [{ source: 'aws.ses' }, { brand: 'SVC' }])
    assert.deepEqual(by, { kind: 'job', job: 'consumer', run: 'r-1' })
    assert.ok(clock && log)
    assert.deepEqual(Object.keys(granted), ['table'])
  })

  test('fails when its run fails, so that Lambda runs it again', async () => {
    const failing = startedHandler(
      consumer(async () => {
        throw new Error('bad')
      }),
      { table },
    )
    await assert.rejects(failing({}, { awsRequestId: 'r-1' }), /bad/)
  })
})

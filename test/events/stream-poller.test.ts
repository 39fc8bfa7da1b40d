import assert from 'node:assert/strict'
import type { DynamoDBRecord } from 'aws-lambda'
import fc from 'fast-check'
import { describe, onTestFinished, test, vi } from 'vitest'
import { changeHandler } from '../../shared/events/lambda.ts'
import type { DomainEvent } from '../../shared/library/events/domain-events.ts'
import { type PollerSettings, pollStream } from './stream-poller.ts'

/** What the event source mappings say, which test/infra/stack/event-functions.test.ts looks at. */
const RETRY_ATTEMPTS = 10
const BATCH = 100

type Fate = 'good' | 'bad' | { failures: number }

const record = (position: number): DynamoDBRecord => ({
  eventID: `id-${position}`,
  dynamodb: {
    SequenceNumber: String(1_000 + position),
    Keys: { pk: { S: `MEDIA#${position}` }, sk: { S: 'TOMBSTONE' } },
    NewImage: { mediaId: { N: String(position) } },
  },
})

/** Lets the real handler consume a batch. @returns the positions that were handled, in the order of their first time, and those dropped */
async function consume(fates: readonly Fate[], partialAnswer: PollerSettings['partialAnswer']) {
  const failures = new Map<number, number>()
  const handled = new Set<number>()
  const consumer = {
    name: 'consumer',
    trigger: { events: ['media.removed'] as const },
    uses: {},
    async handle({ event }: { event: DomainEvent<'media.removed'> }) {
      const position: number = event.mediaId
      const fate = fates[position]!
      const before = failures.get(position) ?? 0
      const fails = fate === 'bad' || (typeof fate === 'object' && before < fate.failures)
      failures.set(position, before + 1)
      if (fails) throw new Error('bad')
      handled.add(position)
    },
  }
  const dropped = await pollStream(
    fates.map((_, position) => record(position)),
    changeHandler(consumer, {}),
    { retryAttempts: RETRY_ATTEMPTS, partialAnswer },
  )
  return { handled: [...handled], dropped: dropped.map((batch) => batch.map(({ dynamodb }) => Number(dynamodb!.NewImage!.mediaId!.N))) }
}

/** Every change that can be handled is, in order; the others are dropped, each by itself. */
async function onlyBadOnesAreDropped(fates: readonly Fate[], partialAnswer: PollerSettings['partialAnswer']): Promise<void> {
  const { handled, dropped } = await consume(fates, partialAnswer)
  const positions = fates.map((_, position) => position)
  assert.deepEqual(
    handled,
    positions.filter((position) => fates[position] !== 'bad'),
  )
  assert.deepEqual(
    dropped,
    positions.filter((position) => fates[position] === 'bad').map((position) => [position]),
  )
}

/** What consumers log of a failure is no matter here, and much. */
function quietly(): void {
  const muted = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => muted.mockRestore())
}

const bad = fc.constant<Fate>('bad')
const good = fc.constant<Fate>('good')
/** As often as a change is tried, but once. */
const transient = fc.integer({ min: 1, max: RETRY_ATTEMPTS }).map((failures): Fate => ({ failures }))
const batches = (...fates: fc.WeightedArbitrary<Fate>[]) => fc.array(fc.oneof(...fates), { minLength: 1, maxLength: BATCH, size: 'max' })

describe('a change consumer behind the poller of a stream', () => {
  test('one bad change at the front of a batch takes no other along', async () => {
    quietly()
    await onlyBadOnesAreDropped(['bad', ...Array.from({ length: BATCH - 1 }, (): Fate => 'good')], 'starts anew')
  })

  test('every good change is handled and only bad ones are dropped, whatever fails for good or for a while', async () => {
    quietly()
    const arbitrary = batches({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: bad }, { weight: 1, arbitrary: transient })
    await fc.assert(
      fc.asyncProperty(arbitrary, (fates) => onlyBadOnesAreDropped(fates, 'starts anew')),
      { numRuns: 40 },
    )
  })

  test('the same of what fails for good, should a partial answer count as a retry', async () => {
    quietly()
    const arbitrary = batches({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: bad })
    await fc.assert(
      fc.asyncProperty(arbitrary, (fates) => onlyBadOnesAreDropped(fates, 'counts')),
      { numRuns: 40 },
    )
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { queues } from '../../../shared/backends/queue/queues.ts'
import { sampleTables } from './sample-tables.ts'
import { pointsAt, type Synthesized, synthesize } from './synthesized.ts'

const real = synthesize({ endpoints, events })
const sample = synthesize(sampleTables)

describe('event functions', () => {
  const sources = new Map(
    sample.ofType('AWS::Lambda::EventSourceMapping').map(({ id, properties }) => [id.replace(/Source\w{8}$/, ''), properties]),
  )

  test('every consumer and kind of job takes no more executions than a small account has room for', () => {
    const runsOf = (stack: Synthesized) =>
      stack.ofType('AWS::Lambda::Function').flatMap(({ properties }) => properties.Environment?.Variables.JOB_RUNS ?? [])
    const small = synthesize({ endpoints, events }, { consumerConcurrency: '1' })
    for (const { id, properties } of small.ofType('AWS::Lambda::EventSourceMapping')) {
      const { ScalingConfig, ParallelizationFactor } = properties
      // SQS allows no fewer than two.
      assert.ok(ScalingConfig ? ScalingConfig.MaximumConcurrency === 2 : (ParallelizationFactor ?? 1) === 1, id)
    }
    const kinds = Object.values(events).flatMap(({ trigger }) => ('job' in trigger ? [trigger] : []))
    assert.deepEqual(
      runsOf(small),
      kinds.map(() => '1'),
    )
    assert.deepEqual(runsOf(real).sort(), kinds.map(({ runs }) => String(runs)).sort())
    assert.ok(runsOf(synthesize({ endpoints, events }, { importConcurrency: '50' })).includes('50'))
  })

  test('a consumer that may outlast the visibility of its messages is refused', () => {
    const slow = { ...sampleTables.events['consume-service-events']!, timeoutSeconds: queues.serviceEvents.visibilitySeconds }
    assert.throws(
      () => synthesize({ ...sampleTables, events: { ...sampleTables.events, slow } }),
      /come back after 180 s, within its time-out of 180 s/,
    )
  })

  test('a change consumer sees the changes that may tell of the events that it wants, and no others', () => {
    const filters = (name: string) =>
      sources.get(name).FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern))
    assert.deepEqual(filters('followexact'), [{ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: ['TOMBSTONE'] } } } }])
    assert.deepEqual(filters('followprefix'), [
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { pk: { S: [{ prefix: 'COMPANY#' }] }, sk: { S: [{ prefix: 'FOLDER#' }] } } } },
      { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: ['LINK'] } } } },
    ])
    assert.deepEqual([sources.get('followexact').ParallelizationFactor, sources.get('followprefix').ParallelizationFactor], [4, undefined])
  })

  test('a change that fails again and again is found by bisection and becomes a dead letter', () => {
    const source = sources.get('followexact')
    assert.equal(source.BisectBatchOnFunctionError, true)
    assert.ok(source.MaximumRetryAttempts > 0 && source.MaximumRetryAttempts < 100)
    assert.match(pointsAt(source.DestinationConfig.OnFailure.Destination)!, /failedruns/)
  })
})

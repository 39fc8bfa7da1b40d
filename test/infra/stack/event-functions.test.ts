import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
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
      assert.equal(properties.ParallelizationFactor ?? 1, 1, id)
    }
    const kinds = Object.values(events).flatMap(({ trigger }) => ('job' in trigger ? [trigger] : []))
    assert.deepEqual(
      runsOf(small),
      kinds.map(() => '1'),
    )
    assert.deepEqual(runsOf(real).sort(), kinds.map(({ runs }) => String(runs)).sort())
    assert.ok(runsOf(synthesize({ endpoints, events }, { importConcurrency: '50' })).includes('50'))
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

  test('a change that fails again and again is found by bisection, and kept whole before the stream forgets it', () => {
    const source = sources.get('followexact')
    assert.equal(source.BisectBatchOnFunctionError, true)
    assert.ok(source.MaximumRetryAttempts > 0 && source.MaximumRetryAttempts < 100)
    const hours = source.MaximumRecordAgeInSeconds / 3_600
    assert.ok(hours >= 12 && hours < 24)
    assert.match(pointsAt(source.DestinationConfig.OnFailure.Destination)!, /failedchanges/)
  })

  test('what services tell starts a function at once; what it fails on waits with all else that failed', () => {
    const [fn] = sample.ofType('AWS::Lambda::Function').filter(({ id }) => id.startsWith('consumeserviceevents'))
    assert.match(pointsAt(fn!.properties.DeadLetterConfig.TargetArn)!, /failedruns/)
    const targets = sample.ofType('AWS::Events::Rule').flatMap(({ properties }) => properties.Targets)
    const starting = targets.filter(({ Arn }) => pointsAt(Arn) === fn!.id)
    assert.deepEqual(
      starting.map(({ DeadLetterConfig }) => pointsAt(DeadLetterConfig.Arn)),
      Array(2).fill(pointsAt(fn!.properties.DeadLetterConfig.TargetArn)),
    )
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { sampleTables } from './sample-tables.ts'
import { type Json, madeBefore, pointsAt, type Synthesized, synthesize } from './synthesized.ts'

const real = synthesize({ endpoints, events })
const sample = synthesize(sampleTables)

describe('event functions', () => {
  const sources = new Map(
    sample.ofType('AWS::Lambda::EventSourceMapping').map(({ id, properties }) => [id.replace(/Source\w{8}$/, ''), properties]),
  )

  test('every consumer and function of jobs takes no more executions than a small account has room for', () => {
    const runsOf = (stack: Synthesized) =>
      stack.ofType('AWS::Lambda::Function').flatMap(({ properties }) => properties.Environment?.Variables.JOB_RUNS ?? [])
    const small = synthesize({ endpoints, events }, { consumerConcurrency: '1' })
    for (const { id, properties } of small.ofType('AWS::Lambda::EventSourceMapping')) {
      assert.equal(properties.ParallelizationFactor ?? 1, 1, id)
    }
    assert.ok(runsOf(small).length >= 5)
    assert.deepEqual([...new Set(runsOf(small))], ['1'])
    assert.ok(runsOf(real).includes('10'))
    assert.ok(runsOf(synthesize({ endpoints, events }, { importConcurrency: '50' })).includes('50'))
  })

  describe('of jobs', () => {
    const functions = new Map(
      real.ofType('AWS::Lambda::Function').map((fn) => [String(fn.properties.FunctionName).replace(/^media-library-/, ''), fn]),
    )
    const statementsOf = (name: string): Json[] => {
      const role = real.template.Resources[pointsAt(functions.get(name)!.properties.Role)!]
      return role.Properties.Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement)
    }
    const actionsOf = (name: string) => new Set(statementsOf(name).flatMap(({ Action }) => Action))

    test('kinds of a group share one function, with what the neediest of them declares, and the others have one each', () => {
      const kinds = Object.entries(events).flatMap(([name, { trigger }]) => ('job' in trigger && functions.has(name) ? [name] : []))
      for (const name of ['encode-video', 'import-media']) assert.ok(kinds.includes(name), name)
      for (const name of ['build-zip', 'send-mail', 'deliver-events']) assert.ok(!kinds.includes(name), name)
      const sizeOf = (name: string) => {
        const { MemorySize, Timeout, EphemeralStorage } = functions.get(name)!.properties
        return [MemorySize, Timeout, EphemeralStorage?.Size]
      }
      assert.deepEqual(sizeOf('short-jobs'), [512, 60, undefined])
      assert.deepEqual(sizeOf('webhook-jobs'), [512, 60, undefined])
      assert.deepEqual(sizeOf('long-jobs'), [3008, 900, 10_240])
    })

    test('what reads files of strangers, or talks to their hosts, may send no mail, sign no address and start no transcoder', () => {
      assert.ok(actionsOf('short-jobs').has('ses:SendEmail'))
      for (const name of ['long-jobs', 'webhook-jobs', 'import-media']) {
        for (const action of ['ses:SendEmail', 'cloudfront:CreateInvalidation', 'iam:PassRole', 'rekognition:DetectLabels']) {
          assert.ok(!actionsOf(name).has(action), `${name} may ${action}`)
        }
      }
      const keys = (name: string) => statementsOf(name).filter(({ Action }) => [Action].flat().includes('ssm:GetParameter'))
      assert.deepEqual(keys('long-jobs'), [])
      for (const name of ['short-jobs', 'webhook-jobs']) assert.equal(keys(name).length, 1)
      assert.notDeepEqual(keys('short-jobs'), keys('webhook-jobs'))
    })

    test('what one kind of a group may do, and another too, is allowed once', () => {
      const holders = (name: string, action: string, bucket: string) =>
        statementsOf(name).filter(({ Action, Resource }) => [Action].flat().includes(action) && JSON.stringify(Resource).includes(bucket))
      assert.equal(holders('long-jobs', 's3:GetObject', 'StorageMedia').length, 1)
      assert.equal(holders('short-jobs', 's3:DeleteObject', 'StoragePublic').length, 1)
    })

    test('functions of groups are there before those who wake them, so an update that adds one wakes none that is missing', () => {
      for (const waker of ['start-jobs', 'wake-jobs']) {
        const before = madeBefore(real, functions.get(waker)!.id)
        for (const group of ['short-jobs', 'long-jobs', 'webhook-jobs'])
          assert.ok(before.has(functions.get(group)!.id), `${group} ${waker}`)
      }
    })
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

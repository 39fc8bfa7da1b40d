import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, type Synthesized, synthesize } from './synthesized.ts'

const real = synthesize({ endpoints, events })

describe('buckets', () => {
  test('keep deleted and replaced files for 30 days where the stack retains, and only there', () => {
    const media = (stack: Synthesized) => stack.ofType('AWS::S3::Bucket').find(({ id }) => id.includes('Media'))!.properties
    const retaining = media(synthesize(sampleTables, { retain: 'true' }))
    assert.equal(retaining.VersioningConfiguration.Status, 'Enabled')
    assert.equal(media(real).VersioningConfiguration, undefined)
    // Versions outlive the setting that made them.
    for (const { LifecycleConfiguration } of [retaining, media(real)]) {
      const [rule] = LifecycleConfiguration.Rules
      assert.equal(rule.Status, 'Enabled')
      assert.equal(rule.NoncurrentVersionExpiration.NoncurrentDays, 30)
      assert.equal(rule.ExpiredObjectDeleteMarker, true)
    }
  })

  test('uploads take forms from any site, none expires by age, and an hourly sweep removes those that nobody needs', () => {
    const uploads = real.ofType('AWS::S3::Bucket').find(({ id }) => id.includes('Uploads'))!
    const [rule, ...others] = uploads.properties.LifecycleConfiguration.Rules
    assert.deepEqual([rule.ExpirationInDays, rule.AbortIncompleteMultipartUpload, others], [undefined, { DaysAfterInitiation: 90 }, []])
    const sweep = real.ofType('AWS::Scheduler::Schedule').find(({ id }) => id.includes('sweepuploads'))
    assert.equal(sweep?.properties.ScheduleExpression, 'rate(60 minutes)')
    assert.deepEqual(uploads.properties.CorsConfiguration.CorsRules[0].AllowedMethods, ['POST', 'PUT'])
    assert.deepEqual(uploads.properties.CorsConfiguration.CorsRules[0].AllowedOrigins, ['*'])
    assert.ok(uploads.properties.CorsConfiguration.CorsRules[0].ExposedHeaders.includes('ETag'))
  })
})

test('the page behind a share link may connect to the bucket that takes parts and forms', () => {
  const uploads = real.ofType('AWS::S3::Bucket').find(({ id }) => id.includes('Uploads'))!
  const page = real.ofType('AWS::Lambda::Function').find(({ properties }) => asText(properties.FunctionName).endsWith('visit-share'))!
  const { uploadsUrl } = JSON.parse(asText(page.properties.Environment.Variables.SETTINGS))
  assert.equal(uploadsUrl, `https://<${uploads.id}.RegionalDomainName>`)
  // A part is put by script, which asks first.
  const [{ AllowedMethods, AllowedHeaders, AllowedOrigins }] = uploads.properties.CorsConfiguration.CorsRules
  assert.deepEqual([AllowedMethods.includes('PUT'), AllowedHeaders, AllowedOrigins], [true, ['*'], ['*']])
})

describe('retention', () => {
  const holdsData = /^(AWS::(DynamoDB::Table|S3::Bucket)|Custom::(Buckets|Secrets))$/

  // CloudFormation removes whatever has another id after an update. Of `Custom::Buckets` that would empty the buckets of a stack in use, of
  // `Custom::Secrets` it would remove its keys.
  test('what holds data, what empties buckets, and what removes keys has the ids that stacks know which exist', () => {
    const ids = real.resources.filter(({ type }) => holdsData.test(type)).map(({ id }) => id)
    assert.deepEqual(ids.sort(), [
      'PreparedBucketsPreparedBB70A17A',
      'Queuesfailedchanges601DBC0D',
      'SecretsValues203AB924',
      'StorageMedia9333CB25',
      'StoragePublic24EB67DD',
      'StorageTableB43FDCE7',
      'StorageUploadsBDC5E374',
    ])
  })
})

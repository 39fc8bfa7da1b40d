import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { endpointFunctions } from '../../../infra/bundling/endpoint-functions.ts'
import { consoleHeaders } from '../../../infra/console/console-files.ts'
import { playerFiles, playerHeaders } from '../../../infra/player/player-files.ts'
import { sharedHeaders } from '../../../infra/stack/shared-headers.ts'
import { queues } from '../../../shared/backends/queue/queues.ts'
import { type IndexSchema, indexes } from '../../../shared/backends/table/indexes.ts'
import { LINK_HEADERS } from '../../../shared/http/link-headers.ts'
import { FAILED_JOBS } from '../../../shared/library/jobs/operator.ts'
import { streamCacheControl } from '../../../shared/library/videos/objects.ts'
import { FAILING_WEBHOOKS } from '../../../shared/library/webhooks/failing.ts'
import { PLAYLIST } from '../../../shared/vocabulary/video.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, type Json, listOf, pointsAt, type Synthesized, synthesize, synthesizeAnew } from './synthesized.ts'
import { MOST_RESOURCES } from './template-checks.ts'

/** A cache policy of CloudFront's own. */
const CACHING_OPTIMIZED = '658327ea-f89d-4fab-a63d-7e88639e58f6'

const tables = { endpoints, events }
const real = synthesize(tables)
const sample = synthesize(sampleTables)

describe('the stack', () => {
  test('stays below the resources that CloudFormation takes, with room', () => {
    assert.ok(real.resources.length < MOST_RESOURCES, `${real.resources.length} resources`)
  })

  test('stays below 600 KB of the 1 MB that a template may have', () => {
    assert.ok(JSON.stringify(real.template).length < 600_000, `${JSON.stringify(real.template).length} bytes`)
  })

  test('is the same each time it is synthesized', () => {
    assert.deepEqual(synthesizeAnew(tables).template, real.template)
  })

  test('tells its addresses, and what the operator works on', () => {
    assert.deepEqual(Object.keys(real.template.Outputs).sort(), [
      'ApiSecretsKeyArn',
      'BaseUrl',
      'Brand',
      'CdnUrl',
      'DeliveryUrl',
      'FilesStay',
      'MailConfigurationSet',
      'MailSender',
      'MediaBucket',
      'PlayerUrl',
      'PublicBucket',
      'TableName',
      'UploadsBucket',
      'Vendor',
    ])
  })

  test('has a function for every endpoint, or several that say so, and every event function, named by its key', () => {
    const names = real.ofType('AWS::Lambda::Function').map(({ properties }) => properties.FunctionName)
    const expected = [
      ...endpointFunctions(endpoints).map(({ name }) => name),
      ...Object.keys(events),
      'api-document',
      'fallback',
      'make-secrets',
      'prepare-buckets',
      'renew-snapshots',
    ]
    assert.deepEqual(names.sort(), expected.map((key) => `media-library-${key}`).sort())
  })

  test('every function runs Node 24 on arm64 and logs to a group that forgets: the API has one, each other function its own', () => {
    const groups = new Map(real.ofType('AWS::Logs::LogGroup').map(({ id, properties }) => [id, properties]))
    const others: string[] = []
    for (const { id, properties } of real.ofType('AWS::Lambda::Function')) {
      assert.equal(properties.Runtime, 'nodejs24.x', id)
      assert.deepEqual(properties.Architectures, ['arm64'], id)
      const group = pointsAt(properties.LoggingConfig?.LogGroup)!
      assert.equal(groups.get(group)?.RetentionInDays, 30, id)
      if (id.startsWith('Api')) assert.match(group, /^ApiLogs/)
      else others.push(group)
    }
    assert.equal(new Set(others).size, others.length)
    assert.equal(groups.size, others.length + 1)
  })

  test('no endpoint computes on after the gateway gave up', () => {
    for (const { id, properties } of real.ofType('AWS::Lambda::Function').filter(({ id }) => id.startsWith('Api'))) {
      assert.ok(properties.Timeout <= 29, id)
    }
    const slow = { ...sampleTables.endpoints.ping!, timeoutSeconds: 30 }
    assert.throws(() => synthesize({ ...sampleTables, endpoints: { slow } }), /slow: a time-out of 30 s is above the gateway's 29 s/)
  })

  test('a function has the space for temporary files that it declares', () => {
    const space = (key: string) =>
      real.ofType('AWS::Lambda::Function').find(({ properties }) => properties.FunctionName === `media-library-${key}`)?.properties
        .EphemeralStorage?.Size
    for (const key of ['search-media', 'search-stock', 'get-search-layout', 'list-folders']) assert.equal(space(key), 10_240)
    assert.equal(space('get-folder'), undefined)
  })

  test('no environment variable holds a secret', () => {
    for (const { properties } of real.ofType('AWS::Lambda::Function')) {
      assert.ok(!JSON.stringify(properties.Environment ?? {}).includes('resolve:'))
    }
  })
})

describe('the table', () => {
  const [table] = real.ofType('AWS::DynamoDB::Table')

  test('has the indexes of the schema, and no others', () => {
    const made = table!.properties.GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }: Json) => ({
      IndexName,
      keys: KeySchema.map(({ AttributeName, KeyType }: Json) => `${KeyType} ${AttributeName}`),
      projection: Projection.ProjectionType,
    }))
    const expected = Object.entries<IndexSchema>(indexes).map(([IndexName, { pk, sk, projection }]) => ({
      IndexName,
      keys: [`HASH ${pk}`, `RANGE ${sk}`],
      projection: projection === 'keys' ? 'KEYS_ONLY' : 'ALL',
    }))
    assert.deepEqual(made, expected)
  })

  test('is billed by use, recoverable to any second, lets items expire and tells every change', () => {
    const { BillingMode, PointInTimeRecoverySpecification, TimeToLiveSpecification, StreamSpecification } = table!.properties
    assert.equal(BillingMode, 'PAY_PER_REQUEST')
    assert.equal(PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled, true)
    assert.deepEqual(TimeToLiveSpecification, { AttributeName: 'ttl', Enabled: true })
    assert.equal(StreamSpecification.StreamViewType, 'NEW_AND_OLD_IMAGES')
  })
})

describe('buckets', () => {
  test('are closed to the public, encrypted, owned by the account and reached by TLS only', () => {
    const refusing = real
      .ofType('AWS::S3::BucketPolicy')
      .filter(({ properties }) =>
        properties.PolicyDocument.Statement.some(
          (statement: Json) => statement.Effect === 'Deny' && statement.Condition?.Bool?.['aws:SecureTransport'] === 'false',
        ),
      )
    for (const { id, properties } of real.ofType('AWS::S3::Bucket')) {
      assert.deepEqual(Object.values(properties.PublicAccessBlockConfiguration), [true, true, true, true], id)
      assert.equal(
        properties.BucketEncryption.ServerSideEncryptionConfiguration[0].ServerSideEncryptionByDefault.SSEAlgorithm,
        'AES256',
        id,
      )
      assert.equal(properties.OwnershipControls.Rules[0].ObjectOwnership, 'BucketOwnerEnforced', id)
      assert.ok(
        refusing.some(({ properties }) => pointsAt(properties.Bucket) === id),
        id,
      )
    }
  })

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

test('trashcans are emptied every hour', () => {
  const expiry = real.ofType('AWS::Scheduler::Schedule').find(({ id }) => id.includes('expiretrash'))
  assert.equal(expiry?.properties.ScheduleExpression, 'rate(60 minutes)')
})

describe('queues', () => {
  const deadLetterIds = (stack: Synthesized) =>
    stack
      .ofType('AWS::SQS::Queue')
      .filter(({ id }) => /deadletters|failedruns/i.test(id))
      .map(({ id }) => id)

  test('every queue behaves as declared and has dead letters', () => {
    const made = real.ofType('AWS::SQS::Queue').filter(({ id }) => !deadLetterIds(real).includes(id))
    assert.equal(made.length, Object.keys(queues).length)
    for (const [name, { visibilitySeconds, maxReceives }] of Object.entries(queues)) {
      const queue = made.find(({ id }) => id.startsWith(`Queues${name}`))!
      assert.equal(queue.properties.VisibilityTimeout, visibilitySeconds)
      assert.equal(queue.properties.RedrivePolicy.maxReceiveCount, maxReceives)
      assert.ok(deadLetterIds(real).includes(pointsAt(queue.properties.RedrivePolicy.deadLetterTargetArn)!))
    }
  })

  test('dead letters wait for 14 days and raise an alarm that reaches the operator', () => {
    for (const stack of [real, sample]) {
      const alarms = stack.ofType('AWS::CloudWatch::Alarm')
      assert.ok(deadLetterIds(stack).length > 0)
      for (const id of deadLetterIds(stack)) {
        assert.equal(stack.resources.find((resource) => resource.id === id)!.properties.MessageRetentionPeriod, 14 * 86_400)
        const alarm = alarms.find(({ properties }) => listOf(properties.Dimensions).some(({ Value }) => Value?.['Fn::GetAtt']?.[0] === id))
        assert.equal(alarm?.properties.Threshold, 1, id)
        assert.equal(alarm?.properties.AlarmActions.length, 1, id)
      }
    }
  })

  test.each([
    ['FailedJobs', FAILED_JOBS],
    ['FailingWebhooks', FAILING_WEBHOOKS],
  ])('%s are counted of the log of who wakes jobs, and raise an alarm that is quiet while there are none', (name, message) => {
    const filter = real.ofType('AWS::Logs::MetricFilter').find(({ properties }) => properties.MetricTransformations[0].MetricName === name)!
    const [{ MetricNamespace, DefaultValue }] = filter.properties.MetricTransformations
    assert.equal(filter.properties.FilterPattern, `{ $.message = "${message}" }`)
    assert.match(pointsAt(filter.properties.LogGroupName)!, /wakejobs/i)
    // A default value would be a value of each log line, which is paid for.
    assert.equal(DefaultValue, undefined)
    const alarm = real.ofType('AWS::CloudWatch::Alarm').find(({ properties }) => properties.MetricName === name)!.properties
    assert.deepEqual(
      [alarm.Namespace, alarm.Statistic, alarm.Threshold, alarm.TreatMissingData, alarm.AlarmActions.length],
      [MetricNamespace, 'Sum', 1, 'notBreaching', 1],
    )
  })

  test('descriptions of alarms name pages and sections of the manual that are there', () => {
    const texts = real.ofType('AWS::CloudWatch::Alarm').map(({ properties }) => String(properties.AlarmDescription))
    const named = texts.flatMap((text) => [...text.matchAll(/"([^"]+)" in (infra\/guides\/[\w-]+\.md)/g)])
    assert.ok(named.length > 0)
    for (const [, section, page] of named) assert.ok(readFileSync(page!, 'utf8').includes(`\n## ${section}\n`), `${section} in ${page}`)
  })

  test('alarms are mailed where the operator says', () => {
    const [subscription] = synthesize(sampleTables, { alarmEmail: 'operator@example.com' }).ofType('AWS::SNS::Subscription')
    assert.equal(subscription?.properties.Endpoint, 'operator@example.com')
    assert.equal(sample.ofType('AWS::SNS::Subscription').length, 0)
  })
})

describe('what SES tells of e-mails', () => {
  const only = (type: string) => {
    const [found, ...others] = real.ofType(type)
    assert.ok(found && others.length === 0, type)
    return found
  }

  test('comes from the configuration set of the stack by EventBridge into its queue, and nothing else does', () => {
    const set = only('AWS::SES::ConfigurationSet')
    const { ConfigurationSetName, EventDestination } = only('AWS::SES::ConfigurationSetEventDestination').properties
    assert.equal(pointsAt(ConfigurationSetName), set.id)
    assert.deepEqual(EventDestination.MatchingEventTypes, ['bounce', 'complaint', 'reject'])
    assert.match(asText(EventDestination.EventBridgeDestination.EventBusArn), /:event-bus\/default$/)
    const { EventPattern, Targets } = real.ofType('AWS::Events::Rule').find(({ id }) => id.startsWith('MailEvents'))!.properties
    assert.deepEqual(EventPattern, { source: ['aws.ses'], detail: { mail: { tags: { 'ses:configuration-set': [{ Ref: set.id }] } } } })
    assert.equal(Targets.length, 1)
    assert.match(pointsAt(Targets[0].Arn)!, /^QueuesserviceEvents(?!dead)/)
    assert.match(pointsAt(Targets[0].DeadLetterConfig.Arn)!, /^QueuesserviceEventsdeadletters/)
  })

  test('raises an alarm when it is much', () => {
    const alarm = real.ofType('AWS::CloudWatch::Alarm').find(({ id }) => id.includes('mailfailures'))!
    const { Threshold, Period, MetricName, Dimensions, AlarmActions } = alarm.properties
    assert.deepEqual([Threshold, Period, MetricName, AlarmActions.length], [5, 3600, 'TriggeredRules', 1])
    assert.match(pointsAt(Dimensions.find(({ Name }: Json) => Name === 'RuleName').Value)!, /^MailEvents/)
  })
})

describe('previews and streams of videos', () => {
  const [jobs] = real.ofType('AWS::MediaConvert::Queue')

  test('are paid by the minute, from a queue of the stack alone', () => {
    assert.equal(jobs!.properties.PricingPlan, 'ON_DEMAND')
    assert.equal(jobs!.properties.Name, undefined)
  })

  test('jobs of the own queue that ended, in whatever way, become messages, and nothing else does', () => {
    const { EventPattern, Targets } = real.ofType('AWS::Events::Rule').find(({ id }) => id.startsWith('Transcoding'))!.properties
    assert.deepEqual(EventPattern, {
      source: ['aws.mediaconvert'],
      'detail-type': ['MediaConvert Job State Change'],
      detail: { queue: [{ 'Fn::GetAtt': [jobs!.id, 'Arn'] }], status: ['COMPLETE', 'ERROR', 'CANCELED'] },
    })
    assert.equal(Targets.length, 1)
    assert.match(pointsAt(Targets[0].Arn)!, /^QueuesserviceEvents(?!dead)/)
    assert.match(pointsAt(Targets[0].DeadLetterConfig.Arn)!, /^QueuesserviceEventsdeadletters/)
  })
})

describe('event functions', () => {
  const sources = new Map(
    sample.ofType('AWS::Lambda::EventSourceMapping').map(({ id, properties }) => [id.replace(/Source\w{8}$/, ''), properties]),
  )

  test('a queue consumer gets one message at a time, as many at once as it says, and reports failures by message', () => {
    const source = sources.get('consumeserviceevents')
    assert.equal(source.BatchSize, 1)
    assert.equal(source.ScalingConfig.MaximumConcurrency, 4)
    assert.deepEqual(source.FunctionResponseTypes, ['ReportBatchItemFailures'])
  })

  test('imports take five of the ten concurrent executions of a new account, or what the operator says', () => {
    const most = (stack: Synthesized) =>
      stack.ofType('AWS::Lambda::Function').find(({ id }) => id.startsWith('importmedia'))!.properties.Environment.Variables.JOB_RUNS
    assert.equal(most(real), '5')
    assert.equal(most(synthesize({ endpoints, events }, { importConcurrency: '50' })), '50')
  })

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
    for (const name of ['followexact', 'followprefix']) {
      const source = sources.get(name)
      assert.equal(source.BisectBatchOnFunctionError, true)
      assert.ok(source.MaximumRetryAttempts > 0 && source.MaximumRetryAttempts < 100)
      assert.match(pointsAt(source.DestinationConfig.OnFailure.Destination)!, /failedruns/)
    }
  })

  test('a schedule runs as often as it says, and the event of a run that failed waits in one queue for all schedules', () => {
    const [schedule] = sample.ofType('AWS::Scheduler::Schedule')
    assert.equal(schedule!.properties.ScheduleExpression, 'rate(60 minutes)')
    const fn = sample.resources.find(({ id }) => id === pointsAt(schedule!.properties.Target.Arn))!
    assert.match(pointsAt(fn.properties.DeadLetterConfig.TargetArn)!, /^Queuesfailedruns/)
  })
})

describe('delivery', () => {
  const distribution = (name: string) =>
    real.ofType('AWS::CloudFront::Distribution').find(({ id }) => id.startsWith(name))!.properties.DistributionConfig

  test('the API stands at the root of its host, uncached, with everything but Host passed on', () => {
    const { DefaultCacheBehavior, Origins } = distribution('ApiDelivery')
    assert.equal(DefaultCacheBehavior.CachePolicyId, '4135ea2d-6df8-44a3-9df3-4b5a84be39ad', 'CachingDisabled')
    assert.equal(DefaultCacheBehavior.OriginRequestPolicyId, 'b689b0a8-53d0-40ab-baf2-68738e2966ac', 'AllViewerExceptHostHeader')
    assert.ok(DefaultCacheBehavior.AllowedMethods.includes('DELETE'))
    assert.match(JSON.stringify(Origins[0].OriginPath), /DeploymentStagev1/)
  })

  test('no error is kept: CloudFront would show one caller what another was refused', () => {
    const kept = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]
    for (const name of ['ApiDelivery', 'FileDelivery']) {
      const { CustomErrorResponses, CacheBehaviors = [] } = distribution(name)
      assert.deepEqual(
        CustomErrorResponses,
        kept.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
        name,
      )
      // A new behaviour says here what it caches: the console's files, which are the same for everybody.
      const paths = CacheBehaviors.map(({ PathPattern }: Json) => PathPattern)
      assert.deepEqual(paths, name === 'ApiDelivery' ? ['/console', '/console/*'] : [], name)
    }
    const [cache] = real.ofType('AWS::CloudFront::CachePolicy')
    assert.equal(cache!.properties.CachePolicyConfig.MinTTL, 0)
  })

  test('answers are compressed for clients that accept it', () => {
    const [api] = real.ofType('AWS::ApiGateway::RestApi')
    assert.equal(api!.properties.MinimumCompressionSize, 1024)
  })

  test('it proves itself by a key that the template only refers to', () => {
    const [header] = distribution('ApiDelivery').Origins[0].OriginCustomHeaders
    assert.equal(header.HeaderName, 'x-origin-key')
    assert.match(asText(header.HeaderValue), /^\{\{resolve:secretsmanager:<SecretsOriginKey\w+\.Id>:SecretString:::\}\}$/)
  })

  test('files are delivered by signed URLs only, from a bucket that nobody else reads', () => {
    const { DefaultCacheBehavior, Origins } = distribution('FileDelivery')
    assert.equal(DefaultCacheBehavior.TrustedKeyGroups.length, 1)
    assert.ok(Origins[0].OriginAccessControlId)
    const [cache] = real.ofType('AWS::CloudFront::CachePolicy')
    const forwarded = cache!.properties.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin.QueryStringsConfig.QueryStrings
    assert.deepEqual(forwarded, ['response-content-disposition', 'response-content-type'])
  })

  // CloudFront refuses to change a key (all but its comment), and with it the whole update of a stack. A change of a line of this
  // needs a change of the first.
  test('the key of signed URLs is the same as in stacks that exist, or another resource', () => {
    const keys = real.ofType('AWS::CloudFront::PublicKey').map(({ id, properties: { PublicKeyConfig } }) => ({
      id,
      name: asText(PublicKeyConfig.Name),
      reference: asText(PublicKeyConfig.CallerReference),
    }))
    const name = 'medialibrary-Fileivery-UrlKeyName-B9C6C2FF-<AWS::Region>'
    assert.deepEqual(keys, [{ id: 'FileDeliveryUrlPublicKey43A0BCFB', name, reference: name }])
  })

  test('everything is delivered by TLS only', () => {
    for (const name of ['ApiDelivery', 'FileDelivery'])
      assert.equal(distribution(name).DefaultCacheBehavior.ViewerProtocolPolicy, 'https-only', name)
    const [headers] = real.ofType('AWS::CloudFront::ResponseHeadersPolicy')
    const { StrictTransportSecurity } = headers!.properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig
    assert.ok(StrictTransportSecurity.AccessControlMaxAgeSec >= 31_536_000)
  })

  test('no file can act as a page of the delivery host', () => {
    const [headers] = real.ofType('AWS::CloudFront::ResponseHeadersPolicy')
    const { SecurityHeadersConfig, CorsConfig } = headers!.properties.ResponseHeadersPolicyConfig
    assert.match(SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy, /sandbox/)
    assert.equal(SecurityHeadersConfig.ContentTypeOptions.Override, true)
    assert.deepEqual(CorsConfig.AccessControlAllowOrigins.Items, ['*'])
  })

  test('own host names take the place of those of CloudFront', () => {
    const own = synthesize(sampleTables, {
      apiDomain: 'api.example.com',
      deliveryDomain: 'files.example.com',
      cdnDomain: 'cdn.example.com',
      playerDomain: 'player.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000',
    })
    assert.equal(own.template.Outputs.BaseUrl.Value, 'https://api.example.com')
    assert.equal(own.template.Outputs.DeliveryUrl.Value, 'https://files.example.com')
    assert.equal(own.template.Outputs.CdnUrl.Value, 'https://cdn.example.com')
    assert.equal(own.template.Outputs.PlayerUrl.Value, 'https://player.example.com')
    const aliases = own.ofType('AWS::CloudFront::Distribution').flatMap(({ properties }) => properties.DistributionConfig.Aliases)
    assert.deepEqual(aliases.sort(), ['api.example.com', 'cdn.example.com', 'files.example.com', 'player.example.com'])
    for (const { id, properties } of own.ofType('AWS::CloudFront::Distribution')) {
      const { MinimumProtocolVersion, SslSupportMethod } = properties.DistributionConfig.ViewerCertificate
      assert.deepEqual([MinimumProtocolVersion, SslSupportMethod], ['TLSv1.2_2021', 'sni-only'], id)
    }
  })

  test('players that were given out under other host names go on: the page knows these, and may load its script', () => {
    const own = synthesize(sampleTables, {
      apiDomain: 'api.example.com',
      deliveryDomain: 'files.example.com',
      cdnDomain: 'cdn.example.com',
      formerCdnDomains: 'old.example.com, older.example.com',
      playerDomain: 'player.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000',
    })
    const [{ properties } = assert.fail()] = own.ofType('Custom::Buckets')
    const [builtIn, ...named] = properties.FormerCdnUrls
    assert.match(JSON.stringify(builtIn), /"https:\/\/",\{"Fn::GetAtt":\["LinkDelivery\w+","DomainName"\]/)
    assert.deepEqual([properties.CdnUrl, named], ['https://cdn.example.com', ['https://old.example.com', 'https://older.example.com']])
    const policies = own.ofType('AWS::CloudFront::ResponseHeadersPolicy').map(headersOf)
    const csp = policies.map((headers) => headers['content-security-policy']).find((policy) => policy?.includes('frame-ancestors *'))
    assert.match(csp ?? '', /script-src 'sha256-\S+' https:\/\/player\.example\.com\/hls\.[0-9a-f]{16}\.js;/)
    assert.match(csp ?? '', /connect-src https:\/\/cdn\.example\.com\/streams\/;/)
  })
})

describe('the host of links', () => {
  const config = sample.ofType('AWS::CloudFront::Distribution').find(({ id }) => id.startsWith('LinkDelivery'))!
    .properties.DistributionConfig
  const behavior = config.DefaultCacheBehavior
  const named = (type: string, reference: Json): Json =>
    sample.resources.find((each) => each.type === type && each.id === pointsAt(reference))

  test('has the two origins that the edge function names, each with an access of its own', () => {
    const origins = config.Origins.map(({ Id, DomainName, OriginAccessControlId }: Json) => {
      const access = named('AWS::CloudFront::OriginAccessControl', OriginAccessControlId).properties.OriginAccessControlConfig
      return [Id, /StoragePublic|Url/.exec(JSON.stringify(DomainName))?.[0], access.OriginAccessControlOriginType, access.SigningBehavior]
    })
    assert.deepEqual(origins, [
      ['copies', 'StoragePublic', 's3', 'always'],
      ['renderer', 'Url', 'lambda', 'always'],
    ])
    for (const { TargetOriginId, FunctionAssociations } of [behavior, ...config.CacheBehaviors]) {
      assert.equal(TargetOriginId, 'copies')
      assert.deepEqual(FunctionAssociations, behavior.FunctionAssociations, 'no request goes past the edge function')
    }
    assert.equal(behavior.FunctionAssociations[0].EventType, 'viewer-request')
  })

  test('keeps an answer under path and query until its tag is invalidated, an error for seconds', () => {
    const {
      MinTTL,
      MaxTTL,
      ParametersInCacheKeyAndForwardedToOrigin: key,
    } = named('AWS::CloudFront::CachePolicy', behavior.CachePolicyId).properties.CachePolicyConfig
    assert.deepEqual([MinTTL, MaxTTL], [31_536_000, 31_536_000])
    assert.equal(key.QueryStringsConfig.QueryStringBehavior, 'all')
    assert.deepEqual([key.HeadersConfig.HeaderBehavior, key.CookiesConfig.CookieBehavior], ['none', 'none'])
    assert.deepEqual([key.EnableAcceptEncodingGzip, key.EnableAcceptEncodingBrotli], [false, false])
    assert.equal(config.CacheTagConfig.HeaderName, 'x-amz-meta-cache-tag')
    for (const { ErrorCode, ErrorCachingMinTTL } of config.CustomErrorResponses) assert.equal(ErrorCachingMinTTL, 5, ErrorCode)
  })

  test('keeps files of streams as links, until their paths are invalidated, and playlists for the time that their labels say', () => {
    const [playlists, files, ...others] = config.CacheBehaviors
    assert.deepEqual([playlists.PathPattern, files.PathPattern, others], ['streams/*.m3u8', 'streams/*', []])
    assert.deepEqual(files.CachePolicyId, behavior.CachePolicyId)
    assert.deepEqual([playlists.CachePolicyId, playlists.Compress], [CACHING_OPTIMIZED, true])
  })

  test('labels answers as the host of one machine does; files of streams, which MediaConvert stores without labels, too', () => {
    const labels = (id: Json) => headersOf(named('AWS::CloudFront::ResponseHeadersPolicy', id))
    assert.deepEqual(labels(behavior.ResponseHeadersPolicyId), LINK_HEADERS)
    const [playlists, files] = config.CacheBehaviors
    for (const [each, name] of [
      [playlists, PLAYLIST],
      [files, 'segment_1.m4s'],
    ] as const)
      assert.deepEqual(labels(each.ResponseHeadersPolicyId), { ...LINK_HEADERS, 'cache-control': streamCacheControl(name) })
  })

  test('renders with the executions that the operator reserves, or with those of all', () => {
    const reserved = (stack: Synthesized) =>
      stack.ofType('AWS::Lambda::Function').find(({ id }) => id.startsWith('renderthing'))!.properties.ReservedConcurrentExecutions
    assert.equal(reserved(sample), 10)
    assert.equal(reserved(synthesize(sampleTables, { renderConcurrency: '0' })), undefined)
    const costs = sample.ofType('AWS::CloudWatch::Alarm').find(({ id }) => /rendercosts/.test(id))
    assert.deepEqual(
      [costs?.properties.MetricName, costs?.properties.Statistic, costs?.properties.Threshold],
      ['Duration', 'Sum', 18_000_000],
    )
  })

  test('links have a web ACL and steps of sizes where settings say so, and only there', () => {
    const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/links/01234567-89ab-cdef-0123-456789abcdef'
    const chosen = synthesize(sampleTables, { linkSizeSteps: 'true', linkWebAclArn: webAclArn })
    for (const [template, acls, steps] of [
      [synthesize(sampleTables), [], 'const STEPS = []'],
      [chosen, [webAclArn], 'const STEPS = [64,160,320,640,1024,1600,2560,4096]'],
    ] as const) {
      const distributions = template.ofType('AWS::CloudFront::Distribution').map(({ properties }) => properties.DistributionConfig)
      const guarded = distributions.filter(({ WebACLId }) => WebACLId)
      assert.deepEqual(
        guarded.map(({ WebACLId, Comment }) => [WebACLId, Comment]),
        acls.map((acl) => [acl, 'Links']),
      )
      const code = template.ofType('AWS::CloudFront::Function').map(({ properties }) => asText(properties.FunctionCode))
      assert.equal(code.filter((text) => text.includes(steps)).length, 1)
    }
  })

  test('is known to every function but the renderer, which is made before it, as is that of the player', () => {
    for (const { id, properties } of sample.ofType('AWS::Lambda::Function')) {
      const settings = properties.Environment?.Variables.SETTINGS
      if (settings === undefined) continue
      const { cdnUrl, playerUrl } = JSON.parse(asText(settings))
      const isRenderer = id.startsWith('renderthing')
      assert.match(cdnUrl, isRenderer ? /^$/ : /^https:\/\/<LinkDeliveryDistribution\w+\.DomainName>$/, id)
      assert.match(playerUrl, isRenderer ? /^$/ : /^https:\/\/<PlayerDeliveryDistribution\w+\.DomainName>$/, id)
    }
  })
})

describe('the host of the player', () => {
  const config = sample.ofType('AWS::CloudFront::Distribution').find(({ id }) => id.startsWith('PlayerDelivery'))!
    .properties.DistributionConfig
  const behavior = config.DefaultCacheBehavior

  test('shows the files that the deployment puts below one prefix of the public bucket, the page for the bare address', () => {
    assert.equal(config.DefaultRootObject, 'index.html')
    const [origin, ...others] = config.Origins
    assert.deepEqual([origin.OriginPath, others, config.CacheBehaviors], ['/_/player', [], undefined])
    assert.match(asText(origin.DomainName), /^<StoragePublic\w+\.RegionalDomainName>$/)
    assert.equal(behavior.ViewerProtocolPolicy, 'redirect-to-https')
    assert.equal(behavior.Compress, true)
  })

  test('labels answers as the host of one machine does, and names the host of streams', () => {
    const policy = sample.resources.find(({ id }) => id === pointsAt(behavior.ResponseHeadersPolicyId))!
    assert.deepEqual(headersOf(policy), playerHeaders({ cdnUrl: asText(sample.template.Outputs.CdnUrl.Value) }))
  })

  test('keeps files for the time that their labels say: no page for long, whose headers an update changes at another moment', () => {
    assert.equal(behavior.CachePolicyId, CACHING_OPTIMIZED)
    const [page] = playerFiles({ cdnUrl: 'https://cdn.example.com', playerUrl: 'https://player.example.com', formerCdnUrls: [] })
    assert.deepEqual([page!.path, page!.cacheControl], ['index.html', 'public, max-age=60'])
  })

  test('its files are put again when one of them, or an address in them, changes', () => {
    const [{ properties } = { properties: {} }] = sample.ofType('Custom::Buckets')
    assert.match(properties.Player, /^[0-9a-f]{64}$/)
    assert.match(asText(properties.CdnUrl), /^https:\/\/<LinkDelivery/)
    assert.match(asText(properties.PlayerUrl), /^https:\/\/<PlayerDelivery/)
  })
})

describe('the console', () => {
  const { CacheBehaviors: behaviors, Origins: origins } = sample
    .ofType('AWS::CloudFront::Distribution')
    .find(({ id }) => id.startsWith('ApiDelivery'))!.properties.DistributionConfig

  test("is on the API's host: what the deployment puts below one prefix of the public bucket, which nobody else may read", () => {
    assert.deepEqual(
      behaviors.map(({ PathPattern }: Json) => PathPattern),
      ['/console', '/console/*'],
    )
    for (const behavior of behaviors) {
      const origin = origins.find(({ Id }: Json) => Id === behavior.TargetOriginId)
      assert.equal(origin.OriginPath, '/_/console')
      assert.match(asText(origin.DomainName), /^<StoragePublic\w+\.RegionalDomainName>$/)
      assert.match(asText(origin.OriginAccessControlId), /^<ConsoleDeliveryAccess\w+\.Id>$/)
      assert.deepEqual([behavior.ViewerProtocolPolicy, behavior.Compress], ['redirect-to-https', true])
      assert.match(asText(behavior.FunctionAssociations[0].FunctionARN), /^<ConsoleDeliveryRequest/)
      // CachingOptimized: for as long as the labels of the files say.
      assert.equal(behavior.CachePolicyId, CACHING_OPTIMIZED)
    }
  })

  test('labels answers as one machine does, and names the hosts of links, files and uploads', () => {
    const policy = sample.resources.find(({ id }) => id === pointsAt(behaviors[0].ResponseHeadersPolicyId))!
    const { CdnUrl, DeliveryUrl } = sample.template.Outputs
    const csp = consoleHeaders({ links: asText(CdnUrl.Value), files: asText(DeliveryUrl.Value), uploads: 'https://<uploads>' })
    const headers = headersOf(policy)
    const { 'content-security-policy': found = '', ...others } = headers
    const { 'content-security-policy': expected = '', ...expectedOthers } = csp
    assert.deepEqual(others, expectedOthers)
    assert.equal(found.replace(/<StorageUploads\w+\.RegionalDomainName>/, '<uploads>'), expected)
  })

  test('is put again when it changes', () => {
    const [{ properties } = { properties: {} }] = sample.ofType('Custom::Buckets')
    assert.match(properties.Console, /^[0-9a-f]{16}$/)
  })
})

/** What a policy puts on answers, by names in lower case, but for HSTS. */
function headersOf({ properties }: { properties: Json }): Record<string, string> {
  const { CustomHeadersConfig, SecurityHeadersConfig, CorsConfig } = properties.ResponseHeadersPolicyConfig
  const { ContentSecurityPolicy, ContentTypeOptions, ReferrerPolicy } = SecurityHeadersConfig
  const exposed = CorsConfig?.AccessControlExposeHeaders?.Items.join(', ')
  return {
    ...(CorsConfig ? { 'access-control-allow-origin': CorsConfig.AccessControlAllowOrigins.Items.join(', ') } : {}),
    ...(exposed ? { 'access-control-expose-headers': exposed } : {}),
    'content-security-policy': asText(ContentSecurityPolicy.ContentSecurityPolicy),
    ...Object.fromEntries(CustomHeadersConfig.Items.map(({ Header, Value }: Json) => [Header, Value])),
    ...(ReferrerPolicy ? { 'referrer-policy': ReferrerPolicy.ReferrerPolicy } : {}),
    'x-content-type-options': ContentTypeOptions.Override ? 'nosniff' : '',
  }
}

describe('retention', () => {
  const holdsData = /^AWS::(DynamoDB::Table|S3::Bucket|SecretsManager::Secret)$/

  // CloudFormation removes whatever has another id after an update. Of `Custom::Buckets` that would empty the buckets of a stack in use.
  test('what holds data, and what empties buckets, has the ids that stacks know which exist', () => {
    const ids = real.resources.filter(({ type }) => holdsData.test(type) || type === 'Custom::Buckets').map(({ id }) => id)
    assert.deepEqual(ids.sort(), [
      'PreparedBucketsPreparedBB70A17A',
      'SecretsApiSecretsKeyBF8D6D37',
      'SecretsOriginKey13E64DAA',
      'SecretsUrlSigningKey1EB29F06',
      'StorageMedia9333CB25',
      'StoragePublic24EB67DD',
      'StorageTableB43FDCE7',
      'StorageUploadsBDC5E374',
    ])
  })

  test('a stack that does not retain leaves nothing behind', () => {
    // A bucket takes its policy with it.
    for (const { id, type, deletionPolicy } of real.resources)
      assert.equal(deletionPolicy === 'Retain', type === 'AWS::S3::BucketPolicy', id)
    const [table] = real.ofType('AWS::DynamoDB::Table')
    assert.notEqual(table!.properties.DeletionProtectionEnabled, true)
    const [prepared] = real.ofType('Custom::Buckets')
    assert.equal(prepared!.properties.Emptied.length, real.ofType('AWS::S3::Bucket').length)
  })

  test('a stack that retains keeps the table, what was imported and published, and the key to records, and empties uploads', () => {
    const stack = synthesize(sampleTables, { retain: 'true' })
    const kept = stack.resources.filter(({ type, deletionPolicy }) => deletionPolicy === 'Retain' && type !== 'AWS::S3::BucketPolicy')
    assert.deepEqual(kept.map(({ id }) => id.replace(/[0-9A-F]{8}$/, '')).sort(), [
      'SecretsApiSecretsKey',
      'StorageMedia',
      'StoragePublic',
      'StorageTable',
    ])
    assert.equal(stack.ofType('AWS::DynamoDB::Table')[0]!.properties.DeletionProtectionEnabled, true)
    assert.deepEqual(
      stack.ofType('Custom::Buckets')[0]!.properties.Emptied.map((name: Json) => pointsAt(name)!.slice(0, 14)),
      ['StorageUploads'],
    )
  })
})

describe('custom resources', () => {
  test('those that everything waits for answer within five minutes', () => {
    assert.equal(real.ofType('Custom::Secrets')[0]!.properties.ServiceTimeout, '300')
  })

  test('a deployment has the secrets looked at again, and nothing else differs', () => {
    const template = (deployment: string) => {
      const stack = synthesize(sampleTables, { deployment })
      const { Deployment, ...others } = stack.ofType('Custom::Secrets')[0]!.properties
      assert.equal(Deployment, deployment)
      return stack.resources.map((resource) => (resource.type === 'Custom::Secrets' ? { ...resource, properties: others } : resource))
    }
    assert.deepEqual(template('first'), template('second'))
    assert.equal(sample.ofType('Custom::Secrets')[0]!.properties.Deployment, undefined)
  })

  test('nothing that writes by itself is left when buckets are emptied', () => {
    for (const stack of [real, sample]) {
      const [prepared] = stack.ofType('Custom::Buckets')
      const types = ['AWS::Lambda::EventSourceMapping', 'AWS::Scheduler::Schedule', 'AWS::MediaConvert::Queue']
      const sources = types.flatMap((type) => stack.ofType(type))
      assert.ok(sources.length > 3)
      for (const { id } of sources) assert.ok(listOf(stack.template.Resources[id].DependsOn).includes(prepared!.id), id)
    }
  })

  test('what closed a bucket goes with the bucket, not before it', () => {
    for (const retain of [false, true]) {
      const stack = synthesize(sampleTables, { retain: String(retain) })
      for (const { id, properties, deletionPolicy } of stack.ofType('AWS::S3::BucketPolicy')) {
        const bucket = stack.resources.find((each) => each.id === pointsAt(properties.Bucket))!
        assert.equal(deletionPolicy === 'Retain', bucket.deletionPolicy !== 'Retain', id)
      }
    }
  })
})

describe('the policies of CloudFront, of which an account has twenty of a kind', () => {
  const ids = { links: 'shared-1', playlists: 'shared-2', segments: 'shared-3', files: 'shared-4' }
  const [own, shared] = [real, synthesize(tables, { sharedPolicies: ids })]
  const ownPolicies = ({ ofType }: Synthesized) =>
    ['AWS::CloudFront::ResponseHeadersPolicy', 'AWS::CloudFront::CachePolicy'].map((type) => ofType(type).length)
  const used = ({ ofType }: Synthesized) =>
    ofType('AWS::CloudFront::Distribution').flatMap(({ properties: { DistributionConfig: config } }) =>
      [config.DefaultCacheBehavior, ...(config.CacheBehaviors ?? [])].map(({ ResponseHeadersPolicyId }) => ResponseHeadersPolicyId),
    )

  test('are two of each where the account has those that all stacks share', () => {
    assert.deepEqual(
      [ownPolicies(shared), ownPolicies(own)],
      [
        [2, 2],
        [6, 2],
      ],
    )
  })

  test('are the shared ones in the places of those that say the same', () => {
    const places = used(own).map((id) => own.resources.find((resource) => resource.id === pointsAt(id)))
    for (const [at, id] of used(shared).entries()) {
      const name = Object.entries(ids).find(([, each]) => each === id)?.[0]
      if (name) assert.deepEqual(headersOf(places[at]!), sharedHeaders[name as keyof typeof ids].headers, name)
      else assert.deepEqual(id, used(own)[at])
    }
    assert.deepEqual(new Set(used(shared).filter((id) => typeof id === 'string')), new Set(Object.values(ids)))
  })
})

describe('settings of a deployment', () => {
  test('the brand, and when previews of videos are made, reach functions, and the brand the answers that the gateway makes itself', () => {
    const branded = synthesize(sampleTables, { brand: 'CBX', vendor: 'acme', videoPreviews: 'on-demand' })
    const [api] = branded.ofType('AWS::ApiGateway::RestApi')
    assert.ok(JSON.stringify(api!.properties.Body).includes('gatewayresponse.header.X-Cbx-Request-Id'))
    for (const { id, properties } of branded.ofType('AWS::Lambda::Function').filter(({ properties }) => properties.Environment)) {
      const settings = asText(properties.Environment.Variables.SETTINGS)
      assert.match(settings, /"brand":"CBX","vendor":"acme"/, id)
      assert.match(settings, /"videoPreviews":"on-demand"/, id)
    }
    assert.ok(!JSON.stringify(branded.template).includes('X-Svc'))
  })

  test('the vendor stands in the routes that name it', () => {
    const stack = synthesize(sampleTables, { vendor: 'acme' })
    const [api] = stack.ofType('AWS::ApiGateway::RestApi')
    assert.ok(api!.properties.Body.paths['/search/acme/thing'].get)
    const fn = stack.ofType('AWS::Lambda::Function').find(({ properties }) => asText(properties.FunctionName).endsWith('search-things'))
    assert.equal(fn!.properties.Description, 'GET /search/acme/thing: Search things')
    assert.ok(!JSON.stringify(stack.template).includes('<vendor>'))
  })

  test('two stacks in one account share no name', () => {
    const named = (stack: Synthesized) =>
      stack.resources
        .flatMap(({ properties }) => [properties.FunctionName, properties.DashboardName])
        .filter((name) => name !== undefined && pointsAt(name) === undefined)
        .map(asText)
    const other = named(synthesize(sampleTables, { stackName: 'second', dashboard: true }))
    assert.deepEqual(
      named(synthesize(sampleTables, { dashboard: true })).filter((name) => other.includes(name)),
      [],
    )
  })

  test('a template whose packages lack something is refused by CloudFormation', () => {
    const { Rules } = synthesize(sampleTables, {}, 'no arm64 tools').template
    const [assertion] = Rules.CompletePackages.Assertions
    assert.deepEqual(assertion.Assert, { 'Fn::Equals': ['complete', 'incomplete'] })
    assert.equal(assertion.AssertDescription, 'no arm64 tools')
    assert.equal(sample.template.Rules.CompletePackages, undefined)
  })
})

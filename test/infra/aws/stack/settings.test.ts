import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { SETTINGS_OUTPUT, writeSettings } from '../../../../infra/aws/stack/kept-settings.ts'
import { changedSettings, readSettings, settingNames } from '../../../../infra/aws/stack/settings.ts'
import { sampleTables } from './sample-tables.ts'
import { adoptedSettings, synthesize } from './synthesized.ts'

const cdk = JSON.parse(readFileSync(new URL('../../../../cdk.json', import.meta.url), 'utf8'))
const read = (context: Record<string, unknown>) => readSettings((key) => context[key])

describe('settings of a deployment', () => {
  test('cdk.json names every setting, with a value that is valid', () => {
    // Those of the CDK stand beside them.
    const own = Object.keys(cdk.context).filter((name) => !name.startsWith('@aws-cdk/'))
    assert.deepEqual(own.sort(), [...settingNames].sort())
    assert.equal(read(cdk.context).brand, 'SVC')
  })

  test('an empty context gives the defaults', () => {
    assert.deepEqual(read({}), read(cdk.context))
  })

  test('a stack keeps those that differ from the defaults, but for its name, in ASCII', () => {
    const kept = (context: Record<string, unknown>) => changedSettings((key) => context[key])
    assert.deepEqual(kept(cdk.context), {})
    assert.deepEqual(kept({ stackName: 'second', retain: true, brand: 'SVC', eventDays: 30, apiDomain: '' }), {
      retain: 'true',
      eventDays: '30',
    })
    assert.match(writeSettings({ a: 'é🙂' }), /^[ -~]+$/)
    assert.deepEqual(JSON.parse(writeSettings({ a: 'é🙂' })), { a: 'é🙂' })
    const { template } = synthesize(sampleTables, adoptedSettings)
    assert.deepEqual(JSON.parse(template.Outputs[SETTINGS_OUTPUT].Value), adoptedSettings)
  })

  test('the size of uploads takes a unit', () => {
    assert.deepEqual(
      ['5GB', '5GiB', '1000', 1000].map((maxUploadBytes) => read({ maxUploadBytes }).maxUploadBytes),
      [5e9, 5 * 1024 ** 3, 1000, 1000],
    )
    assert.throws(() => read({ maxUploadBytes: '200GB' }), /maxUploadBytes: a size from 1 to 107374182400 bytes/)
  })

  test('networks that are refused are a list with commas', () => {
    assert.throws(() => read({ outsideRefuse: '8.8.8.8' }), /outsideRefuse: networks, separated by commas/)
    const outsideRefuse = '192.0.2.0/24, 2001:db8::/32'
    assert.deepEqual(read({ outsideRefuse }).outsideRefuse, ['192.0.2.0/24', '2001:db8::/32'])
  })

  test('all that is wrong is said at once, by name', () => {
    assert.throws(
      () => read({ brand: 'svc', vendor: 'a/b', tokenLifetimeDays: 0, retain: 'maybe', logRetentionDays: 31, searchEngine: 'google' }),
      (error: Error) =>
        ['brand', 'vendor', 'tokenLifetimeDays', 'retain', 'logRetentionDays', 'searchEngine'].every((name) =>
          error.message.includes(`  ${name}: `),
        ),
    )
  })

  test('OpenSearch comes with who may make its indexes', () => {
    const searchAdminArn = 'arn:aws:iam::123456789012:role/operator'
    assert.throws(() => read({ searchEngine: 'opensearch' }), /searchAdminArn: OpenSearch lets in whom it knows/)
    assert.throws(() => read({ searchEngine: 'opensearch', searchAdminArn: 'operator' }), /searchAdminArn: the ARN of a role or user/)
    assert.equal(read({ searchEngine: 'opensearch', searchAdminArn }).searchAdminArn, searchAdminArn)
  })

  test('own host names come with a certificate of us-east-1, or not at all', () => {
    const certificate = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/00000000-0000-0000-0000-000000000000`
    const hosts = { apiDomain: 'api.example.com', deliveryDomain: 'files.example.com' }
    const certified = { ...hosts, certificateArn: certificate('us-east-1') }
    assert.throws(() => read(hosts), /certificateArn: own host names need all of/)
    assert.throws(() => read({ certificateArn: certified.certificateArn }), /certificateArn: own host names need all of/)
    assert.throws(() => read({ ...hosts, certificateArn: certificate('eu-west-1') }), /us-east-1/)
    const inZone = { ...hosts, hostedZoneId: 'Z0123456789ABCDEFGHIJ' }
    for (const more of [{}, { cdnDomain: 'cdn.example.com', playerDomain: 'player.example.com' }]) read({ ...inZone, ...more })
    assert.throws(() => read({ hostedZoneId: inZone.hostedZoneId }), /own host names need all of/)
    assert.throws(() => read({ ...inZone, hostedZoneId: 'example.com' }), /hostedZoneId: the id of a hosted zone/)
    for (const more of [{}, { cdnDomain: 'cdn.example.com' }, { playerDomain: 'player.example.com' }]) read({ ...certified, ...more })
    assert.throws(() => read({ cdnDomain: 'cdn.example.com' }), /cdnDomain: an own host name of links needs/)
    assert.throws(() => read({ playerDomain: 'player.example.com' }), /playerDomain: an own host name of the player needs/)
    assert.deepEqual(read({ formerCdnDomains: 'a.example.com, b.example.com' }).formerCdnDomains, ['a.example.com', 'b.example.com'])
    assert.throws(() => read({ formerCdnDomains: 'https://a.example.com' }), /formerCdnDomains\.0: a host name/)
  })

  test('a provider of stock is an address, with a secret that holds its key and further hosts where it has them', () => {
    const stockProviderUrl = 'https://stock.example.com/api/'
    const stockProviderKeyArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:stock/key-AbCdEf'
    const { stockProviderHosts, ...settings } = read({ stockProviderUrl, stockProviderKeyArn, stockProviderHosts: 'cdn.example.com' })
    assert.deepEqual([settings.stockProviderUrl, stockProviderHosts], ['https://stock.example.com/api', ['cdn.example.com']])
    assert.throws(() => read({ stockProviderUrl: 'https://anna:5ecret@stock.example.com' }), /stockProviderUrl: an address like/)
    assert.throws(() => read({ stockProviderUrl, stockProviderKeyArn: 'a-key' }), /stockProviderKeyArn: the ARN of a secret/)
    assert.throws(() => read({ stockProviderUrl, stockProviderHosts: 'https://cdn.example.com' }), /stockProviderHosts: host names/)
    assert.throws(() => read({ stockProviderKeyArn }), /stockProviderUrl: key and hosts of a provider need its address/)
  })

  test('what is adopted is named as AWS names it', () => {
    assert.throws(() => read({ adoptTable: 'arn:aws:dynamodb:eu-west-1:123456789012:table/kept' }), /adoptTable: the name of a table/)
    assert.throws(() => read({ adoptPublicBucket: 'Kept' }), /adoptPublicBucket: the name of a bucket/)
    assert.throws(() => read({ adoptApiSecretsKeyArn: 'kept' }), /adoptApiSecretsKeyArn: the output ApiSecretsKeyArn of the stack/)
    const ssm = 'arn:aws:ssm:eu-west-1:123456789012:parameter'
    const kept = `${ssm}/media-library/library/1-2/apiSecretsKey`
    assert.equal(read({ adoptApiSecretsKeyArn: kept }).adoptApiSecretsKeyArn, kept)
    for (const adoptApiSecretsKeyArn of [`${ssm}/media-library/library/*/apiSecretsKey`, `${ssm}/another`])
      assert.throws(() => read({ adoptApiSecretsKeyArn }), /adoptApiSecretsKeyArn/)
    assert.equal(read({ adoptTable: 'kept.library_1-2' }).adoptTable, 'kept.library_1-2')
  })

  test('a sender that is no address is refused', () => {
    assert.throws(() => read({ mailSender: 'library@example.com\nBcc: x@example.com' }), /mailSender/)
  })
})

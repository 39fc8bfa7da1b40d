import assert from 'node:assert/strict'
import type { CloudFormationClient, Stack } from '@aws-sdk/client-cloudformation'
import { describe, test } from 'vitest'
import { formerSettings } from '../../../../infra/aws/deploy/former-settings.ts'
import { wantedSettings } from '../../../../infra/aws/deploy/wanted-settings.ts'
import { type GivenSettings, writeSettings } from '../../../../infra/aws/stack/kept-settings.ts'
import { adoptedSettings, openSearchSettings, ownHosts } from '../stack/synthesized.ts'

const own = { TableName: 'library-table', MediaBucket: 'library-media', PublicBucket: 'library-public', ApiSecretsKeyArn: 'library-key' }

/** A stack with outputs. */
const stackWith = (outputs: Readonly<Record<string, string>>): Stack => ({
  StackName: 'library',
  CreationTime: undefined,
  StackStatus: 'UPDATE_COMPLETE',
  Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
})

const unasked = { send: () => assert.fail('nothing is asked') } as unknown as CloudFormationClient

/** A deployment of a stack that keeps settings. */
const deploying = (kept: GivenSettings, given: GivenSettings) =>
  wantedSettings('library', given, stackWith({ ...own, Settings: writeSettings(kept) }), unasked)

describe('a deployment', () => {
  test('goes on with the settings of the stack, says which, and keeps them for the next', async () => {
    const kept = { retain: 'true', ...ownHosts, alarmEmail: 'a@example.com', formerCdnDomains: 'old.example.com,older.example.com' }
    const { settings, context, changes, notes } = await deploying(kept, { importConcurrency: '9' })
    assert.deepEqual([settings.stackName, settings.retain, settings.importConcurrency], ['library', true, 9])
    assert.equal(settings.apiDomain, 'api.example.com')
    assert.deepEqual(changes, [])
    assert.match(notes.join(), /^The stack goes on with retain=true, apiDomain=api\.example\.com, .*alarmEmail=a@example\.com/)
    assert.ok(context.includes('retain=true') && context.includes('importConcurrency=9'))
    const lasting = context.find((argument) => argument.startsWith('kept='))!
    assert.deepEqual(JSON.parse(lasting.slice('kept='.length)), { ...kept, importConcurrency: '9' })
  })

  test('takes a setting back to its default where it is given so, or empty', async () => {
    const { settings, context, notes } = await deploying(
      { alarmEmail: 'a@example.com', dashboard: 'true' },
      { alarmEmail: '', dashboard: 'false' },
    )
    assert.deepEqual([settings.alarmEmail, settings.dashboard, notes], [undefined, false, []])
    assert.ok(context.includes('kept={}'))
    await assert.rejects(deploying(ownHosts, { apiDomain: '' }), /certificateArn: own host names need all of/)
  })

  test('of a setting that this version no longer has, or no longer takes, goes on once that is given anew', async () => {
    const { settings } = await deploying({ gone: 'x', logRetentionDays: '30.5' }, { logRetentionDays: '7' })
    assert.equal(settings.logRetentionDays, 7)
    await assert.rejects(deploying({ logRetentionDays: '30.5' }, {}), /wrong settings.*logRetentionDays: one of/s)
  })

  test('of a new stack has what is given', async () => {
    const { settings, changes, notes } = await wantedSettings('library', { retain: 'true' }, undefined, unasked)
    assert.deepEqual([settings.retain, changes, notes], [true, [], []])
  })

  test('does not touch a stack of somebody else', async () => {
    await assert.rejects(wantedSettings('library', {}, stackWith({ Url: 'x' }), unasked), /^Error: The stack library is no media library/)
  })
})

describe('a change that an operator must want is said with its consequence', () => {
  const said = async (kept: GivenSettings, given: GivenSettings) => (await deploying(kept, given)).changes

  test('when data is no longer retained, but not when it is from now on', async () => {
    assert.match((await said({ retain: 'true' }, { retain: 'false' })).join(), /^retain ends: .* will delete table and files/)
    assert.deepEqual(await said({}, { retain: 'true' }), [])
  })

  test('when records of host names go from a zone, but not when they are made', async () => {
    const hosts = { apiDomain: 'api.example.com', deliveryDomain: 'files.example.com', certificateArn: ownHosts.certificateArn }
    const inZone = { ...hosts, hostedZoneId: 'Z0123456789ABCDEFGHIJ' }
    assert.deepEqual(await said(hosts, inZone), [])
    const [gone, ...others] = await said(inZone, { hostedZoneId: '' })
    assert.match(gone ?? '', /^hostedZoneId changes from Z0123456789ABCDEFGHIJ: the stack removes its records/)
    assert.deepEqual(others, [])
  })

  test('when the service moves to other data: what becomes of the former', async () => {
    const [deleted] = await said({}, { adoptTable: 'restored', retain: 'true' })
    assert.match(deleted ?? '', /^The service moves to restored: .* The table library-table IS DELETED, with everything in it/)
    const [stays] = await said({ retain: 'true' }, { adoptTable: 'restored' })
    assert.match(stays ?? '', /The table library-table stays/)
    const all = await said(
      { ...adoptedSettings },
      { adoptTable: '', adoptMediaBucket: '', adoptPublicBucket: '', adoptApiSecretsKeyArn: '' },
    )
    assert.equal(all.length, 4)
    for (const [index, what] of ['table', 'media bucket', 'public bucket', 'key to API secrets'].entries())
      assert.match(all[index]!, new RegExp(`to a new, empty ${what}: .* stays`))
  })

  test('when an address, the search engine, the brand or the vendor changes', async () => {
    const moved = await said(ownHosts, { cdnDomain: 'links.example.com', playerDomain: '' })
    assert.match(moved[0]!, /^cdnDomain changes from cdn\.example\.com to links\.example\.com: links and streams move/)
    assert.match(moved[1]!, /^playerDomain changes from player\.example\.com to CloudFront's own name/)
    assert.equal(moved.length, 2)
    assert.equal((await said({}, ownHosts)).length, 4)
    const others = await said({}, { ...openSearchSettings, brand: 'ACME', vendor: 'acme' })
    assert.match(
      others.join('\n'),
      /^searchEngine changes from embedded to opensearch: .*brand changes from SVC to ACME: .*vendor changes from vendor to acme/s,
    )
  })

  test('and no other', async () => {
    const harmless = { alarmEmail: 'a@example.com', importConcurrency: '7', formerCdnDomains: 'a.example.com', mailSender: 'a@example.org' }
    assert.deepEqual(await said({}, harmless), [])
  })
})

describe('a stack of a version that kept no settings', () => {
  const told = {
    ...{ ...ownHosts, formerCdnDomains: 'old.example.com,older.example.com', retain: 'true', brand: 'ACME', vendor: 'acme' },
    ...{ alarmEmail: 'a@example.com', dashboard: 'true', mailSender: 'library@acme.test', tokenLifetimeDays: '7', eventDays: '60' },
    ...{ maxUploadBytes: '1000000', shareMaxFiles: '10', videoPreviews: 'on-demand', ...openSearchSettings },
    linkWebAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/links/00000000-0000-0000-0000-000000000000',
  }
  const value = (Value: unknown) => ({ Value })
  const urlOf = (id: string) => ({ 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [id, 'DomainName'] }]] })
  const resource = (Type: string, Properties = {}, DeletionPolicy = 'Delete') => ({ Type, Properties, DeletionPolicy })
  const environment = (settings: string) => resource('AWS::Lambda::Function', { Environment: { Variables: { SETTINGS: settings } } })

  /** What such a template says of settings: one with many that are not as by default, and one that adopts its data. */
  const template = {
    Outputs: {
      ...{ Brand: value('ACME'), Vendor: value('acme'), MailSender: value('library@acme.test') },
      ...{ BaseUrl: value('https://api.example.com'), DeliveryUrl: value('https://files.example.com') },
      ...{ CdnUrl: value('https://cdn.example.com'), PlayerUrl: value('https://player.example.com'), TableName: value({ Ref: 'Table' }) },
    },
    Resources: {
      Table: resource('AWS::DynamoDB::Table', {}, 'Retain'),
      Key: resource('AWS::SecretsManager::Secret', {}, 'Retain'),
      Buckets: resource('Custom::Buckets', {
        ...{ Media: { Ref: 'Media' }, Public: { Ref: 'Public' } },
        FormerCdnUrls: [urlOf('Links'), 'https://old.example.com', 'https://older.example.com'],
      }),
      Secrets: resource('Custom::Secrets', { ApiSecretsKeyArn: { 'Fn::GetAtt': ['Key', 'Id'] } }),
      Links: resource('AWS::CloudFront::Distribution', {
        DistributionConfig: { ViewerCertificate: { AcmCertificateArn: told.certificateArn }, WebACLId: told.linkWebAclArn },
      }),
      Subscription: resource('AWS::SNS::Subscription', { Endpoint: 'a@example.com', Protocol: 'email' }),
      Dashboard: resource('AWS::CloudWatch::Dashboard'),
      Access: resource('AWS::OpenSearchServerless::AccessPolicy', {
        Policy: {
          'Fn::Join': ['', ['"Principal":["', { 'Fn::GetAtt': ['Role', 'Arn'] }, `"]},{"Principal":["${told.searchAdminArn}"]}]`]],
        },
      }),
      Function: environment(
        '{"brand":"ACME","vendor":"acme","tokenLifetimeDays":7,"maxUploadBytes":1000000,"shareMaxFiles":10,"shareMaxBytes":53687091200,"videoPreviews":"on-demand","eventDays":60}',
      ),
    },
  }
  const adopting = {
    Outputs: { Brand: value('SVC'), Vendor: value('vendor'), BaseUrl: value(urlOf('Api')), CdnUrl: value(urlOf('Links')) },
    Resources: {
      Table: resource('Custom::AdoptedTable', { Name: adoptedSettings.adoptTable }),
      Buckets: resource('Custom::Buckets', {
        ...{ Media: adoptedSettings.adoptMediaBucket, Public: adoptedSettings.adoptPublicBucket, FormerCdnUrls: [urlOf('Links')] },
      }),
      Secrets: resource('Custom::Secrets', { ApiSecretsKeyArn: adoptedSettings.adoptApiSecretsKeyArn }),
      Function: environment('{"tokenLifetimeDays":30,"videoPreviews":"always"}'),
    },
  }

  test('tells them by its template', () => {
    assert.deepEqual(formerSettings(template), told)
    assert.deepEqual(formerSettings(adopting), { ...adoptedSettings, retain: 'true' })
    assert.deepEqual(formerSettings({ Resources: { Table: resource('AWS::DynamoDB::Table') } }), {})
  })

  test('goes on with them, and is asked before it loses one', async () => {
    const client = { send: async () => ({ TemplateBody: JSON.stringify(template) }) } as unknown as CloudFormationClient
    const plain = await wantedSettings('library', {}, stackWith(own), client)
    assert.deepEqual([plain.settings.retain, plain.settings.apiDomain, plain.changes], [true, 'api.example.com', []])
    assert.match(plain.notes.join('\n'), /kept no settings: .* does not tell importConcurrency.*goes on with .*retain=true/s)
    const { changes } = await wantedSettings('library', { retain: 'false', adoptTable: 'other' }, stackWith(own), client)
    assert.match(changes.join('\n'), /^retain ends.*The service moves to other: .* stays/s)
    const denied = { send: () => Promise.reject(new Error('You may not')) } as unknown as CloudFormationClient
    await assert.rejects(wantedSettings('library', {}, stackWith(own), denied), /could not be read from its template: You may not/)
  })
})

import assert from 'node:assert/strict'
import type { Stack } from '@aws-sdk/client-cloudformation'
import { describe, test } from 'vitest'
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

/** A deployment of a stack that keeps settings. */
const deploying = (kept: GivenSettings, given: GivenSettings) =>
  wantedSettings('library', given, stackWith({ ...own, Settings: writeSettings(kept) }))

describe('a deployment', () => {
  test('goes on with the settings of the stack, says which, and keeps them for the next', () => {
    const kept = { retain: 'true', ...ownHosts, alarmEmail: 'a@example.com', formerCdnDomains: 'old.example.com,older.example.com' }
    const { settings, context, changes, notes } = deploying(kept, { importConcurrency: '9' })
    assert.deepEqual([settings.stackName, settings.retain, settings.importConcurrency], ['library', true, 9])
    assert.equal(settings.apiDomain, 'api.example.com')
    assert.deepEqual(changes, [])
    assert.match(notes.join(), /^The stack goes on with retain=true, apiDomain=api\.example\.com, .*alarmEmail=a@example\.com/)
    assert.ok(context.includes('retain=true') && context.includes('importConcurrency=9'))
    const lasting = context.find((argument) => argument.startsWith('kept='))!
    assert.deepEqual(JSON.parse(lasting.slice('kept='.length)), { ...kept, importConcurrency: '9' })
  })

  test('takes a setting back to its default where it is given so, or empty', () => {
    const { settings, context, notes } = deploying(
      { alarmEmail: 'a@example.com', dashboard: 'true' },
      { alarmEmail: '', dashboard: 'false' },
    )
    assert.deepEqual([settings.alarmEmail, settings.dashboard, notes], [undefined, false, []])
    assert.ok(context.includes('kept={}'))
    assert.throws(() => deploying(ownHosts, { apiDomain: '' }), /certificateArn: own host names need all of/)
  })

  test('of a setting that this version no longer has, or no longer takes, goes on once that is given anew', () => {
    const { settings } = deploying({ gone: 'x', logRetentionDays: '30.5' }, { logRetentionDays: '7' })
    assert.equal(settings.logRetentionDays, 7)
    assert.throws(() => deploying({ logRetentionDays: '30.5' }, {}), /wrong settings.*logRetentionDays: one of/s)
  })

  test('of a new stack has what is given', () => {
    const { settings, changes, notes } = wantedSettings('library', { retain: 'true' }, undefined)
    assert.deepEqual([settings.retain, changes, notes], [true, [], []])
  })

  test('does not touch a stack of somebody else', () => {
    assert.throws(() => wantedSettings('library', {}, stackWith({ Url: 'x' })), /^Error: The stack library is no media library/)
  })
})

describe('a change that an operator must want is said with its consequence', () => {
  const said = (kept: GivenSettings, given: GivenSettings) => deploying(kept, given).changes

  test('when data is no longer retained, but not when it is from now on', () => {
    assert.match(said({ retain: 'true' }, { retain: 'false' }).join(), /^retain ends: .* will delete table and files/)
    assert.deepEqual(said({}, { retain: 'true' }), [])
  })

  test('when records of host names go from a zone, but not when they are made', () => {
    const hosts = { apiDomain: 'api.example.com', deliveryDomain: 'files.example.com', certificateArn: ownHosts.certificateArn }
    const inZone = { ...hosts, hostedZoneId: 'Z0123456789ABCDEFGHIJ' }
    assert.deepEqual(said(hosts, inZone), [])
    const [gone, ...others] = said(inZone, { hostedZoneId: '' })
    assert.match(gone ?? '', /^hostedZoneId changes from Z0123456789ABCDEFGHIJ: the stack removes its records/)
    assert.deepEqual(others, [])
  })

  test('when the service moves to other data: what becomes of the former', () => {
    const [deleted] = said({}, { adoptTable: 'restored', retain: 'true' })
    assert.match(deleted ?? '', /^The service moves to restored: .* The table library-table IS DELETED, with everything in it/)
    const [stays] = said({ retain: 'true' }, { adoptTable: 'restored' })
    assert.match(stays ?? '', /The table library-table stays/)
    const all = said({ ...adoptedSettings }, { adoptTable: '', adoptMediaBucket: '', adoptPublicBucket: '', adoptApiSecretsKeyArn: '' })
    assert.equal(all.length, 4)
    for (const [index, what] of ['table', 'media bucket', 'public bucket', 'key to API secrets'].entries())
      assert.match(all[index]!, new RegExp(`to a new, empty ${what}: .* stays`))
  })

  test('when an address, the search engine, the brand or the vendor changes', () => {
    const moved = said(ownHosts, { cdnDomain: 'links.example.com', playerDomain: '' })
    assert.match(moved[0]!, /^cdnDomain changes from cdn\.example\.com to links\.example\.com: links and streams move/)
    assert.match(moved[1]!, /^playerDomain changes from player\.example\.com to CloudFront's own name/)
    assert.equal(moved.length, 2)
    assert.equal(said({}, ownHosts).length, 4)
    const others = said({}, { ...openSearchSettings, brand: 'ACME', vendor: 'acme' })
    assert.match(
      others.join('\n'),
      /^searchEngine changes from embedded to opensearch: .*brand changes from SVC to ACME: .*vendor changes from vendor to acme/s,
    )
  })

  test('and no other', () => {
    const harmless = { alarmEmail: 'a@example.com', importConcurrency: '7', formerCdnDomains: 'a.example.com', mailSender: 'a@example.org' }
    assert.deepEqual(said({}, harmless), [])
  })
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events, openSearchEvents } from '../../../../functions/events.ts'
import { entriesOf } from '../../../../infra/aws/bundling/entries.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import { asText, type Json, keyOf, listOf, openSearchSettings, pointsAt, synthesize } from './synthesized.ts'

const tables = { endpoints, events: openSearchEvents }
const { resources, ofType } = synthesize(tables, openSearchSettings)
const ofSearch = (all: typeof resources) => all.filter(({ type }) => type.startsWith('AWS::OpenSearchServerless::'))
const only = (type: string) => ofType(`AWS::OpenSearchServerless::${type}`)[0]!

/** Functions with their roles. */
const functions = ofType('AWS::Lambda::Function').map((fn) => ({
  name: keyOf(fn),
  role: pointsAt(fn.properties.Role)!,
  variables: fn.properties.Environment?.Variables ?? {},
}))
const searching = [
  'change-media-in-bulk',
  'get-search-layout',
  'list-folders',
  'search-media',
  'search-stock',
  'suggest-search',
  'visit-share',
]

/** The policy for data, its principals by the names of their functions. */
const policy: Json[] = JSON.parse(asText(only('AccessPolicy').properties.Policy))
function admitted(description: string) {
  const { Rules, Principal } = policy.find(({ Description }) => Description === description)
  const nameOf = (principal: string) => functions.find(({ role }) => principal === `<${role}.Arn>`)?.name ?? principal
  return { rules: Rules, principals: Principal.map(nameOf).sort() }
}

describe('the search engine OpenSearch', () => {
  test('is not there unless the settings say so', () => {
    const usual = synthesize({ endpoints, events })
    assert.deepEqual(ofSearch(usual.resources), [])
    assert.ok(!JSON.stringify(usual.template).includes('aoss:'))
    assert.equal(usual.template.Outputs.SearchEndpoint, undefined)
  })

  test('lets searches read, the indexer write, the operator make indexes, and nobody else do anything', () => {
    const { Name } = only('Collection').properties
    const indexes = [`index/${Name}/media*`]
    assert.deepEqual(policy.map(({ Description }) => Description).sort(), ['admin', 'read', 'write'])
    assert.deepEqual(admitted('read'), {
      rules: [{ ResourceType: 'index', Resource: indexes, Permission: ['aoss:ReadDocument'] }],
      principals: searching,
    })
    assert.deepEqual(admitted('write'), {
      rules: [
        { ResourceType: 'index', Resource: indexes, Permission: ['aoss:WriteDocument'] },
        { ResourceType: 'collection', Resource: [`collection/${Name}`], Permission: ['aoss:DescribeCollectionItems'] },
      ],
      principals: ['index-change', 'index-media'],
    })
    assert.deepEqual(admitted('admin').principals, [openSearchSettings.searchAdminArn])
  })

  test('is reached by the functions that use it alone, at its address', () => {
    const allowed = ofType('AWS::IAM::Role').filter(({ properties }) =>
      listOf(properties.Policies)
        .flatMap((each: Json) => each.PolicyDocument.Statement as Json[])
        .some(({ Action, Resource }) => Action === 'aoss:APIAccessAll' && asText(Resource) === `<${only('Collection').id}.Arn>`),
    )
    const users = functions.filter(({ role }) => allowed.some(({ id }) => id === role))
    const addressed = functions.filter(({ variables }) => variables.SEARCH_ENDPOINT)
    for (const found of [users, addressed])
      assert.deepEqual(found.map(({ name }) => name).sort(), ['index-change', 'index-media', ...searching].sort())
  })

  test('is in the bundles of searches instead of the embedded one', () => {
    const root = join(import.meta.dirname, '../../../..')
    const source = (settings: Parameters<typeof entriesOf>[2], name: string) =>
      entriesOf(tables, root, settings).find((entry) => entry.name === name)!.source
    for (const name of searching) {
      const usual = source(defaultSettings, name)
      assert.ok(usual.includes('embeddedSearch') && !usual.includes('opensearch'))
      const other = source({ ...defaultSettings, searchEngine: 'opensearch' }, name)
      assert.ok(other.includes('openSearchEngine') && !other.includes('embedded'))
    }
  })
})

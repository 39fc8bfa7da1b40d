import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { endpointFunctions } from '../../../infra/bundling/endpoint-functions.ts'
import { entriesOf } from '../../../infra/bundling/entries.ts'
import { grantsOf } from '../../../infra/grants.ts'
import type { Endpoint } from '../../../shared/http/endpoint.ts'
import { defaultSettings } from '../../../shared/settings.ts'

const projectRoot = join(import.meta.dirname, '../../..')
const entries = entriesOf({ endpoints, events }, projectRoot, defaultSettings)
const sourceOf = (name: string) => entries.find((entry) => entry.name === name)!.source

describe('entries of functions', () => {
  test('there is one for every function, under a name of its own', () => {
    const names = entries.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
    for (const name of [...endpointFunctions(endpoints).map(({ name }) => name), ...Object.keys(events), 'fallback'])
      assert.ok(names.includes(name), name)
  })

  test('an entry holds the endpoint and the adapters of what it uses, and nothing else', () => {
    assert.equal(
      sourceOf('get-folder'),
      [
        "import { getFolder as subject } from './functions/folder/get-folder.ts'",
        "import { endpointHandler } from './shared/http/kernel/lambda.ts'",
        "import { dynamoTable } from './shared/backends/table/dynamodb.ts'",
        'const table = dynamoTable({ tableName: process.env.TABLE_NAME })',
        'const sessions = table',
        'export const handler = endpointHandler(subject, { table, sessions })',
        '',
      ].join('\n'),
    )
  })

  test('a function that answers several endpoints holds them all, also where it is named like one of them', () => {
    for (const { name, endpoints: answered } of endpointFunctions(endpoints))
      for (const key of Object.keys(answered)) assert.match(sourceOf(name), new RegExp(`/${key}\\.ts'$`, 'm'), `${key} in ${name}`)
    assert.match(sourceOf('finish-sign-on'), /= endpointsHandler\(\[finishSignOn, logOutByProvider\], /)
  })

  test('what an adapter is made of is made before it, and given to nobody who did not ask', () => {
    const source = sourceOf('search-media')
    assert.ok(source.indexOf('const table =') < source.indexOf('const search ='))
    assert.deepEqual(
      grantsOf({ search: 'read' }).map(({ name }) => name),
      ['table', 'snapshotFiles', 'snapshotJobs', 'search'],
    )
  })

  test('an event function runs as what starts it says', () => {
    assert.match(sourceOf('note-service-event'), /= queueHandler\(subject, \{ table \}, queue\)/)
    assert.match(sourceOf('note-service-event'), /^const queue = sqsVisibility\(\{ url: process\.env\.QUEUE_URL \}\)$/m)
    assert.match(sourceOf('import-media'), /= jobHandler\(subject, \{ table, uploads, media, exiftool, renderer, videoProbe \}, running\)/)
    assert.match(sourceOf('remove-media-objects'), /= changeHandler\(subject, \{ table, media, uploads \}\)/)
  })

  test('what a function writes to through one grant and reads through another it may write', () => {
    const [table] = grantsOf({ search: 'read', table: 'write' })
    assert.equal(table!.name, 'table')
    assert.equal(table!.grant, grantsOf({ table: 'write' })[0]!.grant)
  })

  test('a key that names no module is refused', () => {
    const unknown = endpoints['get-folder'] as unknown as Endpoint
    assert.throws(
      () => entriesOf({ endpoints: { 'get-nothing': unknown }, events: {} }, projectRoot, defaultSettings),
      /no module functions\/\*\/get-nothing\.ts/,
    )
  })
})

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { getFolder } from '../../../functions/folder/get-folder.ts'
import { listFolders } from '../../../functions/folder/list-folders.ts'
import { settingsAt } from '../../../infra/local/settings.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'

import type { Endpoint } from '../../../shared/http/endpoint.ts'
import { apiHandler } from '../../../shared/http/kernel/kernel.ts'
import { bufferedHandler } from '../../../shared/http/kernel/lambda.ts'
import { Access } from '../../../shared/library/access/access.ts'
import { createKey } from '../../../shared/library/accounts/api-keys.ts'
import { addUser, openCompany } from '../../../shared/library/accounts/provision.ts'
import { issueToken } from '../../../shared/library/accounts/tokens.ts'
import type { UserRecord } from '../../../shared/library/accounts/users.ts'
import { changeFolder } from '../../../shared/library/folders/folders.ts'
import { searchScope } from '../../../shared/library/search/scope.ts'
import { contentsOf, type FolderRecord, newFolder } from '../../../shared/library/tree/folder.ts'
import type { Tree } from '../../../shared/library/tree/tree.ts'
import { TreeCache, versionKey } from '../../../shared/library/tree/tree-log.ts'
import { changeTree, loadStoredTree } from '../../../shared/library/tree/tree-store.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { type CompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { apiEvent } from '../../support/api-event.ts'
import { countUnits, storeItems } from '../../support/aws/large-table.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { by, callerOf } from '../../support/library.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

/** With those that every company has. */
const FOLDERS = 100_000
/** That of the tree once it is written. Earlier versions of the service counted no changes, so the next one makes a snapshot. */
const VERSION = 150_000
/** Subfolders of each folder. */
const WIDTH = 10
/** Nearly as many as make the next snapshot due: more the log never holds since the last. */
const CHANGED_SINCE = 900
const CHANGED_AT_ONCE = 90
const WORDS = ['Harbour', 'Summer', 'Köln', 'Campaign', 'press', 'final', 'approved', '2025', 'events', 'portraits', 'ロゴ', 'archive']

describe('100,000 folders on DynamoDB, read by processes with nothing in memory', () => {
  const client = patientClient()
  let place: Awaited<ReturnType<typeof makeTemporaryTable>>
  let companyId: CompanyId
  let admin: UserRecord
  let authorization: string
  let folders: FolderRecord[]
  let expected: Tree

  beforeAll(async () => {
    place = await makeTemporaryTable(client)
    const library = { table: dynamoTable({ tableName: place.tableName, client }), clock: systemClock, by }
    ;({ companyId } = await openCompany(library, 'Large'))
    admin = await addUser(library, { companyId, username: 'admin', fullname: 'Admin', password: 'a long password', admin: true })
    const apiSecretsKey = { get: async () => ({ current: Buffer.alloc(32).toString('base64') }) }
    const { record: key } = await createKey({ ...library, apiSecretsKey }, { companyId, grants: [] })
    authorization = `${defaultSettings.brand}-SIMPLE-TOKEN Token=${(await issueToken(library, admin, key, 1)).token}`
    const made = await loadStoredTree(library, companyId)
    folders = randomFolders(companyId, FOLDERS - made.size)
    await storeItems(client, place.tableName, folders)
    await library.table.put({ ...versionKey(companyId), version: VERSION })
    // So that the process that changes it needn't read it first, which takes this engine long.
    TreeCache.of(library.table).keep(made.with(VERSION, folders))
    await changeTree(library, companyId, () => ({ put: [folders[0]!] }))
    for (let from = 1; from < CHANGED_SINCE; from += CHANGED_AT_ONCE) {
      const put = folders.slice(from, from + CHANGED_AT_ONCE).map((folder) => ({ ...folder, name: `${folder.name}, renamed` }))
      expected = await changeTree(library, companyId, () => ({ put }))
    }
  })
  afterAll(async () => {
    await place.remove()
    client.destroy()
  })

  /** A process that begins. @returns its table, and the read units that it has consumed */
  function beginning() {
    const own = patientClient()
    let units = 0
    countUnits(own, (consumed) => {
      units += consumed
    })
    return { table: dynamoTable({ tableName: place.tableName, client: own }), units: () => units, [Symbol.dispose]: () => own.destroy() }
  }

  /** Asks an endpoint, as its function is asked first. @returns the body, and the read units that the answer took */
  async function ask(endpoint: Endpoint, path: string, parameters: Record<string, string>, etag?: string) {
    using process = beginning()
    const settings = settingsAt('http://127.0.0.1', defaultSettings)
    const kernel = { settings, clock: systemClock, log: jsonLog(() => undefined), baseUrl: 'http://127.0.0.1', version: () => '1' }
    const event = apiEvent({ method: 'GET', path, authorization }, path, parameters)
    if (etag !== undefined) event.headers['if-none-match'] = etag
    const answer = bufferedHandler(apiHandler(endpoint, { table: process.table }, kernel))
    const { statusCode, headers, body } = await answer(event)
    return { statusCode, etag: headers?.ETag as string, json: JSON.parse(body || 'null'), units: process.units() }
  }

  test('one folder takes less than 50 read units', async () => {
    const deepest = folders.at(-1)!
    const { statusCode, json, units } = await ask(getFolder, '/folder/{id}', { id: String(deepest.folderId) })
    assert.deepEqual([statusCode, json.id], [200, deepest.folderId])
    assert.ok(units < 50, `${units} read units`)
  })

  test('rights on a file take less than 50 read units', async () => {
    using process = beginning()
    const access = new Access(process.table, callerOf(admin))
    const placed = folders.slice(-3).map(({ folderId }) => contentsOf({ folderId }))
    assert.equal((await access.visibleAmong({ companyId, folders: placed })).length, 3)
    assert.ok(process.units() < 50, `${process.units()} read units`)
  })

  test('the folders that a search covers take less than 600 read units, with all that have changed since the last snapshot', async () => {
    using process = beginning()
    const { tree } = await searchScope({ access: new Access(process.table, callerOf(admin)) }, companyId, { recursive: true })
    assert.equal(tree.layout.folders.length, FOLDERS)
    assert.ok(process.units() < 600, `${process.units()} read units`)
    for (const record of expected.everyStored()) assert.deepEqual(tree.record(record.folderId), record)
  })

  test('all folders take less than 600 read units, and a client who has them takes less than 10', async () => {
    const { statusCode, json, etag, units } = await ask(listFolders, '/folder', {})
    assert.deepEqual([statusCode, json.length], [200, FOLDERS])
    assert.ok(units < 600, `${units} read units`)
    const known = await ask(listFolders, '/folder', {}, etag)
    assert.equal(known.statusCode, 304)
    assert.ok(known.units < 10, `${known.units} read units`)
  })

  test('a folder that is renamed takes less than 50 read units', async () => {
    using process = beginning()
    const { folderId } = folders.at(-1)!
    const library = { table: process.table, clock: systemClock, by, access: new Access(process.table, callerOf(admin)) }
    assert.equal((await changeFolder(library, folderId, { name: 'Renamed' })).name, 'Renamed')
    assert.ok(process.units() < 50, `${process.units()} read units`)
  })
})

/** A tree of the shape that companies have, with ids as they are drawn. */
function randomFolders(companyId: CompanyId, count: number): FolderRecord[] {
  const ids = [...new Set(Array.from({ length: count + 100 }, () => randomInt(1, 2e9)))].slice(0, count).map(toFolderId)
  const word = () => WORDS[randomInt(WORDS.length)]!
  return ids.map((folderId, n) => {
    const parent = n === 0 ? null : ids[Math.floor((n - 1) / WIDTH)]!
    const created = Date.UTC(2025, 0, 1) + n * 60_000 + randomInt(60_000)
    return newFolder(folderId, { companyId, name: `${word()} ${word()} ${randomInt(10_000)}`, parent, created })
  })
}

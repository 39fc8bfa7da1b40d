import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { searchMedia } from '../../../functions/search/search-media.ts'
import { settingsAt } from '../../../infra/local/settings.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import type { KnownObjects } from '../../../shared/backends/objects/port.ts'
import { s3Client, s3Objects } from '../../../shared/backends/objects/s3.ts'
import { s3Reader } from '../../../shared/backends/objects/s3-reader.ts'
import { embeddedSearch } from '../../../shared/backends/search/embedded.ts'
import type { SearchDocument } from '../../../shared/backends/search/port.ts'
import { openIndexWriter } from '../../../shared/backends/search/snapshots/index-writer.ts'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { apiHandler } from '../../../shared/http/kernel/kernel.ts'
import { createKey } from '../../../shared/library/accounts/api-keys.ts'
import { addUser, openCompany } from '../../../shared/library/accounts/provision.ts'
import { issueToken } from '../../../shared/library/accounts/tokens.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { snapshotJob, type WantedSnapshot } from '../../../shared/library/index-snapshots/job.ts'
import { getSnapshots } from '../../../shared/library/index-snapshots/record.ts'
import { storedSnapshots } from '../../../shared/library/index-snapshots/stored-snapshots.ts'
import { writeSnapshot } from '../../../shared/library/index-snapshots/write-snapshot.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { LEASE_MS, performJob } from '../../../shared/library/jobs/perform.ts'
import { feedPosition } from '../../../shared/library/media/change-feed.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import type { AvailableMedia } from '../../../shared/library/media/media.ts'
import { documentFeed } from '../../../shared/library/media/search-feed.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { type CompanyId, type ContentsId, NOBODY, toContentsId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { type TemporaryBucket, temporaryBucket } from '../../backends/objects/temporary-bucket.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { library as generatedFiles } from '../../bench/search-library.ts'
import { apiEvent } from '../../support/api-event.ts'
import { countUnits, storeItems } from '../../support/aws/large-table.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { by, callerOf, requestOf } from '../../support/library.ts'

assert.ok(process.env.AWS_ENDPOINT_URL_DYNAMODB, 'AWS_ENDPOINT_URL_DYNAMODB names the emulator; npm run test:aws sets it')

const FILES = 100_000
/** As many as ask for the next snapshot. */
const CHANGES = 2_000
const MB = 1_000_000
/** A search without the index: the key, the token, the user, the tree. */
const REQUEST_UNITS = 20

describe('the search index of 100,000 files on DynamoDB and S3', () => {
  const client = patientClient()
  const s3 = s3Client()
  const apiSecretsKey = { get: async () => ({ current: Buffer.alloc(32).toString('base64') }) }
  const directory = mkdtempSync(join(tmpdir(), 'large-index-'))
  let place: Awaited<ReturnType<typeof makeTemporaryTable>>
  let bucket: TemporaryBucket
  let companyId: CompanyId
  let contents: ContentsId
  let authorization: string

  beforeAll(async () => {
    ;[place, bucket] = await Promise.all([makeTemporaryTable(client), temporaryBucket(s3)])
    const library = { table: dynamoTable({ tableName: place.tableName, client }), clock: systemClock, by }
    ;({ companyId } = await openCompany(library, 'Large'))
    const admin = await addUser(library, { companyId, username: 'admin', fullname: 'Admin', password: 'a long password', admin: true })
    const { record: key } = await createKey({ ...library, apiSecretsKey }, { companyId, grants: [] })
    authorization = `${defaultSettings.brand}-SIMPLE-TOKEN Token=${(await issueToken(library, admin, key, 1)).token}`
    const folder = await createFolder(requestOf(library, callerOf(admin)), { name: 'All files', parent: null })
    contents = toContentsId(folder.folderId)
    const files = generatedFiles(FILES).map((file) => fileOf(file))
    await storeItems(client, place.tableName, [...files])
  })
  afterAll(async () => {
    await Promise.all([place.remove(), bucket.close()])
    client.destroy()
    s3.destroy()
    rmSync(directory, { recursive: true })
  })

  /** A file as an import stores it, but for its renditions. */
  function fileOf(document: SearchDocument, modified = document.created) {
    const { mediaId: id, title, description, keywords, latitude, longitude, cameraCreated, byline, copyright, ...same } = document
    const mediaId = toMediaId(id)
    const media: AvailableMedia = {
      ...same,
      mediaId,
      companyId,
      modified,
      folders: [contents],
      uploadedBy: NOBODY,
      state: 'available',
      progress: 100,
      uploadKey: `upload/${id}`,
      version: 1,
      title: { en: title[0]! },
      description: { en: description[0]! },
      keywords: { en: [...keywords] },
      byline,
      copyright,
      editorial: false,
      adultContent: false,
      mime: 'image/jpeg',
      extension: 'jpg',
      md5: '0'.repeat(32),
      crc32: id,
      bytes: 5_000_000,
      iptc: null,
      geolocation: latitude === null ? null : { source: 'exif', latitude: String(latitude), longitude: String(longitude) },
      cameraCreated: cameraCreated === null ? null : Math.floor(cameraCreated / 1000),
      suggestedKeywords: [...document.suggestedKeywords],
      renditions: {},
      by: { kind: 'job', job: 'import-media', run: String(id) },
    }
    return { ...mediaKey(mediaId), ...media, ...feedPosition(media, modified) }
  }

  /** A process that begins: a table and a bucket, and what it takes of them. */
  function beginning() {
    const taken = { units: 0, requests: 0, bytes: 0 }
    const own = patientClient()
    countUnits(own, (units) => {
      taken.units += units
    })
    onTestFinished(() => own.destroy())
    const table: Table = dynamoTable({ tableName: place.tableName, client: own })
    const since = () => {
      const before = { ...taken }
      return () => ({ units: taken.units - before.units, requests: taken.requests - before.requests, bytes: taken.bytes - before.bytes })
    }
    return { table, taken, since }
  }

  /** A function that searches, at its first request. */
  function searching() {
    const { table, taken, since } = beginning()
    const reader = s3Reader({ bucket: bucket.name, region: 'us-east-1', endpoint: process.env.AWS_ENDPOINT_URL })
    const snapshotFiles: Pick<KnownObjects, 'get'> = {
      async get(key, range) {
        taken.requests++
        const body = await reader.get(key, range)
        body.stream.on('data', (chunk: Buffer) => {
          taken.bytes += chunk.length
        })
        return body
      },
    }
    const log = jsonLog(() => undefined)
    const found = storedSnapshots({ table, snapshotFiles, snapshotJobs: table, clock: systemClock, log })
    const folder = mkdtempSync(join(directory, 'process-'))
    const search = embeddedSearch({ directory: folder, feed: documentFeed({ table, clock: systemClock }), snapshots: found })
    onTestFinished(() => search.close())
    const kernel = { settings: settingsAt('http://127.0.0.1', defaultSettings), clock: systemClock, log, baseUrl: 'http://127.0.0.1' }
    const urls = { sign: () => assert.fail('nothing is signed') }
    const handler = apiHandler(searchMedia, { table, search, urls }, kernel)
    /** Searches for everything: the answer, and what it took. */
    return async () => {
      const event = apiEvent({ method: 'GET', path: '/search', authorization }, '/search', {})
      const query = { q: '-nothinglikethis', return_values: 'title', media_count: '10' }
      const multiValueQueryStringParameters = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))
      const took = since()
      const { statusCode, headers, body } = await handler({ ...event, queryStringParameters: query, multiValueQueryStringParameters })
      return { statusCode, headers: headers ?? {}, answer: JSON.parse(body), ...took() }
    }
  }

  /** Does what was asked for, as the job does. @returns what it took */
  async function work() {
    const { table, taken, since } = beginning()
    const own: S3Client = s3Client()
    own.middlewareStack.add(
      (next) => (request) => {
        taken.requests++
        return next(request)
      },
      { step: 'finalizeRequest' },
    )
    onTestFinished(() => own.destroy())
    const indexWriter = openIndexWriter({ directory: join(directory, 'writer'), feed: documentFeed({ table, clock: systemClock }) })
    const log = jsonLog(() => undefined)
    const library = { table, clock: systemClock, by, log, indexWriter, snapshotFiles: s3Objects({ bucket: bucket.name, client: own }) }
    const took = since()
    const jobs = { table: library.table, clock: systemClock, log }
    const job = await claimNext(jobs, snapshotJob.name, undefined, LEASE_MS)
    assert.ok(job, 'a job waits')
    await performJob(jobs, job, () => writeSnapshot(library, job.companyId, job.input as WantedSnapshot))
    return took()
  }

  const newest = async () => (await getSnapshots(beginning(), companyId))!.snapshots![0]!

  test('takes no more than these read units, bytes and requests', async () => {
    // Without a snapshot nothing is built: the keys of 5,001 files are read, once in a process.
    const search = searching()
    const first = await search()
    assert.deepEqual([first.statusCode, first.answer.code, first.requests], [503, 'search_index_building', 0])
    within(first.units, REQUEST_UNITS + 100, 'read units of the first search')
    const second = await search()
    assert.equal(second.statusCode, 503)
    within(second.units, REQUEST_UNITS, 'read units of a search that waits')

    // Each file is read once.
    const built = await work()
    within(built.units, 1.1 * FILES, 'read units of the first snapshot')
    const { bytes, stored } = await newest()
    within(bytes, 1_100 * FILES, 'bytes of the index')
    within(stored, 600 * FILES, 'bytes of the snapshot')
    within(built.requests, 10 + stored / (8 * 1024 ** 2), 'requests of the first snapshot')

    const cold = await search()
    assert.deepEqual([cold.statusCode, cold.answer.response.hits], [200, FILES])
    within(cold.units, REQUEST_UNITS + 15, 'read units of a cold search')
    within(cold.bytes, stored + 0.1 * MB, 'bytes of a cold search')
    within(cold.requests, 3 + bytes / (8 * 1024 ** 2), 'requests of a cold search')

    const warm = await search()
    assert.deepEqual([warm.statusCode, warm.answer.response.hits, warm.requests], [200, FILES, 0])
    within(warm.units, REQUEST_UNITS + 15, 'read units of a warm search')

    // What has changed is read by each process, maybe twice, as the index of changes lags; and a new snapshot is asked for.
    const changed = generatedFiles(FILES)
      .take(CHANGES)
      .map((file) => fileOf({ ...file, revision: 2 }, systemClock.now()))
    await storeItems(client, place.tableName, [...changed])
    const after = await search()
    within(after.units, REQUEST_UNITS + 15 + 2.1 * CHANGES, 'read units of a search after changes')
    const renewed = await work()
    within(renewed.units, 30 + 2.1 * CHANGES, 'read units of the next snapshot')
    within(renewed.requests, 12 + (bytes + stored) / (8 * 1024 ** 2), 'requests of the next snapshot')
    const another = await searching()()
    assert.deepEqual([another.statusCode, another.answer.response.hits], [200, FILES])
    within(another.bytes, (await newest()).stored + 0.1 * MB, 'bytes of another cold search')
  })
})

function within(value: number, most: number, what: string): void {
  assert.ok(value <= most, `${value} ${what}, of at most ${most}`)
}

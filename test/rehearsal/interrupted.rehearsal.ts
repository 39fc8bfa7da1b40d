import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Table } from '../../shared/backends/table/port.ts'
import { getJob, jobKey } from '../../shared/library/jobs/job.ts'
import { JOB_SLOTS } from '../../shared/library/jobs/slots.ts'
import { runningUntil, stateOf } from '../../shared/library/jobs/states.ts'
import { provisioning } from '../support/accounts.ts'
import { endFunction } from '../support/aws/stack-functions.ts'
import { type Service, startService } from '../support/service.ts'
import { unzipped } from '../support/unzipped.ts'
import { imported, replace, upload, uploadAndImport } from '../support/uploading.ts'

describe('a function that dies', () => {
  let service: Service
  let client: Awaited<ReturnType<Service['client']>>
  beforeAll(async () => {
    service = await startService()
    client = await service.client()
  })
  afterAll(async () => {
    await service.stop()
  })

  test('in the middle of a request gives a 5xx, and the next request is well', async () => {
    const authorization = await service.signIn()
    const ask = () => service.request('/folder', { headers: { authorization } })
    const statuses = new Set<number>()
    for (let tries = 0; tries < 20 && statuses.size < 2; tries++) {
      const answers = Promise.all(Array.from({ length: 4 }, ask))
      await pause(10 * tries)
      await endFunction('list-folders')
      for (const { status } of await answers) statuses.add(status)
    }
    assert.ok(statuses.delete(200))
    assert.ok(statuses.size > 0 && [...statuses].every((status) => status >= 500), [...statuses].join(' '))
    assert.equal((await ask()).status, 200)
  })

  test('in the middle of an import leaves a file that is imported once, whole, by the next run', async () => {
    const bytes = await largePicture()
    const id = await upload(client, service.demo.folder_id, bytes, 'large.jpg')
    for (;;) {
      const { status, body } = await client['get-media']({ params: { id } })
      assert.equal(status, 202, 'the import was not interrupted in time')
      if ('progress' in body && Number(body.progress) > 0) break
    }
    assert.ok((await endFunction('import-media')) > 0)
    const accounts = await provisioning(service)
    await endLeases(accounts.table, `import-media.${id}`, 'import-media')
    const deadline = performance.now() + 120_000
    while ((await client['get-media']({ params: { id } })).status === 202) {
      assert.ok(performance.now() < deadline, 'the file was not imported')
      await invoke(`${service.stack}-wake-jobs`)
      await pause(500)
    }
    accounts.close()
    const media = await imported(client, id)
    assert.deepEqual([media.type, media.width, media.height], ['image', 5000, 4000])
    assert.equal(media.file_md5, createHash('md5').update(bytes).digest('hex'))
    assert.deepEqual((await client['get-version']({ params: { id } })).body, { version: 1 })
    for (const size of ['110px', '1600px']) {
      const { body } = await client['get-sized-download-location']({ params: { id, size } })
      const picture = sharp(Buffer.from(await (await fetch(body.url)).arrayBuffer()))
      assert.equal((await picture.metadata()).width, Number.parseInt(size, 10))
    }
  })

  test('in the middle of the import of a replacement leaves the old file whole, until the next run has made it the new one', async () => {
    const old = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    const { id: text } = await uploadAndImport(client, service.demo.folder_id, old, 'old.jpg')
    const id = Number(text)
    const bytes = await largePicture()
    const accounts = await provisioning(service)
    await replace(client, id, bytes, 'new.jpg')
    const job = `import-media.${id}`
    for (let state: string | undefined; state !== 'running'; ) {
      const found = await getJob(accounts, job)
      assert.ok(found, 'the import was not interrupted in time')
      state = stateOf(found)
    }
    assert.ok((await endFunction('import-media')) > 0)
    await endLeases(accounts.table, job, 'import-media')
    const deadline = performance.now() + 120_000
    for (let filename = 'old.jpg'; filename !== 'new.jpg'; ) {
      const { status, body } = await client['get-media']({ params: { id } })
      assert.equal(status, 200)
      assert.ok('file_md5' in body)
      filename = body.filename
      assert.equal(
        body.file_md5,
        createHash('md5')
          .update(filename === 'old.jpg' ? old : bytes)
          .digest('hex'),
      )
      const { url } = (await client['get-download-location']({ params: { id }, query: { original: '1' } })).body
      assert.ok([old.length, bytes.length].includes((await (await fetch(url)).arrayBuffer()).byteLength))
      assert.ok(performance.now() < deadline, 'the replacement was not imported')
      await invoke(`${service.stack}-wake-jobs`)
      await pause(500)
    }
    accounts.close()
    assert.deepEqual((await client['get-version']({ params: { id } })).body, { version: 2 })
    const { files } = (await client['list-files']({ params: { id } })).body
    assert.deepEqual(
      files.map(({ number, state }) => [number, state]),
      [
        [2, 'available'],
        [1, 'available'],
      ],
    )
  })

  test('in the middle of a zip leaves an archive that the next run finishes, whole', async () => {
    const accounts = await provisioning(service)
    const { id: folder } = (await client['create-folder']({ body: { name: 'Zipped' } })).body
    // Storage copies the large ones. The others pass through the function.
    const sizes = [...Array.from({ length: 6 }, () => 17_000_000), ...Array.from({ length: 6 }, () => 3_000_000)]
    const files = new Map(sizes.map((bytes, n) => [`${n}.bin`, randomBytes(bytes)]))
    for (const [name, bytes] of files) await uploadAndImport(client, folder, bytes, name)
    let { body: job } = await client['create-zip']({ params: { id: folder } })
    const deadline = performance.now() + 120_000
    let ended = 0
    while (job.state === 'PENDING') {
      if (ended < 2 && job.entries_total !== undefined && (await endFunction('long-jobs')) > 0) {
        ended += 1
        await endLeases(accounts.table, `build-zip.${job.job_id}`, 'long-jobs')
      }
      if (ended > 0) await invoke(`${service.stack}-wake-jobs`)
      assert.ok(performance.now() < deadline, 'the zip was not finished')
      await pause(50)
      job = (await client['get-zip']({ params: { job_id: job.job_id } })).body
    }
    accounts.close()
    assert.equal(job.state, 'DONE')
    assert.ok(ended > 0, 'the zip was not interrupted in time')
    const archive = Buffer.from(await (await fetch(job.url!)).arrayBuffer())
    const entries = new Map((await unzipped(archive)).map(({ path, bytes }) => [path, bytes]))
    assert.deepEqual([...entries.keys()].sort(), [...files.keys()].sort())
    for (const [name, bytes] of files) assert.ok(entries.get(name)?.equals(bytes), name)
  })
})

/** A picture whose import takes a while. */
function largePicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width: 5000, height: 4000, channels: 3, background: 'black', noise } })
    .jpeg()
    .toBuffer()
}

/** The job that a dead function had waits at once, as does its slot: waiting as long as in production would take all day. */
async function endLeases(table: Table, jobId: string, group: string): Promise<void> {
  const job = (await getJob({ table }, jobId))!
  const { items } = await table.query({ pk: `${JOB_SLOTS}${group}` })
  for (const { pk, sk } of items) await table.delete({ pk, sk })
  const now = Date.now()
  if (stateOf(job) === 'running') await table.update(jobKey(jobId), { set: { leaseEnd: now, ...runningUntil(now) } })
}

async function invoke(FunctionName: string): Promise<void> {
  const lambda = new LambdaClient()
  await lambda.send(new InvokeCommand({ FunctionName }))
  lambda.destroy()
}

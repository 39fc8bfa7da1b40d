import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { compareJob } from '../../shared/library/uploads/compare-job.ts'
import { uploadKey } from '../../shared/library/uploads/uploads.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import type { World } from '../support/successes.ts'
import { putParts, putPartsTo } from '../support/uploading.ts'
import { makeDue } from './due.ts'
import type { Sources } from './event-sources.ts'

/** Parts with a wrong MD5, which are taken apart and sent again, an upload that ends, one whose object is lost, and one too many. */
export async function uploadsInParts(world: World, sources: Sources): Promise<void> {
  const { client, folder, accounts, service } = world
  const begin = (bytes: number) => client['begin-multipart-upload']({ body: { folder, filename: 'film.bin', bytes } })
  const bytes = randomBytes(9 * 1024 ** 2)
  const { upload_id: uploadId, part_bytes } = (await begin(bytes.length)).body
  await putParts(client, uploadId, part_bytes, bytes)
  const completeOf = (id: string) => (md5: string) => client['complete-multipart-upload']({ params: { uploadId: id }, body: { md5 } })
  const complete = completeOf(uploadId)
  const [wrong, right] = ['0'.repeat(32), createHash('md5').update(bytes).digest('hex')]
  assert.equal((await complete(wrong)).status, 422)
  assert.equal((await complete(right)).status, 200)

  // What `complete` asks for where the files are larger than a request compares. Two wait at a time: the run of the first wakes that of the second.
  const large = [(await begin(bytes.length)).body.upload_id, (await begin(bytes.length)).body.upload_id] as const
  for (const id of large) await putParts(client, id, part_bytes, bytes)
  // One whose object is lost.
  const lost = (await begin(bytes.length)).body.upload_id
  const { library } = accounts
  const ask = (id: string) =>
    compareJob.ask(library, { companyId: toCompanyId(service.demo.company_id), subject: id, input: { uploadId: id, by: library.by } })
  for (const [id, md5] of [
    [large[0], wrong],
    [large[1], right],
    [lost, right],
  ] as const) {
    await library.table.update(uploadKey(id), { set: { isFinalizing: true, comparing: md5 } })
  }
  await library.table.transact({ first: ask(large[0]), second: ask(large[1]), lost: ask(lost) })
  await sources.settle()
  assert.equal((await completeOf(large[0])(wrong)).status, 422)
  assert.equal((await completeOf(large[1])(right)).status, 200)

  const byLink = await uploadsByLink(world)

  const abandoned = (await begin(10)).body.upload_id
  for (const id of [abandoned, byLink.uploadId]) await accounts.table.update(uploadKey(id), { set: { expires: 0 } })
  await makeDue(accounts, 'UPLOAD')
  await sources.runSchedules()
  assert.equal((await client['get-multipart-upload']({ params: { uploadId: abandoned } })).status, 410)
  // The objects of uploads whose completion broke off are gone.
  const expires = Math.floor(Date.now() / 1000) + 86_400
  for (const id of [abandoned, byLink.uploadId]) await accounts.table.update(uploadKey(id), { set: { expires, isFinalizing: true } })
  assert.equal((await client['complete-multipart-upload']({ params: { uploadId: abandoned }, body: {} })).status, 409)
  assert.equal((await client['complete-shared-multipart-upload']({ params: byLink, body: {} })).status, 409)

  const counted = { pk: `USER#${service.demo.user_id}`, sk: 'OPEN-UPLOADS' }
  await accounts.table.update(counted, { set: { open: 1_000 } })
  assert.equal((await begin(10)).status, 409)
  await accounts.table.update(counted, { set: { open: 0 } })
  await sources.settle()
}

/**
 * The same by a share link: parts with a wrong MD5, sent again, and a form whose object is gone.
 * @returns an upload in parts that only began
 */
async function uploadsByLink({ client, folder }: World): Promise<{ secret: string; uploadId: string }> {
  const { body: link } = await client['create-share']({ body: { folder_id: folder, allow: { upload: true } } })
  const secret = link.url!.slice(-43)
  const bytes = randomBytes(9 * 1024 ** 2)
  const begun = await client['begin-shared-multipart-upload']({ params: { secret }, body: { filename: 'film.bin', bytes: bytes.length } })
  const params = { secret, uploadId: begun.body.upload_id }
  const { body } = await client['get-shared-part-urls']({ params, body: { parts: [1, 2] } })
  await putPartsTo(body.urls, begun.body.part_bytes, bytes)
  const complete = (md5: string) => client['complete-shared-multipart-upload']({ params, body: { md5 } })
  assert.equal((await complete('0'.repeat(32))).status, 422)
  assert.equal((await complete(createHash('md5').update(bytes).digest('hex'))).status, 200)
  const form = (await client['register-shared-upload']({ params: { secret } })).body
  const uploadId = form.fields
    .find(({ name }) => name === 'success_action_redirect')!
    .value!.split('/')
    .at(-1)!
  const gone = { key: `${uploadId}/gone` }
  assert.equal((await client['finalize-shared-upload']({ params: { secret, uploadId }, query: gone })).status, 409)
  const abandoned = await client['begin-shared-multipart-upload']({ params: { secret }, body: { filename: 'film.bin', bytes: 10 } })
  return { secret, uploadId: abandoned.body.upload_id }
}

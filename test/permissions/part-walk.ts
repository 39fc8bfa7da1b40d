import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { World } from '../support/successes.ts'
import { putParts } from '../support/uploading.ts'
import { makeDue } from './due.ts'
import type { Sources } from './event-sources.ts'

/** Parts with a wrong MD5, which are taken apart and sent again, an upload that ends, one whose object is lost, and one too many. */
export async function uploadsInParts(world: World, sources: Sources): Promise<void> {
  const { client, folder, accounts, service } = world
  const begin = (bytes: number) => client['begin-multipart-upload']({ body: { folder, filename: 'film.bin', bytes } })
  const bytes = randomBytes(9 * 1024 ** 2)
  const { upload_id: uploadId, part_bytes } = (await begin(bytes.length)).body
  await putParts(client, uploadId, part_bytes, bytes)
  const complete = (md5: string) => client['complete-multipart-upload']({ params: { uploadId }, body: { md5 } })
  assert.equal((await complete('0'.repeat(32))).status, 422)
  assert.equal((await complete(createHash('md5').update(bytes).digest('hex'))).status, 200)

  const abandoned = (await begin(10)).body.upload_id
  await accounts.table.update({ pk: `UPLOAD#${abandoned}`, sk: 'UPLOAD' }, { set: { expires: 0 } })
  await makeDue(accounts, 'UPLOAD')
  await sources.runSchedules()
  assert.equal((await client['get-multipart-upload']({ params: { uploadId: abandoned } })).status, 410)
  // The object of an upload whose completion broke off is gone.
  const tomorrow = Math.floor(Date.now() / 1000) + 86_400
  await accounts.table.update({ pk: `UPLOAD#${abandoned}`, sk: 'UPLOAD' }, { set: { expires: tomorrow, isFinalizing: true } })
  assert.equal((await client['complete-multipart-upload']({ params: { uploadId: abandoned }, body: {} })).status, 409)

  const counted = { pk: `USER#${service.demo.user_id}`, sk: 'OPEN-UPLOADS' }
  await accounts.table.update(counted, { set: { open: 1_000 } })
  assert.equal((await begin(10)).status, 409)
  await accounts.table.update(counted, { set: { open: 0 } })
  await sources.settle()
}

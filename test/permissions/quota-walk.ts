import assert from 'node:assert/strict'
import { DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { heldFilesJob } from '../../shared/library/quota/held-files.ts'
import { setQuota } from '../../shared/library/quota/quota.ts'
import { usageOfCompany } from '../../shared/library/usage/usage.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import type { World } from '../support/successes.ts'
import { postForm } from '../support/uploading.ts'
import type { Deployment } from './deployment.ts'
import type { Sources } from './event-sources.ts'

/** Posted files that find no room in the quota, and are held: one becomes a file when there is room, the other is lost. And uploads in parts. */
export async function fullQuota(
  { client, folder, accounts, service }: World,
  { resource }: Pick<Deployment, 'resource'>,
  sources: Sources,
): Promise<void> {
  const companyId = toCompanyId(service.demo.company_id)
  const { bytes } = await usageOfCompany(accounts, companyId)
  const post = async (filename: string) => {
    const form = (await client['register-upload']({ body: { folder } })).body
    const location = (await postForm(form, Buffer.alloc(200), filename)).headers.get('location')!
    return () => service.request(/(\/upload\/finalize\/.*)$/.exec(location)![1]!)
  }
  await setQuota(accounts.library, companyId, bytes + 100)
  const [held, lost] = [await post('held.bin'), await post('lost.bin')]
  for (const finalize of [held, lost]) assert.equal((await finalize()).status, 409)
  await sources.settle()
  const s3 = new S3Client()
  const Bucket = resource('StorageUploads').ref
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }))
  for (const { Key } of Contents.filter(({ Key }) => Key!.endsWith('/lost.bin'))) await s3.send(new DeleteObjectCommand({ Bucket, Key }))

  const begin = (bytes: number) => client['begin-multipart-upload']({ body: { folder, filename: 'film.bin', bytes } })
  assert.equal((await begin(101)).status, 409)
  const begun = await begin(50)
  assert.equal((await client['abort-multipart-upload']({ params: { uploadId: begun.body.upload_id } })).status, 200)

  await setQuota(accounts.library, companyId, bytes + 1_000)
  await sources.settle()
  assert.equal((await held()).status, 200)
  assert.equal((await lost()).status, 409)
  await setQuota(accounts.library, companyId, undefined)
  // Two wait at a time: the run of the first wakes that of the second.
  const ask = (company: number) =>
    heldFilesJob.ask(accounts.library, { companyId: toCompanyId(company), subject: String(company), input: null })
  await accounts.library.table.transact({ first: ask(companyId), second: ask(companyId + 1) })
  await sources.settle()
}

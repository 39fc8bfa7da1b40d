import { S3Client } from '@aws-sdk/client-s3'
import { afterAll } from 'vitest'
import { s3PartUploads } from '../../../shared/backends/objects/s3-parts.ts'
import { partUploadsContract } from './part-uploads-contract.ts'
import { partDeviations } from './s3-deviations.ts'
import { temporaryBucket } from './temporary-bucket.ts'

const client = new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' })
afterAll(() => client.destroy())

async function openParts() {
  const { name, objects, close } = await temporaryBucket(client)
  const uploads = s3PartUploads({ bucket: name, client })
  return {
    uploads,
    objects,
    close,
    async put(upload: Parameters<typeof uploads.abortParts>[0], number: number, bytes: Uint8Array, signed = bytes.length) {
      const { url, headers } = await uploads.partRequest(upload, { number, bytes: signed, expires: Date.now() + 3_600_000 })
      const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) })
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
      return answer.headers.get('etag')!.replaceAll('"', '')
    },
  }
}

partUploadsContract('S3', openParts, partDeviations)

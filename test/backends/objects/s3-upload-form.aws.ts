import { S3Client } from '@aws-sdk/client-s3'
import { afterAll } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { s3UploadForms } from '../../../shared/backends/objects/s3-upload-form.ts'
import { formDeviations } from './s3-deviations.ts'
import { temporaryBucket } from './temporary-bucket.ts'
import { uploadFormContract } from './upload-form-contract.ts'

const client = new S3Client({})
afterAll(() => client.destroy())

async function openForms() {
  const { name, objects, close } = await temporaryBucket(client)
  const forms = s3UploadForms({ bucket: name, client })
  return { bucket: name, objects, close, now: systemClock.now, forms }
}

uploadFormContract('S3', openForms, formDeviations)

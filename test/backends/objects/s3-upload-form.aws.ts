import { S3Client } from '@aws-sdk/client-s3'
import { afterAll } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { s3UploadForms } from '../../../shared/backends/objects/s3-upload-form.ts'
import { deviationsHere } from '../../support/aws/deviations.ts'
import { temporaryBucket } from './temporary-bucket.ts'
import { uploadFormContract } from './upload-form-contract.ts'

const client = new S3Client({})
afterAll(() => client.destroy())

async function openForms() {
  const { name, objects, close } = await temporaryBucket(client)
  const forms = s3UploadForms({ bucket: name, client })
  return { bucket: name, objects, close, now: systemClock.now, forms }
}

const deviations = deviationsHere({
  ministack: {
    'the name is what follows the last slash': 'keeps the path',
    'the name is what follows the last backslash': 'keeps the path',
    'a name may be of any script, in raw UTF-8': 'reads it as Latin-1',
    'fields after the file are ignored': 'reads them',
    'a form with the file first is refused': 'reads fields in any order',
    'fields of more than 20 KB are refused': 'has no limit',
    'a name that makes the key too long is refused': 'stores keys of any length',
  },
  minio: {
    'the name is what follows the last backslash': 'keeps a path of backslashes',
    'fields of more than 20 KB are refused': 'has a higher limit',
    'a form with the file first is refused': 'refuses it with another code',
    'a form without a policy is refused': 'refuses it for its signature',
    'a form without a file is refused': 'refuses it with another code',
  },
})

uploadFormContract('S3', openForms, deviations)

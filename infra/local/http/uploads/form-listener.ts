import type { ObjectInfo } from '../../../../shared/backends/objects/port.ts'
import { type FormReceiver, receiveUploadForm, type StoredUpload } from './receive-form.ts'
import { type UploadAnswer, type UploadListener, type UploadSlots, uploadListener } from './upload-listener.ts'

/** Takes posted upload forms. */
export function uploadFormListener(uploads: FormReceiver & UploadSlots): UploadListener {
  return uploadListener(uploads, 'POST', async (request) =>
    success(uploads.bucket, await receiveUploadForm({ headers: request.headers, body: request }, uploads)),
  )
}

function success(bucket: string, { object, redirect }: StoredUpload): UploadAnswer {
  const etag = `"${object.etag}"`
  if (redirect === undefined) return { status: 204, headers: { etag }, body: '' }
  return { status: 303, headers: { etag, location: withUpload(redirect, bucket, object) }, body: '' }
}

/** The redirect's address with the query parameters that S3 adds. */
function withUpload(redirect: string, bucket: string, { key, etag }: ObjectInfo): string {
  const parameters = { bucket, key, etag: `"${etag}"` }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${query.join('&')}`
}

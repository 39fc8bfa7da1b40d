import type { IncomingMessage } from 'node:http'
import type { EmbeddedObjects } from '../../../../shared/backends/objects/embedded.ts'
import { type AllowedPart, allowedPart } from '../../../../shared/backends/objects/embedded-part-url.ts'
import { WrongPart } from '../../../../shared/backends/objects/embedded-parts.ts'
import type { EmbeddedUploads } from '../../../../shared/backends/objects/embedded-upload-form.ts'
import { CompositionMissing, PartInFlight } from '../../../../shared/backends/objects/port.ts'
import { type Pace, PaceWatch } from './pace.ts'
import { type UploadListener, type UploadSlots, uploadListener } from './upload-listener.ts'
import { UploadRefused } from './upload-refused.ts'

/** Where parts are stored, and how fast they must arrive. */
export interface PartReceiver extends EmbeddedUploads, UploadSlots {
  objects: Pick<EmbeddedObjects, 'receivePart'>
  pace: Pace
}

/** Takes the parts that clients put to the URLs of `embeddedPartRequests()`. */
export function uploadPartListener(uploads: PartReceiver): UploadListener {
  return uploadListener(uploads, 'PUT', async (request) => {
    const { number, bytes, upload } = await allowedBy(request, uploads)
    requireLength(request, bytes)
    const part = { upload, number, bytes, md5: request.headers['content-md5']?.toString() }
    const etag = await inTime(request, uploads.pace, (body) => uploads.objects.receivePart({ ...part, body }).catch(refused))
    return { status: 200, headers: { etag: `"${etag}"` }, body: '' }
  })
}

async function allowedBy(request: IncomingMessage, uploads: PartReceiver): Promise<AllowedPart> {
  const url = URL.parse(request.url ?? '', 'http://localhost')
  const allowed = url && (await allowedPart(url.searchParams, uploads))
  if (!allowed) throw new UploadRefused('SignatureDoesNotMatch', 'The signature is not the one of this URL.')
  if (uploads.clock.now() >= allowed.expires) throw new UploadRefused('AccessDenied', 'Request has expired.')
  return allowed
}

/** S3 signs the length as one of the headers, so another one is another signature there. @throws UploadRefused */
function requireLength({ headers }: IncomingMessage, bytes: number): void {
  const length = headers['content-length']
  if (length === undefined) throw new UploadRefused('MissingContentLength', 'You must provide the Content-Length HTTP header.')
  if (Number(length) !== bytes) throw new UploadRefused('SignatureDoesNotMatch', `This URL is for a part of ${bytes} bytes.`)
}

/** @throws UploadRefused when the body comes in too slowly */
async function inTime<T>(request: IncomingMessage, pace: Pace, receive: (body: AsyncIterable<Buffer>) => Promise<T>): Promise<T> {
  const { promise: tooSlow, reject } = Promise.withResolvers<never>()
  let isWriting = false
  const progress = {
    isPaused: () => isWriting,
    get readableEnded() {
      return request.readableEnded
    },
  }
  const watch = new PaceWatch(progress, pace, () => reject(new UploadRefused('RequestTimeout', 'The part comes in too slowly.')))
  /** A body that isn't read to its end is not destroyed: its sender gets an answer. */
  async function* body(): AsyncGenerator<Buffer> {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      watch.received(chunk.length)
      isWriting = true
      yield chunk
      isWriting = false
    }
  }
  watch.fileBegins()
  try {
    return await Promise.race([receive(body()), tooSlow])
  } finally {
    watch.stop()
  }
}

function refused(error: unknown): never {
  if (error instanceof CompositionMissing) throw new UploadRefused('NoSuchUpload', 'The upload is finished or was given up.')
  if (error instanceof PartInFlight) throw new UploadRefused('OperationAborted', 'The upload is being completed.')
  if (error instanceof WrongPart) throw new UploadRefused('BadDigest', error.message)
  if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') {
    throw new UploadRefused('IncompleteBody', 'The body ended before the part did.')
  }
  throw error
}

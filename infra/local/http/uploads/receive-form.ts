import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { EmbeddedUploads } from '../../../../shared/backends/objects/embedded-upload-form.ts'
import { checkKey } from '../../../../shared/backends/objects/keys.ts'
import { MAX_KEY_BYTES, type ObjectInfo, type Objects } from '../../../../shared/backends/objects/port.ts'
import { FILENAME_PLACEHOLDER } from '../../../../shared/backends/objects/upload-policy.ts'
import { type Pace, PaceWatch } from './pace.ts'
import { checkPolicy, type SizeLimits } from './policy-check.ts'
import { fieldMissing, UploadRefused } from './upload-refused.ts'

/** Names and values of all fields before the file, in bytes (S3's limit). */
const MAX_FIELD_BYTES = 20 * 1024
const MAX_FIELDS = 50
/** Everything before the file, headers and junk between boundaries included, in bytes. */
const MAX_PREAMBLE_BYTES = 256 * 1024

/** A posted form: the request's headers, and its body while it arrives. */
export interface PostedForm {
  headers: IncomingHttpHeaders
  body: Readable
}

/** Where uploads are stored, and how fast they must arrive. */
export interface FormReceiver extends EmbeddedUploads {
  objects: Pick<Objects, 'put'>
  pace: Pace
  /** Why no file may be stored at a key, even though the form allows it; undefined where one may. */
  refusalOf(key: string): Promise<string | undefined>
}

/** The outcome of a form. */
export interface StoredUpload {
  object: ObjectInfo
  /** Where the form redirects its sender. */
  redirect: string | undefined
}

/**
 * Receives a form of `embeddedUploadForms()` as S3 does: fields, then one file; what follows is ignored. It checks everything but the size
 * before it stores a byte of the file. The object appears whole or not at all. The body may not be read to its end when this returns or
 * throws: the caller drains it.
 * @throws UploadRefused
 */
export async function receiveUploadForm({ headers, body }: PostedForm, uploads: FormReceiver): Promise<StoredUpload> {
  const parser = formParser(headers)
  const fields = new Map<string, string>()
  const { promise, resolve, reject } = Promise.withResolvers<StoredUpload>()
  let fieldBytes = 0
  let preambleBytes = 0
  let file: Readable | undefined
  let storing: Promise<void> | undefined
  const watch = new PaceWatch(body, uploads.pace, () => reject(tooSlow()))

  parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
    if (file) return
    fieldBytes += Buffer.byteLength(name ?? '') + Buffer.byteLength(value)
    if (valueTruncated || fieldBytes > MAX_FIELD_BYTES) reject(tooMuchBeforeFile())
    else fields.set((name ?? '').toLowerCase(), value)
  })
  parser.on('fieldsLimit', () => file ?? reject(tooMuchBeforeFile()))
  parser.on('file', (_name, stream, filename) => {
    // A form that is refused early has no reader of its file, and an error without a listener ends the process.
    file = stream.on('error', () => undefined).once('end', () => watch.stop())
    watch.fileBegins()
    storing = store(stream, filename, fields, uploads).then(resolve, reject)
  })
  parser.on('error', () => reject(new UploadRefused('MalformedPOSTRequest', 'The body is not well-formed multipart/form-data.')))
  parser.on('finish', () => file ?? reject(new UploadRefused('InvalidArgument', 'POST requires exactly one file upload per request.')))
  body.on('data', (chunk: Buffer) => {
    preambleBytes += chunk.length
    watch.received(chunk.length)
    if (!file && preambleBytes > MAX_PREAMBLE_BYTES) reject(tooMuchBeforeFile())
  })
  const onGone = () => body.readableEnded || reject(new UploadRefused('IncompleteBody', 'The body ended before the form did.'))
  body.once('error', onGone).once('close', onGone)
  body.pipe(parser)

  try {
    return await promise
  } finally {
    watch.stop()
    body.unpipe(parser)
    file?.destroy(new Error('the form was refused'))
    await storing
  }
}

function formParser(headers: IncomingHttpHeaders): BusboyInstance {
  if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? '')) throw notMultipart()
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      // fillInFilename() cuts names to what follows the last separator. The field's name, not its headers, makes a part the file.
      preservePath: true,
      isPartAFile: (name) => name?.toLowerCase() === 'file',
      limits: { fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS, files: 1, headerPairs: 50, headerSize: 16 * 1024 },
    })
  } catch {
    throw notMultipart()
  }
}

async function store(
  file: Readable,
  filename: string | undefined,
  fields: Map<string, string>,
  uploads: FormReceiver,
): Promise<StoredUpload> {
  fillInFilename(fields, filename ?? '')
  const limits = await checkPolicy(fields, uploads)
  const key = fields.get('key')!
  const admit = async () => {
    const reason = await uploads.refusalOf(key)
    if (reason !== undefined) throw new UploadRefused('AccessDenied', reason)
  }
  await admit()
  // Checked again at the end: the upload may have been cancelled while the file arrived.
  const body = pipeline(file, withinLimits(limits, admit), () => undefined)
  const object = await uploads.objects.put(key, body, { contentType: 'binary/octet-stream' })
  return { object, redirect: fields.get('success_action_redirect') }
}

function fillInFilename(fields: Map<string, string>, filename: string): void {
  const template = fields.get('key')
  if (!template) throw fieldMissing('key')
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  const key = template.replaceAll(FILENAME_PLACEHOLDER, () => name)
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new UploadRefused('KeyTooLongError', 'The key is too long.')
  try {
    checkKey(key)
  } catch (error) {
    throw new UploadRefused('InvalidArgument', (error as Error).message)
  }
  fields.set('key', key)
}

/** Passes a file on while it is within its limits. @param admit called when the file has arrived; if it rejects, the file is not stored */
function withinLimits({ minBytes, maxBytes }: SizeLimits, admit: () => Promise<void>): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes <= maxBytes) done(null, chunk)
      else done(new UploadRefused('EntityTooLarge', `The file is larger than the ${maxBytes} bytes allowed.`))
    },
    flush(done) {
      if (bytes >= minBytes) admit().then(() => done(), done)
      else done(new UploadRefused('EntityTooSmall', `The file is smaller than the ${minBytes} bytes required.`))
    },
  })
}

function notMultipart(): UploadRefused {
  return new UploadRefused('PreconditionFailed', 'The body must be of the enclosure type multipart/form-data, with a boundary.')
}

function tooSlow(): UploadRefused {
  return new UploadRefused('RequestTimeout', 'The form comes in too slowly.')
}

function tooMuchBeforeFile(): UploadRefused {
  return new UploadRefused('MaxPostPreDataLengthExceeded', 'The fields before the file are too large.')
}

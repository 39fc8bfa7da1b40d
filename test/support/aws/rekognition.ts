import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { listening } from '../listening.ts'
import { serviceModel } from './service-model.ts'

/** What it sees on every picture, the most certain first. */
export const labels = [
  ...[99.5, 97.25, 93, 88, 80.5, 79.5, 60].map((Confidence, n) => ({ Name: `Label ${n + 1}`, Confidence })),
  ...Array.from({ length: 30 }, (_, n) => ({ Name: `Guess ${n + 1}`, Confidence: 56 - n })),
]

interface Request {
  Image: { Bytes?: string; S3Object?: { Bucket?: string; Name?: string } }
  MaxLabels?: number
  MinConfidence?: number
}

/** Largest picture in a bucket, in bytes, and smallest side, in pixels. Source: Rekognition Developer Guide, "Guidelines and quotas". */
const MOST_BYTES = 15 * 1024 ** 2
const LEAST_SIDE = 80

/** What it answers instead. */
class Refusal extends Error {
  override name = 'Refusal'
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

/**
 * Stands in for Rekognition, which no emulator has: `DetectLabels` of a picture in a bucket, with its checks.
 * @param read reads a picture with the rights of the caller; undefined where there is none, or they may not
 * @returns its address, for `AWS_ENDPOINT_URL_REKOGNITION`, and how to stop it
 * @throws EngineUnavailable without the service's published model
 */
export async function startRekognition(read: (bucket: string, key: string) => Promise<Buffer | undefined>) {
  const model = await serviceModel('rekognition')

  async function detectLabels(body: unknown): Promise<object> {
    const faults = model.faultsIn('DetectLabelsRequest', body, 'wire')
    if (faults.length > 0) throw new Refusal('InvalidParameterException', faults.join('; '))
    const { Image, MaxLabels = 1000, MinConfidence = 55 } = body as Request
    const { Bucket, Name } = Image.S3Object ?? {}
    if (Image.Bytes !== undefined || Bucket === undefined || Name === undefined) {
      throw new Refusal('InvalidParameterException', 'the stand-in looks at objects of a bucket alone')
    }
    const picture = await read(Bucket, Name)
    if (!picture) throw new Refusal('InvalidS3ObjectException', 'Unable to get object metadata from S3.')
    await check(picture)
    const found = labels.filter(({ Confidence }) => Confidence >= MinConfidence).slice(0, MaxLabels)
    const answer = { Labels: found.map((label) => ({ ...label, Instances: [], Parents: [] })), LabelModelVersion: '3.0' }
    const wrong = model.faultsIn('DetectLabelsResponse', answer, 'wire')
    if (wrong.length > 0) throw new Error(wrong.join('; '))
    return answer
  }

  async function answer({ method, url, headers }: IncomingMessage, body: string): Promise<object> {
    const target = headers['x-amz-target']
    if (method !== 'POST' || url !== '/' || target !== 'RekognitionService.DetectLabels') {
      throw new Refusal('UnknownOperationException', `the stand-in knows no ${method} ${url} of ${target}`)
    }
    return detectLabels(JSON.parse(body))
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    try {
      reply(200, await answer(request, await text(request)))
    } catch (error) {
      const isRefusal = error instanceof Refusal
      reply(isRefusal ? 400 : 500, { __type: isRefusal ? error.type : 'InternalServerError', Message: String(error) })
    }
  }

  return listening(createServer((request, response) => void serve(request, response)))
}

/** @throws Refusal of what it can't look at */
async function check(picture: Buffer): Promise<void> {
  if (picture.length > MOST_BYTES) throw new Refusal('ImageTooLargeException', 'The picture is too large.')
  const { format, width, height } = await sharp(picture)
    .metadata()
    .catch(() => ({ format: undefined, width: 0, height: 0 }))
  if (format !== 'jpeg' && format !== 'png') throw new Refusal('InvalidImageFormatException', 'Request has invalid image format')
  // The documentation gives the limit and not its error.
  if (Math.min(width, height) < LEAST_SIDE) throw new Refusal('InvalidParameterException', 'The picture is too small.')
}

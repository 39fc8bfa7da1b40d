import { open } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { type ByteRange, type KnownObjects, type ObjectInfo, RangeOutside } from '../../../shared/backends/objects/port.ts'
import { type ResolvedRange, resolveRange } from '../../../shared/backends/objects/ranges.ts'
import { isUnchanged, versionHeaders } from '../../../shared/http/protocol/conditional-requests.ts'
import { rangeOf } from './conditional.ts'

/** What a request says of the object that it is for. */
export interface ObjectRequest {
  /** GET or HEAD. */
  method: string
  headers: IncomingHttpHeaders
}

export interface DeliveryAnswer {
  status: number
  headers: Record<string, string>
  /** Absent for HEAD and where there is nothing to say. A stream must be sent or destroyed. */
  body?: Readable | Uint8Array | string
}

/**
 * Answers with an object or a range of it, with 304 where the client has it already, or with 416 for a range outside of it. It has the
 * object's labels.
 * @param others headers that come before those of the labels
 * @throws ObjectMissing
 */
export async function objectAnswer(
  objects: Pick<KnownObjects, 'head' | 'get'>,
  found: ObjectInfo,
  { method, headers }: ObjectRequest,
  others: Record<string, string> = {},
): Promise<DeliveryAnswer> {
  const representation = { ...found, etag: `"${found.etag}"` }
  const about = { ...described(found), ...others }
  if (isUnchanged(headers, representation)) return { status: 304, headers: about }
  const range = rangeOf(headers, representation)
  if (range === 'outside') return outside(found.bytes)
  if (method === 'HEAD') return { status: 200, headers: { ...about, 'content-length': String(found.bytes) } }
  const answer = await send(objects, found.key, range, others)
  if (!range || headers['if-range'] === undefined || answer.headers.etag === representation.etag) return answer
  // The object was replaced since it was looked at, and the client has a part of the former one.
  if (answer.body instanceof Readable) answer.body.destroy()
  return send(objects, found.key, undefined, others)
}

/** Some bytes of a file. */
export interface FilePart {
  path: string
  /** Where they begin. */
  start: number
  length: number
}

/**
 * Answers with bytes in memory, or with a part of a file, as with an object.
 * @param about headers of the whole; `etag` is in quotes
 * @param modified UNIX milliseconds; NaN where not known
 * @throws Error with the system's code where the file can't be opened
 */
export async function bytesAnswer(
  data: Uint8Array | FilePart,
  about: Readonly<Record<string, string>> & { etag: string },
  { method, headers }: ObjectRequest,
  modified = Number.NaN,
): Promise<DeliveryAnswer> {
  const bytes = data.length
  const representation = { etag: about.etag, bytes, modified }
  if (isUnchanged(headers, representation)) return { status: 304, headers: about }
  const whole = { status: 200, headers: { ...about, 'content-length': String(bytes) } }
  if (method === 'HEAD') return whole
  const range = rangeOf(headers, representation)
  if (range === 'outside') return outside(bytes)
  if (!range) return { ...whole, body: await bodyOf(data, { start: 0, end: bytes - 1 }) }
  return { status: 206, headers: { ...about, ...partOf(range, bytes) }, body: await bodyOf(data, range) }
}

async function bodyOf(data: Uint8Array | FilePart, { start, end }: ResolvedRange): Promise<Uint8Array | Readable> {
  if (data instanceof Uint8Array) return data.subarray(start, end + 1)
  const file = await open(data.path)
  return file.createReadStream({ start: data.start + start, end: data.start + end })
}

async function send(
  objects: Pick<KnownObjects, 'head' | 'get'>,
  key: string,
  range: ByteRange | undefined,
  others: Record<string, string>,
): Promise<DeliveryAnswer> {
  try {
    // The object may have been replaced since it was looked at: the headers are those of what is sent.
    const { stream, ...sent } = await objects.get(key, range)
    const about = { ...described(sent), ...others }
    if (!range) return { status: 200, headers: { ...about, 'content-length': String(sent.bytes) }, body: stream }
    return { status: 206, headers: { ...about, ...partOf(resolveRange(range, sent.bytes), sent.bytes) }, body: stream }
  } catch (error) {
    if (error instanceof RangeOutside) return outside((await objects.head(key))?.bytes ?? 0)
    throw error
  }
}

/** Headers of a part of so many bytes. */
function partOf({ start, end }: ResolvedRange, bytes: number): Record<string, string> {
  return { 'content-range': `bytes ${start}-${end}/${bytes}`, 'content-length': String(end - start + 1) }
}

/** The answer to a range without a byte of so many. */
function outside(bytes: number): DeliveryAnswer {
  return { status: 416, headers: { 'content-range': `bytes */${bytes}` } }
}

/** Headers that tell of an object. */
export function described({ etag, modified, contentType, disposition }: ObjectInfo): Record<string, string> & { etag: string } {
  return {
    'content-type': contentType,
    ...versionHeaders({ etag: `"${etag}"`, modified }),
    'accept-ranges': 'bytes',
    ...(disposition !== undefined && { 'content-disposition': disposition }),
  }
}

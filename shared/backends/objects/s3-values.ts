import { keyPath } from './keys.ts'
import { AI_HEADER, CACHE_TAG_HEADER, type ObjectInfo, type ObjectLabels } from './port.ts'

/** An ETag in the form of the port. */
export function withoutQuotes(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '')
}

/** Value of a `CopySource` parameter, which the SDK doesn't encode. */
export function copySource(bucket: string, key: string): string {
  return `${bucket}/${keyPath(key)}`
}

/** Name of the S3 metadata behind `CACHE_TAG_HEADER`. */
export const CACHE_TAG = CACHE_TAG_HEADER.slice('x-amz-meta-'.length)

/** Labels as parameters of the SDK's calls. */
export function sdkLabels({ contentType, cacheControl, disposition, cacheTag, ai, storageClass }: ObjectLabels) {
  const metadata = { ...(cacheTag !== undefined && { [CACHE_TAG]: cacheTag }), ...(ai && { [AI_HEADER]: ai }) }
  return {
    ContentType: contentType,
    CacheControl: cacheControl,
    ContentDisposition: disposition,
    Metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    StorageClass: storageClass,
  }
}

/** Fields of S3's answers about an object, with the SDK's names. */
interface SdkInfo {
  ContentType?: string | undefined
  CacheControl?: string | undefined
  ContentDisposition?: string | undefined
  Metadata?: Record<string, string> | undefined
  LastModified?: Date | undefined
  ETag?: string | undefined
}

/** @param bytes size of the whole object */
export function toInfo(key: string, bytes: number, answer: SdkInfo): ObjectInfo {
  const { ContentType, CacheControl, ContentDisposition, LastModified, ETag } = answer
  const cacheTag = answer.Metadata?.[CACHE_TAG]
  return {
    key,
    bytes,
    contentType: ContentType ?? 'binary/octet-stream',
    ...(CacheControl !== undefined && { cacheControl: CacheControl }),
    ...(ContentDisposition !== undefined && { disposition: ContentDisposition }),
    ...(cacheTag !== undefined && { cacheTag }),
    modified: LastModified?.getTime() ?? 0,
    etag: withoutQuotes(ETag),
  }
}

/** Characters that XML 1.0 can't represent or doesn't preserve. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const NOT_IN_XML = /[\x00-\x1f\ufffe\uffff]/

/** Whether an XML request can contain a key. */
export function fitsXml(key: string): boolean {
  return !NOT_IN_XML.test(key)
}

/** Decodes a key in a listing with `EncodingType: 'url'`. */
export function listedKey(key: string): string {
  return decodeURIComponent(key.replaceAll('+', ' '))
}

/** A CRC-32 in S3's form: base64 of its four bytes. */
export function toBase64Crc(crc32: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32)
  return bytes.toString('base64')
}

/** The CRC-32 of a whole object or part; undefined if the answer has none, or one of checksums (`<base64>-<count>`). */
export function fromBase64Crc(base64: string | undefined): number | undefined {
  return base64 === undefined || base64.includes('-') ? undefined : Buffer.from(base64, 'base64').readUInt32BE()
}

/** A bucket of S3 or of a compatible service. */
export interface S3Address {
  bucket: string
  region: string
  /** Address of a compatible service, with path-style URLs. */
  endpoint?: string | undefined
}

/** URL of a bucket, without trailing slash. */
export function bucketUrl({ bucket, region, endpoint }: S3Address): string {
  return endpoint ? `${endpoint.replace(/\/$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.${domain(region)}`
}

function domain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}

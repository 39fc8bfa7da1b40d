import { keyPath } from './keys.ts'
import type { ObjectInfo, ObjectLabels } from './port.ts'

/** An ETag as the port has it. */
export function withoutQuotes(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '')
}

/** Value of a `CopySource` parameter, which the SDK doesn't encode. */
export function copySource(bucket: string, key: string): string {
  return `${bucket}/${keyPath(key)}`
}

/** Labels as parameters of a call. */
export function sdkLabels({ contentType, cacheControl }: ObjectLabels): { ContentType: string; CacheControl: string | undefined } {
  return { ContentType: contentType, CacheControl: cacheControl }
}

/** Values of an object in S3's answers. */
interface SdkInfo {
  ContentType?: string | undefined
  CacheControl?: string | undefined
  LastModified?: Date | undefined
  ETag?: string | undefined
}

/** @param bytes size of the whole object */
export function toInfo(key: string, bytes: number, { ContentType, CacheControl, LastModified, ETag }: SdkInfo): ObjectInfo {
  return {
    key,
    bytes,
    contentType: ContentType ?? 'binary/octet-stream',
    ...(CacheControl !== undefined && { cacheControl: CacheControl }),
    modified: LastModified?.getTime() ?? 0,
    etag: withoutQuotes(ETag),
  }
}

/** Characters that XML 1.0 can't contain, or doesn't preserve. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const NOT_IN_XML = /[\x00-\x1f\ufffe\uffff]/

/** Whether a request in XML can contain a key. */
export function fitsXml(key: string): boolean {
  return !NOT_IN_XML.test(key)
}

/** A key as `EncodingType: 'url'` lists it. */
export function listedKey(key: string): string {
  return decodeURIComponent(key.replaceAll('+', ' '))
}

/** A CRC-32 as S3 writes it: the base64 of its four bytes. */
export function toBase64Crc(crc32: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32)
  return bytes.toString('base64')
}

/** The CRC-32 of a whole object or part; undefined when it isn't told, or that of checksums (`<base64>-<count>`). */
export function fromBase64Crc(told: string | undefined): number | undefined {
  return told === undefined || told.includes('-') ? undefined : Buffer.from(told, 'base64').readUInt32BE()
}

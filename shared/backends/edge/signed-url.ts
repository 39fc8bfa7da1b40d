import { type KeyObject, sign, verify } from 'node:crypto'
import { percentEncode } from '../../percent-encoding.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import { keyPath } from '../objects/keys.ts'
import type { SigningKey, VerifyingKey } from '../secrets/signing-key.ts'
import type { SignedDelivery, UrlSigner } from './port.ts'

/** Parameters that signing adds. The signature doesn't cover them, and unsigned URLs must not have them. */
const ADDED = ['Expires', 'Signature', 'Key-Pair-Id', 'Hash-Algorithm'] as const

/** URLs that a signer caches: about 5 MB. */
const KEPT_URLS = 10_000

/** The result of verifying a signed URL. */
export type Verdict = 'valid' | 'expired' | 'forged'

/** Signs a message: ECDSA over SHA-256, in DER. @param privateKey P-256 */
export type Signature = (message: Buffer, privateKey: KeyObject) => Buffer

/** Gives another signature each time. */
const randomised: Signature = (message, privateKey) => sign('sha256', message, privateKey)

/**
 * Signs URLs of objects below a base address. Caches recent URLs: the same request gets the same URL until the key changes.
 * @param baseUrl address of the delivery host, or a path to sign URLs without their host; without trailing slash
 * @param key reads the current key; called for each URL
 * @param stable signs `stable` URLs identically in every process; by default they are only identical in this one
 */
export function urlSigner(baseUrl: string, key: () => Promise<SigningKey>, stable = randomised): UrlSigner {
  const kept = new RecentlyUsed<string>(KEPT_URLS, () => 1)
  return {
    async sign(objectKey, delivery) {
      const signingKey = await key()
      const { expires, disposition, contentType } = delivery
      const asked = JSON.stringify([signingKey.keyPairId, wholeSeconds(expires), objectKey, disposition, contentType, delivery.stable])
      const known = kept.get(asked)
      if (known !== undefined) return known
      const url = signUrl(objectUrl(baseUrl, objectKey, delivery), expires, signingKey, delivery.stable && stable)
      kept.set(asked, url)
      return url
    },
  }
}

/**
 * Signs a URL with CloudFront's canned policy: ECDSA over SHA-256. CloudFront expects SHA-1 unless `Hash-Algorithm` names it.
 * @param resource URL with its own query, as `verifySignedUrl()` gets it
 * @param expires UTC, milliseconds since the epoch
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html
 */
function signUrl(resource: string, expires: number, { keyPairId, privateKey }: SigningKey, signature = randomised): string {
  const seconds = String(wholeSeconds(expires))
  const signed = toCloudFrontBase64(signature(cannedPolicy(resource, seconds), privateKey))
  const added = `Expires=${seconds}&Signature=${signed}&Key-Pair-Id=${keyPairId}&Hash-Algorithm=SHA256`
  return `${resource}${resource.includes('?') ? '&' : '?'}${added}`
}

/**
 * Verifies a URL of `signUrl()`, as CloudFront does.
 * @param url the requested URL: absolute, or only path and query if the host isn't signed
 * @param keys valid keys; the URL names one
 * @param now UTC, milliseconds since the epoch
 */
export function verifySignedUrl(url: string, keys: readonly VerifyingKey[], now: number): Verdict {
  const { resource, added } = takeApart(url)
  const [expires, signature, ...more] = ADDED.map((name) => added.get(name) ?? [])
  const named = keys.find(({ keyPairId }) => more.flat().join(' ') === `${keyPairId} SHA256`)
  if (!named || expires?.length !== 1 || signature?.length !== 1 || !/^\d{1,10}$/.test(expires[0]!)) return 'forged'
  const bytes = fromCloudFrontBase64(signature[0]!)
  if (!bytes || !verify('sha256', cannedPolicy(resource, expires[0]!), named.publicKey, bytes)) return 'forged'
  return now < Number(expires[0]) * 1000 ? 'valid' : 'expired'
}

const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

function objectUrl(baseUrl: string, key: string, { disposition, contentType }: SignedDelivery): string {
  // Clients resolve dot segments, encoded or not, and would request another object.
  if (key.split('/').some((segment) => segment === '.' || segment === '..')) throw new RangeError('a key with dot segments has no URL')
  const query = [
    ...(disposition === undefined ? [] : [`response-content-disposition=${percentEncode(disposition)}`]),
    ...(contentType === undefined ? [] : [`response-content-type=${percentEncode(contentType)}`]),
  ]
  return `${baseUrl}/${keyPath(key)}${query.length > 0 ? '?' : ''}${query.join('&')}`
}

function cannedPolicy(resource: string, seconds: string): Buffer {
  return Buffer.from(`{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${seconds}}}}]}`)
}

/** The signed part of a URL, with its own parameters in their order, and the added parameters by name. */
function takeApart(url: string): { resource: string; added: Map<string, string[]> } {
  const [address = '', ...queries] = url.split('?')
  const added = new Map<string, string[]>()
  const own = queries
    .join('?')
    .split('&')
    .filter((parameter) => {
      const name = ADDED.find((name) => parameter.startsWith(`${name}=`))
      if (name) added.set(name, [...(added.get(name) ?? []), parameter.slice(name.length + 1)])
      return !name
    })
  return { resource: own.length > 0 ? `${address}?${own.join('&')}` : address, added }
}

function toCloudFrontBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~')
}

/** Undefined unless this is exactly the text of `toCloudFrontBase64()`: Node's decoder skips unknown characters. */
function fromCloudFrontBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'), 'base64')
  return toCloudFrontBase64(bytes) === text ? bytes : undefined
}

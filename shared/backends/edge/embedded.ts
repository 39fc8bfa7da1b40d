import type { Clock } from '../clock/port.ts'
import type { ObjectReader } from '../objects/port.ts'
import type { Secrets } from '../secrets/port.ts'
import type { UrlSigner } from './port.ts'
import { readSigningKey, urlSigner, type VerifyingKey, verifyingKey } from './signed-url.ts'

/** The local server has one key. */
const KEY_PAIR_ID = 'embedded'

/** How the local server signs URLs. */
export interface LocalDelivery {
  /** Address of the server, without trailing slash. */
  origin: string
  /** Path below which it delivers objects, without trailing slash. */
  path: string
  secrets: Secrets<'urlSigningKey'>
}

/** What the local server delivers signed URLs from. */
export interface DeliverySource {
  objects: ObjectReader
  /** Path below which they are delivered, as the signer has it: without trailing slash. */
  path: string
  key: VerifyingKey
  clock: Clock
}

/**
 * Signs URLs of the local server, in CloudFront's way. The signature covers path and query alone, so a URL stays valid when the server gets
 * another host, port or scheme.
 */
export function embeddedUrls({ origin, path, secrets }: LocalDelivery): UrlSigner {
  const paths = urlSigner(path, () => signingKey(secrets))
  return { sign: async (key, delivery) => origin + (await paths.sign(key, delivery)) }
}

/** The key with which the local server verifies them. */
export async function embeddedVerifyingKey(secrets: Secrets<'urlSigningKey'>): Promise<VerifyingKey> {
  return verifyingKey(await signingKey(secrets))
}

async function signingKey(secrets: Secrets<'urlSigningKey'>) {
  return readSigningKey(await secrets.get('urlSigningKey'), KEY_PAIR_ID)
}

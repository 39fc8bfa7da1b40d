import type { Clock } from '../clock/port.ts'
import type { ObjectReader } from '../objects/port.ts'
import { type Secrets, validValues } from '../secrets/port.ts'
import { readSigningKey, signingKeyOf, type VerifyingKey, verifyingKey } from '../secrets/signing-key.ts'
import type { UrlSigner } from './port.ts'
import { urlSigner } from './signed-url.ts'

/** Id of the local server's first key. */
const KEY_PAIR_ID = 'embedded'

/** Settings for signing URLs of the local server. */
export interface LocalDelivery {
  /** Address of the server, without trailing slash. */
  origin: string
  /** Path below which it delivers objects, without trailing slash. */
  path: string
  secrets: Secrets<'urlSigningKey'>
}

/** What the local server needs to answer signed URLs. */
export interface DeliverySource {
  objects: ObjectReader
  /** Path below which they are delivered, without trailing slash; the signer's `path`. */
  path: string
  /** The keys that are valid now. */
  keys(): Promise<readonly VerifyingKey[]>
  clock: Clock
}

/**
 * Signs URLs of the local server like CloudFront's. The signature only covers path and query, so URLs stay valid when host, port or scheme
 * change.
 */
export function embeddedUrls({ origin, path, secrets }: LocalDelivery): UrlSigner {
  const paths = urlSigner(path, signingKeyOf(secrets, KEY_PAIR_ID))
  return { sign: async (key, delivery) => origin + (await paths.sign(key, delivery)) }
}

/** Reads the keys that verify signed URLs. Returns the same objects until a key changes. */
export function embeddedVerifyingKeys(secrets: Secrets<'urlSigningKey'>): () => Promise<readonly VerifyingKey[]> {
  let known = new Map<string, VerifyingKey>()
  return async () => {
    const texts = validValues(await secrets.get('urlSigningKey'))
    known = new Map(texts.map((text) => [text, known.get(text) ?? verifyingKey(readSigningKey(text, KEY_PAIR_ID))]))
    return [...known.values()]
  }
}

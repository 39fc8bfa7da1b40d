import type { Clock } from '../clock/port.ts'
import type { ObjectReader } from '../objects/port.ts'
import { type Secrets, validValues } from '../secrets/port.ts'
import { readSigningKey, signingKeyOf, type VerifyingKey, verifyingKey } from '../secrets/signing-key.ts'
import type { UrlSigner } from './port.ts'
import { urlSigner } from './signed-url.ts'

/** The first key of the local server. */
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
  /** The keys that are valid now. */
  keys(): Promise<readonly VerifyingKey[]>
  clock: Clock
}

/**
 * Signs URLs of the local server, in CloudFront's way. The signature covers path and query alone, so a URL stays valid when the server gets
 * another host, port or scheme.
 */
export function embeddedUrls({ origin, path, secrets }: LocalDelivery): UrlSigner {
  const paths = urlSigner(path, signingKeyOf(secrets, KEY_PAIR_ID))
  return { sign: async (key, delivery) => origin + (await paths.sign(key, delivery)) }
}

/** Reads the keys with which the local server verifies them. They are the same objects until one changes. */
export function embeddedVerifyingKeys(secrets: Secrets<'urlSigningKey'>): () => Promise<readonly VerifyingKey[]> {
  let known = new Map<string, VerifyingKey>()
  return async () => {
    const texts = validValues(await secrets.get('urlSigningKey'))
    known = new Map(texts.map((text) => [text, known.get(text) ?? verifyingKey(readSigningKey(text, KEY_PAIR_ID))]))
    return [...known.values()]
  }
}

import type { Secrets } from '../secrets/port.ts'
import { deterministicSignature } from './deterministic-signature.ts'
import type { UrlSigner } from './port.ts'
import { readSigningKey, urlSigner } from './signed-url.ts'

/** A distribution whose signed behaviour delivers a bucket from its root. */
export interface Distribution {
  /** Address of the distribution, https and without trailing slash. */
  baseUrl: string
  /** Id of the public key in the behaviour's key group. */
  keyPairId: string
  /** Holds the private key. */
  secrets: Secrets<'urlSigningKey'>
}

/** Signs URLs of a CloudFront distribution. Any number of functions do so at a time. */
export function cloudFrontUrls({ baseUrl, keyPairId, secrets }: Distribution): UrlSigner {
  return urlSigner(baseUrl, async () => readSigningKey(await secrets.get('urlSigningKey'), keyPairId), deterministicSignature)
}

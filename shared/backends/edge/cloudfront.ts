import type { Secrets } from '../secrets/port.ts'
import { signingKeyOf } from '../secrets/signing-key.ts'
import { deterministicSignature } from './deterministic-signature.ts'
import type { UrlSigner } from './port.ts'
import { urlSigner } from './signed-url.ts'

/** A distribution whose signed behaviour delivers a bucket from its root. */
export interface Distribution {
  /** Address of the distribution, https and without trailing slash. */
  baseUrl: string
  /** Id of the public key that the behaviour's key group had first. A key that was rotated in tells its own. */
  keyPairId: string
  /** Holds the private key. */
  secrets: Secrets<'urlSigningKey'>
}

/** Signs URLs of a CloudFront distribution. Any number of functions do so at a time. */
export function cloudFrontUrls({ baseUrl, keyPairId, secrets }: Distribution): UrlSigner {
  return urlSigner(baseUrl, signingKeyOf(secrets, keyPairId), deterministicSignature)
}

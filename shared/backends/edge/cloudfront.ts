import type { Secrets } from '../secrets/port.ts'
import { signingKeyOf } from '../secrets/signing-key.ts'
import { deterministicSignature } from './deterministic-signature.ts'
import type { UrlSigner } from './port.ts'
import { urlSigner } from './signed-url.ts'

/** A distribution whose signed behaviour delivers a bucket from its root. */
export interface Distribution {
  /** Address of the distribution, https and without trailing slash. */
  baseUrl: string
  /** Id of the first public key in the behaviour's key group. Rotated keys carry their own id. */
  keyPairId: string
  /** Holds the private key. */
  secrets: Secrets<'urlSigningKey'>
}

/** Signs URLs of a CloudFront distribution. */
export function cloudFrontUrls({ baseUrl, keyPairId, secrets }: Distribution): UrlSigner {
  return urlSigner(baseUrl, signingKeyOf(secrets, keyPairId), deterministicSignature)
}

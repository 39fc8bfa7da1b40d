/** How a signed URL delivers an object of the `media` bucket. */
export interface SignedDelivery {
  /** UTC, milliseconds since the epoch; rounded down to seconds. */
  expires: number
  /** Value of the answer's `Content-Disposition`; shown inline when absent. */
  disposition?: string
  /** Overrides the object's content type in the answer. */
  contentType?: string
  /** All processes sign the same URL, so that browsers can cache it. Such a signature takes about 1 ms. */
  stable?: true
}

/** Signs URLs that let anybody fetch one object until they expire (CloudFront canned policy, ECDSA P-256, SHA-256). */
export interface UrlSigner {
  /** @returns an absolute URL of the delivery host */
  sign(key: string, delivery: SignedDelivery): Promise<string>
}

/** How a signed URL delivers an object of the `media` bucket. */
export interface SignedDelivery {
  /** UTC, milliseconds since the epoch, whole seconds count. */
  expires: number
  /** Value of the answer's `Content-Disposition`; shown inline when absent. */
  disposition?: string
  /** Overrides the object's content type in the answer. */
  contentType?: string
  /** The URL is the same whichever process signs it, where several do. Such a signature takes more work, about 1 ms. */
  stable?: true
}

/** Signs URLs with which anybody may fetch one object until they expire (CloudFront canned policy, ECDSA P-256, SHA-256). */
export interface UrlSigner {
  /** @returns an absolute URL of the delivery host */
  sign(key: string, delivery: SignedDelivery): Promise<string>
}

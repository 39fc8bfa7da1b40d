/** Secrets of a deployment. Made once, at first start or by the deployment; never logged. */
export interface SecretValues {
  /** 32 bytes in base64: encrypts API secrets at rest (AES-256-GCM). */
  apiSecretsKey: string
  /** PEM (PKCS#8) of the P-256 private key that signs delivery URLs. */
  urlSigningKey: string
}

export type SecretName = keyof SecretValues

/** Reads secrets: those of the deployment, or one of the operator's. Adapters cache them for the life of the process. */
export interface Secrets<Name extends string = SecretName> {
  get(name: Name): Promise<string>
}

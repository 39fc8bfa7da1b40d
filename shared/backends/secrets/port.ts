/** The keys of a deployment by purpose. Created at the first start or deployment, rotated by the operator; never logged. */
export interface DeploymentKeys {
  /** 32 bytes in base64: encrypts API secrets at rest (AES-256-GCM). */
  apiSecretsKey: string
  /** PEM (PKCS#8) of the P-256 private key that signs delivery URLs; see signing-key.ts. */
  urlSigningKey: string
}

export type SecretName = keyof DeploymentKeys

/** Reads secrets: keys of the deployment, or secrets of the operator. Adapters may cache them. */
export interface Secrets<Name extends string = SecretName> {
  get(name: Name): Promise<KeyValues>
}

/**
 * The values of a key. Rotation takes steps: every process knows the next value before any signs or encrypts with it, and the previous
 * value stays valid until the next rotation.
 */
export interface KeyValues {
  /** Signs and encrypts. */
  current: string
  /** Becomes the current value once every process knows it. */
  next?: string
  /** The previous value. What it signed or encrypted is still valid. */
  previous?: string
  /** When this was stored, in UNIX milliseconds. Absent if the key was never rotated. */
  since?: number
}

/** All values that verify and decrypt, the current one first. */
export function validValues({ current, next, previous }: KeyValues): [string, ...string[]] {
  return [current, ...[next, previous].filter((value) => value !== undefined)]
}

/** A key as read, with the version of its record. */
export interface ReadKey {
  values: KeyValues
  version: string
}

/** The store of one key, for rotation. */
export interface KeyStore {
  /** How long a process may still use replaced values, in milliseconds. */
  knownMs: number
  read(): Promise<ReadKey>
  /** @throws KeyReplaced if the key has changed since `read`; nothing is stored then */
  replace(read: ReadKey, values: KeyValues): Promise<ReadKey>
}

/** Another process has replaced the key since it was read. */
export class KeyReplaced extends Error {
  override name = 'KeyReplaced'
  constructor() {
    super('Another rotation of this key is running. Nothing was lost: let it end, or run the command again.')
  }
}

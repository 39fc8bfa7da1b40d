/** The keys of a deployment, by what they are for. Made at first start or by the deployment, rotated by the operator; never logged. */
export interface DeploymentKeys {
  /** 32 bytes in base64: encrypts API secrets at rest (AES-256-GCM). */
  apiSecretsKey: string
  /** PEM (PKCS#8) of the P-256 private key that signs delivery URLs; see signing-key.ts. */
  urlSigningKey: string
}

export type SecretName = keyof DeploymentKeys

/** Reads secrets: keys of the deployment, or a secret of the operator's. Adapters say for how long they go on with what they read. */
export interface Secrets<Name extends string = SecretName> {
  get(name: Name): Promise<KeyValues>
}

/**
 * The values of a key. It is rotated in steps: every process knows the next value before one signs or seals with it, and the value before stays
 * valid until the next rotation.
 */
export interface KeyValues {
  /** Signs and seals. */
  current: string
  /** Becomes the current value when every process knows it. */
  next?: string
  /** Was the current value. What it signed or sealed is valid. */
  previous?: string
  /** When this was stored, in UNIX milliseconds. Absent of a key that was never rotated. */
  since?: number
}

/** All values that verify and open, the current one first. */
export function validValues({ current, next, previous }: KeyValues): [string, ...string[]] {
  return [current, ...[next, previous].filter((value) => value !== undefined)]
}

/** A key as it was read, and what names this state of it. */
export interface ReadKey {
  values: KeyValues
  version: string
}

/** The store of one key, for rotation. */
export interface KeyStore {
  /** Milliseconds for which a process may go on with values that were replaced. */
  knownMs: number
  read(): Promise<ReadKey>
  /** @throws KeyReplaced when it is another than was read; nothing is stored then */
  replace(read: ReadKey, values: KeyValues): Promise<ReadKey>
}

/** Somebody else has replaced the key since it was read. */
export class KeyReplaced extends Error {
  override name = 'KeyReplaced'
  constructor() {
    super('Another rotation of this key is running. Nothing was lost: let it end, or run the command again.')
  }
}

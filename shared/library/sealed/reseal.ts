import type { Secrets } from '../../backends/secrets/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { apiKeyKey, listKeys } from '../accounts/api-keys.ts'
import { reencryptApiSecret } from '../accounts/api-secrets.ts'
import { listOwners } from '../accounts/companies.ts'
import { listProviders, providerKey, secretName } from '../accounts/providers.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import { sharesOfCompany } from '../shares/manage.ts'
import { secretName as nameOfShare, shareKey } from '../shares/share.ts'
import { webhookKey, webhooksOf } from '../webhooks/webhook.ts'

interface Resealing {
  table: Table
  apiSecretsKey: Secrets<'apiSecretsKey'>
}

/** The result of a walk over all stored secrets. */
export interface Resealed {
  /** Number of secrets encrypted with the new key. */
  resealed: number
  /** Owners whose secrets no valid key decrypts. These secrets stay as they are. */
  unreadable: string[]
}

/**
 * Re-encrypts all stored secrets that use the previous key: those of API keys, sign-on providers, webhooks and share links. Idempotent;
 * safe to run concurrently and to crash: records that change meanwhile are read again. When it returns, nothing needs the previous key.
 */
export async function resealSecrets(library: Resealing): Promise<Resealed> {
  let resealed = 0
  for (;;) {
    const walk = new Walk(library)
    await walk.all()
    resealed += walk.resealed
    if (walk.found === 0) return { resealed, unreadable: walk.unreadable }
  }
}

/** One pass over all secrets. */
class Walk {
  /** Number of secrets found under the previous key. */
  found = 0
  resealed = 0
  readonly unreadable: string[] = []
  readonly #library: Resealing

  constructor(library: Resealing) {
    this.#library = library
  }

  async all(): Promise<void> {
    const { table } = this.#library
    for (const companyId of await listOwners({ table })) {
      for (const { key, keyId, encryptedSecret } of await listKeys({ table }, companyId)) {
        const anew = await this.#anew(`API key ${keyId} of company ${companyId}`, key, encryptedSecret)
        if (anew === undefined) continue
        await this.#count(
          table.update(apiKeyKey(key), { set: { encryptedSecret: anew } }, { encryptedSecret: { equals: encryptedSecret } }),
        )
      }
      for (const { webhookId, secrets, rotations } of await webhooksOf({ table }, companyId)) {
        const anew = await Promise.all(secrets.map(({ encrypted }) => this.#anew(`webhook ${webhookId}`, webhookId, encrypted)))
        if (anew.every((each) => each === undefined)) continue
        const set = { secrets: secrets.map((each, n) => ({ ...each, encrypted: anew[n] ?? each.encrypted })) }
        // Makes a concurrent rotation of the webhook's secret fail, which would write the old ciphertexts back.
        const changes = { set, add: { rotations: 1 } }
        const isAsRead = { pk: { exists: true }, rotations: asRead(rotations) } as const
        await this.#count(table.update(webhookKey(companyId, webhookId), changes, isAsRead))
      }
      for (const { share } of await sharesOfCompany({ table }, companyId)) {
        const { shareId, encryptedSecret } = share
        const anew = await this.#anew(`share link ${shareId}`, nameOfShare(shareId), encryptedSecret)
        if (!anew) continue
        await this.#count(
          table.update(shareKey(shareId), { set: { encryptedSecret: anew } }, { encryptedSecret: { equals: encryptedSecret } }),
        )
      }
    }
    for (const { providerId, encryptedSecret } of await listProviders({ table })) {
      const anew = await this.#anew(`provider ${providerId}`, secretName(providerId), encryptedSecret)
      if (anew === undefined) continue
      const isAsRead = { encryptedSecret: { equals: encryptedSecret } }
      await this.#count(table.update(providerKey(providerId), { set: { encryptedSecret: anew } }, isAsRead))
    }
  }

  async #anew(owner: string, name: string, encrypted: string): Promise<string | undefined> {
    try {
      const anew = await reencryptApiSecret(this.#library, name, encrypted)
      if (anew !== undefined) this.found++
      return anew
    } catch {
      this.unreadable.push(owner)
      return undefined
    }
  }

  async #count(write: Promise<unknown>): Promise<void> {
    if (await held(write)) this.resealed++
  }
}

import type { Secrets } from '../../backends/secrets/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { CliqueId, CompanyId, ProviderId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import { decryptApiSecret, encryptApiSecret } from './api-secrets.ts'

/** An OpenID Connect provider of a company. */
export type ProviderRecord = Key & {
  providerId: ProviderId
  companyId: CompanyId
  /** Shown on the sign-in page. */
  name: string
  /** Issuer URL, exactly as the provider states it. */
  issuer: string
  clientId: string
  /** Client secret, encrypted (api-secrets.ts). */
  encryptedSecret: string
  /** Allowed domains of e-mail addresses, in lower case; empty allows any. */
  domains: string[]
  /** The claim that becomes the username of users created at their first sign-on. */
  usernameClaim: string
  /** The provider's groups, with the clique of each. */
  groups: { group: string; cliqueId: CliqueId }[]
  /** Whether unknown people become users, without rights. */
  createUsers: boolean
  /** Whether unknown people are linked to the company's user with the same e-mail address. */
  joinByEmail: boolean
  /** UNIX milliseconds */
  created: number
  /** Who made it. */
  by?: Actor
}

export const providerKey = (providerId: ProviderId): Key => ({ pk: `PROVIDER#${providerId}`, sk: 'PROVIDER' })
export const listingKey = (providerId: ProviderId): Key => ({ pk: 'PROVIDERS', sk: `PROVIDER#${providerId}` })

interface MasterKey {
  apiSecretsKey: Secrets<'apiSecretsKey'>
}

/** Input of a new provider. */
export type NewProvider = Omit<ProviderRecord, keyof Key | 'providerId' | 'encryptedSecret' | 'created' | 'by'> & { clientSecret: string }

/** Binds an encrypted secret to its provider, so that it can't be moved to another. */
export const secretName = (providerId: ProviderId) => `provider ${providerId}`

export async function createProvider(library: Writing & MasterKey, { clientSecret, ...input }: NewProvider): Promise<ProviderRecord> {
  const { table, clock, by } = library
  return withFreshId(async (providerId: ProviderId) => {
    const encryptedSecret = await encryptApiSecret(library, secretName(providerId), clientSecret)
    const record: ProviderRecord = { ...providerKey(providerId), providerId, ...input, encryptedSecret, created: clock.now(), by }
    await table.transact({
      claim: { put: record, if: { pk: { exists: false } } },
      listing: { put: { ...listingKey(providerId), providerId } },
    })
    return record
  })
}

/** @throws NotFound */
export async function findProvider({ table }: Reading, providerId: ProviderId): Promise<ProviderRecord> {
  const provider = await table.get<ProviderRecord>(providerKey(providerId))
  if (!provider) throw new NotFound('provider')
  return provider
}

/** A provider as the protocol needs it, with the secret in clear. */
export async function openIdProviderOf(library: MasterKey, { providerId, issuer, clientId, encryptedSecret }: ProviderRecord) {
  return { issuer, clientId, clientSecret: await decryptApiSecret(library, secretName(providerId), encryptedSecret) }
}

/** The providers of all companies, oldest first. */
export async function listProviders({ table }: Reading): Promise<ProviderRecord[]> {
  const listed = await Array.fromAsync(everyItem<Key & { providerId: ProviderId }>(table, { pk: 'PROVIDERS', consistent: true }))
  const providers = await table.getMany<ProviderRecord>(listed.map(({ providerId }) => providerKey(providerId)))
  return providers.sort((a, b) => a.created - b.created || a.providerId - b.providerId)
}

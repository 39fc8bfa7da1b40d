import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { idKey, listKeys, revokeKey } from '../accounts/api-keys.ts'
import { listProviders } from '../accounts/providers.ts'
import { findUser, listingKey, listUsers, mailAddressOf, type UserRecord, userChange } from '../accounts/users.ts'
import { cliquesOfCompany } from '../cliques/cliques.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Writing } from '../library.ts'
import { removeSharesOfCompany } from '../shares/removal.ts'
import { removeProvider } from '../sign-on/remove-provider.ts'
import { webhookKey, webhooksOf } from '../webhooks/webhook.ts'
import type { Removed } from './removal.ts'

/**
 * Ends all access to a company. Disables users who belong to no other company, takes the others out of it, and removes providers, keys,
 * share links and webhooks. Running requests continue. Idempotent; safe to crash.
 */
export async function lockOut(library: Writing, companyId: CompanyId): Promise<Removed> {
  const providers = (await listProviders(library)).filter((provider) => provider.companyId === companyId)
  const cliques = await Array.fromAsync(cliquesOfCompany(library, companyId))
  const isGone = {
    clique: new Set(cliques.map(({ cliqueId }) => cliqueId)),
    provider: new Set(providers.map(({ providerId }) => providerId)),
  }
  const users: UserRecord[] = []
  for (const { userId } of await listUsers(library, companyId)) {
    const user = await retryOnConflict(() => lockOutUser(library, userId, companyId, isGone))
    if (user) users.push(user)
  }
  for (const { providerId } of providers) await removeProvider(library, providerId)
  for (const { key, keyId } of await listKeys(library, companyId)) {
    await library.table.delete(idKey(keyId))
    await revokeKey(library, key)
  }
  await removeSharesOfCompany(library, companyId)
  for (const { webhookId } of await webhooksOf(library, companyId)) await library.table.delete(webhookKey(companyId, webhookId))
  return {
    companyId,
    users: new Set(users.map(({ userId }) => userId)),
    addresses: new Set(users.flatMap((user) => mailAddressOf(user) ?? [])),
  }
}

/** @returns the user if they belong to no other company @throws ConditionFailed */
async function lockOutUser(
  library: Writing,
  userId: UserId,
  companyId: CompanyId,
  isGone: { clique: ReadonlySet<number>; provider: ReadonlySet<number> },
): Promise<UserRecord | undefined> {
  const { table } = library
  const user = await findUser(library, userId)
  if (!user) return undefined
  const { cliques, identities, disabled, tokenEpoch } = user
  const companies = user.companies.filter((membership) => membership.companyId !== companyId)
  if (companies.length === 0) {
    if (!disabled) await table.transact({ user: userChange(library, user, { disabled: true, tokenEpoch: tokenEpoch + 1 }) })
    return user
  }
  const set = {
    companies,
    cliques: cliques.filter((cliqueId) => !isGone.clique.has(cliqueId)),
    ...(identities && { identities: identities.filter(({ providerId }) => !isGone.provider.has(providerId)) }),
  }
  await table.transact({ user: userChange(library, user, set), listing: { delete: listingKey(companyId, userId) } })
  return undefined
}

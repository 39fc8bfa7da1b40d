import type { CliqueId, CompanyId, UserId } from '../../vocabulary/ids.ts'
import { otherAdmins } from '../accounts/admins.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { seenKey } from '../accounts/last-seen.ts'
import { type ProviderRecord, providerKey } from '../accounts/providers.ts'
import { identityKey } from '../accounts/sign-ons.ts'
import { findUser, isAdminOf, isMemberOf, listingKey, type UserRecord, userChange } from '../accounts/users.ts'
import { endMembership } from '../cliques/members.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { NotFound } from '../errors.ts'
import { getJob, jobIdIn } from '../jobs/job.ts'
import type { Reading, Writing } from '../library.ts'
import { forgetRights } from '../removals/rights.ts'
import { removeSharesOfUser } from '../shares/removal.ts'
import { askForRemoval, type FormerMember, removalKey } from '../tree/folder-changes.ts'

/**
 * Removes a user from a company. Their rights, tokens by the company's keys, share links and sign-ons at its providers end at once. Records
 * of their rights are removed afterwards, by a job if this is interrupted. Files stay, also those in their trashcan. Disables a user who is
 * left without a company.
 * @throws NotFound if they are no member, Conflict `last_admin`
 */
export async function leaveCompany(library: Writing, companyId: CompanyId, userId: UserId): Promise<void> {
  const left = await retryOnConflict(async () => {
    const user = await findUser(library, userId)
    if (!user || !isMemberOf(user, companyId)) throw new NotFound('user')
    const others = await otherAdmins(library, user, isAdminOf(user, companyId) ? [companyId] : [])
    const { cliques, identities } = await ofCompany(library, user, companyId)
    const companies = user.companies.filter((membership) => membership.companyId !== companyId)
    const set = {
      companies,
      cliques: user.cliques.filter((cliqueId) => !cliques.includes(cliqueId)),
      ...(user.identities && { identities: user.identities.filter((identity) => !identities.includes(identity)) }),
      departures: { ...user.departures, [companyId]: (user.departures?.[companyId] ?? 0) + 1 },
      ...(companies.length === 0 && { disabled: true, tokenEpoch: user.tokenEpoch + 1 }),
    }
    const left: FormerMember = { userId, companyId, cliqueIds: cliques }
    await library.table.transact({
      user: userChange(library, user, set),
      listing: { delete: listingKey(companyId, userId) },
      removal: askForRemoval(library, companyId, left),
      ...Object.fromEntries(identities.map((identity, n) => [`identity ${n}`, { delete: identityKey(identity) }])),
      ...others,
    })
    return left
  })
  await forgetMember(library, left)
}

/** Removes a former member's cliques, share links and rights in a company. Idempotent. */
export async function forgetMember(library: Writing, { userId, companyId, cliqueIds }: FormerMember): Promise<void> {
  for (const cliqueId of cliqueIds) await endMembership(library, cliqueId, userId)
  await removeSharesOfUser(library, companyId, userId)
  await forgetRights(library, companyId, userId, 'keep')
  await library.table.delete(seenKey(companyId, userId))
}

/** Does the same as a job. A user who is a member again is left alone: `forgetDeparture` ran before they were readmitted. */
export async function finishDeparture(library: Writing, left: FormerMember): Promise<undefined> {
  const user = await findUser(library, left.userId)
  if (!user || !isMemberOf(user, left.companyId)) await forgetMember(library, left)
  return undefined
}

/** Finishes an interrupted departure, so that a readmitted user doesn't get their old rights back. */
export async function forgetDeparture(library: Writing, companyId: CompanyId, userId: UserId): Promise<void> {
  const job = await getJob(library, jobIdIn(removalKey({ userId, companyId, cliqueIds: [] })))
  if (job) await forgetMember(library, job.input as FormerMember)
}

/** The user's cliques in a company and identities at its providers, including those whose clique or provider was deleted. */
async function ofCompany({ table }: Reading, { cliques, identities = [] }: UserRecord, companyId: CompanyId) {
  const [foundCliques, foundProviders] = await Promise.all([
    table.getMany<CliqueRecord>(cliques.map(cliqueKey)),
    table.getMany<ProviderRecord>([...new Set(identities.map(({ providerId }) => providerId))].map(providerKey)),
  ])
  const isElsewhere = (record: { companyId: CompanyId } | undefined) => record !== undefined && record.companyId !== companyId
  return {
    cliques: cliques.filter((id): id is CliqueId => !isElsewhere(foundCliques.find(({ cliqueId }) => cliqueId === id))),
    identities: identities.filter(({ providerId }) => !isElsewhere(foundProviders.find((each) => each.providerId === providerId))),
  }
}

import type { Key } from '../../backends/table/port.ts'
import { companyKey } from '../accounts/companies.ts'
import { findUser, isMemberOf, listingKey, usernameKey } from '../accounts/users.ts'
import { membershipKey } from '../cliques/members.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

type Claim = Key & { userId: number }

/** What is wrong with a user: their name, their companies and their cliques. */
export async function lookAtUser({ table }: Library, user_id: number): Promise<Problem[]> {
  const user = await findUser(table, user_id)
  if (!user) return []
  const companies = user.companies.map(({ companyId }) => companyId)
  const claim = await table.get<Claim>(usernameKey(user.username))
  const found = await table.getMany<Key>([
    ...companies.flatMap((companyId) => [companyKey(companyId), listingKey(companyId, user_id)]),
    ...user.cliques.map((cliqueId) => membershipKey(cliqueId, user_id)),
  ])
  const exists = (key: Key) => found.some(({ pk, sk }) => pk === key.pk && sk === key.sk)
  return [
    ...(claim?.userId === user_id ? [] : [problem('username_unclaimed', { user_id })]),
    ...companies
      .filter((companyId) => !exists(companyKey(companyId)))
      .map((company_id) => problem('member_of_unknown_company', { company_id, user_id })),
    ...companies
      .filter((companyId) => !exists(listingKey(companyId, user_id)))
      .map((company_id) => problem('user_not_listed', { company_id, user_id })),
    ...user.cliques
      .filter((cliqueId) => !exists(membershipKey(cliqueId, user_id)))
      .map((clique_id) => problem('membership_missing', { user_id, clique_id })),
  ]
}

/** What is wrong with the claim of a username. */
export async function lookAtUsername({ table }: Library, key: Key): Promise<Problem[]> {
  const claim = await table.get<Claim>(key)
  if (!claim) return []
  const user = await findUser(table, claim.userId)
  const fits = user && usernameKey(user.username).pk === key.pk
  return fits ? [] : [problem('username_of_nobody', { user_id: claim.userId, object: key.pk })]
}

/** What is wrong with a user's place in the list of a company. */
export async function lookAtListedUser({ table }: Library, company_id: number, user_id: number): Promise<Problem[]> {
  if (!(await table.get(listingKey(company_id, user_id)))) return []
  const user = await findUser(table, user_id)
  return user && isMemberOf(user, company_id) ? [] : [problem('listed_user_not_member', { company_id, user_id })]
}

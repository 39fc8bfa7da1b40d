import * as z from 'zod'
import { type CliqueId, type CompanyId, MAX_ID, toCliqueId, toMediaId, toUserId, type UserId } from '../../vocabulary/ids.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { addUser } from '../accounts/provision.ts'
import { findUserByName, isAdminOf, isMemberOf, listUsers } from '../accounts/users.ts'
import { cliquesOfCompany, makeClique } from '../cliques/cliques.ts'
import { beginMembership, membersOf } from '../cliques/members.ts'
import { Conflict } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'

export const Id = z.number().int().positive().max(MAX_ID)

/** Users and groups of a company. Exports contain no passwords, tokens, profile images and keys. */
export const People = z.object({
  users: z.array(
    z.object({
      id: Id,
      username: z.string(),
      fullname: z.string(),
      email: z.string().optional(),
      admin: z.boolean(),
      disabled: z.boolean(),
    }),
  ),
  /** Groups, with the ids of their users. */
  cliques: z.array(z.object({ id: Id, name: z.string(), thumbnail: Id.nullable(), members: z.array(Id) })),
})
export type People = z.infer<typeof People>

/** Users and groups of the company, by their ids in the export. */
export interface KnownPeople {
  users: ReadonlyMap<number, UserId>
  cliques: ReadonlyMap<number, CliqueId>
}

const byId = ({ id: one }: { id: number }, { id: other }: { id: number }) => one - other

export async function peopleOf(library: Reading, companyId: CompanyId): Promise<People> {
  const users = (await listUsers(library, companyId)).map((user) => {
    const { userId: id, username, fullname, email, disabled } = user
    return { id, username, fullname, ...(email !== undefined && { email }), admin: isAdminOf(user, companyId), disabled }
  })
  const cliques: People['cliques'] = []
  for await (const { cliqueId, name, thumbnail } of cliquesOfCompany(library, companyId)) {
    const members = (await Array.fromAsync(membersOf(library, cliqueId))).map(({ userId }) => userId).sort((one, other) => one - other)
    cliques.push({ id: cliqueId, name, thumbnail, members })
  }
  return { users: users.sort(byId), cliques: cliques.sort(byId) }
}

/**
 * Finds the users and groups of an export in a company: users by name, groups by id or name.
 * @param createMissing creates missing ones, with their ids where these are free, and adds all members
 * @param warn called with a sentence for each that is left out
 */
export async function takePeople(
  library: Writing,
  companyId: CompanyId,
  { users, cliques }: People,
  { createMissing, warn }: { createMissing: boolean; warn(sentence: string): void },
): Promise<KnownPeople> {
  const known = { users: new Map<number, UserId>(), cliques: new Map<number, CliqueId>() }
  for (const user of users) {
    const userId = await takeUser(library, companyId, user, createMissing)
    if (userId !== undefined) known.users.set(user.id, userId)
    else warn(`${user.username} is no user of this company: what folders grant them is left out.`)
  }
  const existing = await Array.fromAsync(cliquesOfCompany(library, companyId))
  for (const clique of cliques) {
    const named = existing.filter(({ name }) => name === clique.name)
    const found = named.find(({ cliqueId }) => cliqueId === clique.id) ?? (named.length === 1 ? named[0] : undefined)
    const isFree = found !== undefined && ![...known.cliques.values()].includes(found.cliqueId)
    if (isFree) known.cliques.set(clique.id, found.cliqueId)
    else if (createMissing && named.every(({ cliqueId }) => [...known.cliques.values()].includes(cliqueId)))
      known.cliques.set(clique.id, await newClique(library, companyId, clique))
    else
      warn(`This company has ${named.length === 0 ? 'no group' : 'several groups'} of the name ${clique.name}: what it shares is left out.`)
    const cliqueId = known.cliques.get(clique.id)
    if (!createMissing || cliqueId === undefined) continue
    for (const member of clique.members) {
      const userId = known.users.get(member)
      if (userId !== undefined) await beginMembership(library, cliqueId, userId)
    }
  }
  return known
}

/** @returns undefined if the user is missing, or the name is that of another company's user */
async function takeUser(
  library: Writing,
  companyId: CompanyId,
  { id, username, fullname, email, admin, disabled }: People['users'][number],
  createMissing: boolean,
): Promise<UserId | undefined> {
  const found = await findUserByName(library, username)
  if (found) return isMemberOf(found, companyId) ? found.userId : undefined
  if (!createMissing) return undefined
  // Without a password nobody can sign in as this user.
  const input = { companyId, username, fullname, email, admin, disabled }
  const made = await addUser(library, { ...input, userId: toUserId(id) }).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error
    return addUser(library, input)
  })
  return made.userId
}

async function newClique(library: Writing, companyId: CompanyId, { id, name, thumbnail }: People['cliques'][number]): Promise<CliqueId> {
  const wanted = { companyId, name, thumbnail: thumbnail === null ? null : toMediaId(thumbnail) }
  const made = await makeClique(library, wanted, toCliqueId(id)).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error
    return makeClique(library, wanted)
  })
  return made.cliqueId
}

/** Records of groups, with their shares. */
export async function cliqueRecords(library: Reading, cliques: People['cliques']): Promise<CliqueRecord[]> {
  return library.table.getMany<CliqueRecord>(cliques.map(({ id }) => cliqueKey(toCliqueId(id))))
}

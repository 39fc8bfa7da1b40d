import assert from 'node:assert/strict'
import { openCompany } from '../../../../shared/library/accounts/provision.ts'
import { listingKey, type UserRecord, userKey } from '../../../../shared/library/accounts/users.ts'
import { LibraryError } from '../../../../shared/library/errors.ts'
import { withFreshId } from '../../../../shared/library/fresh-id.ts'
import { ensurePublicGallery, ensureTrashcan } from '../../../../shared/library/tree/system-folders.ts'
import type { CompanyId, UserId } from '../../../../shared/vocabulary/ids.ts'
import type { Pair, Step } from './choices.ts'
import { LibraryModel } from './model.ts'

/** Companies that each person belongs to at first, by number, and whether they are admin there. */
const PEOPLE: readonly Record<number, boolean>[] = [
  { 0: true },
  { 0: false },
  { 0: false, 1: false },
  { 0: false, 1: true },
  { 1: false },
  { 2: true },
]

/** Three companies with their people, the same in library and model. */
export async function emptyLibraries(library: Pick<Pair, 'table' | 'clock' | 'by'>): Promise<Pair> {
  const { table } = library
  const model = new LibraryModel()
  const companies: CompanyId[] = []
  for (const name of ['One', 'Two', 'Three']) companies.push((await openCompany(library, name)).companyId)
  for (const companyId of companies) {
    const { folderId } = await ensurePublicGallery(library, companyId)
    model.addFolder(folderId, { companyId, parent: null, system: 'public', grants: new Map() })
  }
  const users: UserId[] = []
  for (const memberships of PEOPLE) {
    const places = Object.entries(memberships).map(([n, admin]) => ({ companyId: companies[Number(n)]!, admin }))
    const userId = await putUser(table, places)
    users.push(userId)
    model.users.set(userId, { id: userId, companies: new Map() })
    for (const { companyId, admin } of places) {
      model.join(userId, companyId, admin, (await ensureTrashcan(library, companyId, userId)).folderId)
    }
  }
  return { ...library, model, users, companies, links: new Set() }
}

/** A user as `createUser` leaves them, but for a password: hashing one takes longer than all the rest. */
function putUser(table: Pair['table'], companies: UserRecord['companies']): Promise<UserId> {
  return withFreshId(async (userId: UserId) => {
    const account = { username: `${userId}`, fullname: 'Somebody', passwordHash: '', tokenEpoch: 1, disabled: false, created: 0 }
    const user: UserRecord = { ...userKey(userId), userId, companies, cliques: [], revision: 1, ...account }
    await table.put(user, { pk: { exists: false } })
    for (const { companyId } of companies) await table.put({ ...listingKey(companyId, userId), userId })
    return userId
  })
}

/** Library and model must agree on whether it is done, or why it is refused. @returns which */
export async function happens(step: Step, pair: Pair): Promise<string> {
  let made: unknown
  const outcome = await outcomeOf(async () => {
    made = await step.carryOut(pair)
  })
  const expected = await outcomeOf(async () => step.rule(pair, typeof made === 'number' ? made : undefined))
  assert.equal(outcome, expected, step.name)
  return outcome
}

async function outcomeOf(act: () => Promise<void>): Promise<string> {
  try {
    await act()
    return 'done'
  } catch (error) {
    if (error instanceof LibraryError) return error.name
    throw error
  }
}

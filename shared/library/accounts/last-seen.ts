import type { Clock } from '../../backends/clock/port.ts'
import { ConditionFailed, type Key, type Table, type TableReader, TableUnavailable, WriteConflict } from '../../backends/table/port.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { everyItem } from '../pages.ts'
import type { UserRecord } from './users.ts'

/** When a user was last seen in a company. All of a company are in one partition, so that the list of its people takes no read for each. */
type SeenRecord = Key & {
  userId: UserId
  /** UNIX milliseconds */
  seen: number
}

/** Prefix of the partition keys. */
export const SEEN = 'SEEN#'

/** Time within which uses of a session or token are noted once, in seconds: `last_seen` may be so much too old. */
export const SEEN_EVERY_SECONDS = 600

const partition = (companyId: CompanyId): string => `${SEEN}${companyId}`
export const seenKey = (companyId: CompanyId, userId: UserId): Key => ({ pk: partition(companyId), sk: `USER#${userId}` })

/** Notes that a user is here, in each of their companies. A failed write is ignored: nobody is kept out for it. */
export async function noteSeen(
  { table, clock }: { table: Pick<Table, 'update'>; clock: Clock },
  { userId, companies }: Pick<UserRecord, 'userId' | 'companies'>,
): Promise<void> {
  const set = { userId, seen: clock.now() }
  await Promise.all(companies.map(({ companyId }) => table.update(seenKey(companyId, userId), { set }).catch(unlessBroken)))
}

/** Ignores that a table doesn't take a write at the moment. */
export function unlessBroken(error: unknown): void {
  if (![ConditionFailed, WriteConflict, TableUnavailable].some((failure) => error instanceof failure)) throw error
}

/** When the users of a company were last seen, in UNIX milliseconds. */
export async function lastSeenIn({ table }: { table: TableReader }, companyId: CompanyId): Promise<ReadonlyMap<UserId, number>> {
  const records = await Array.fromAsync(everyItem<SeenRecord>(table, { pk: partition(companyId) }))
  return new Map(records.map(({ userId, seen }) => [userId, seen]))
}

/** When a user was last seen in a company, in UNIX milliseconds. Undefined where they never were. */
export async function lastSeen({ table }: { table: TableReader }, companyId: CompanyId, userId: UserId): Promise<number | undefined> {
  return (await table.get<SeenRecord>(seenKey(companyId, userId)))?.seen
}

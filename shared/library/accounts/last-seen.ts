import type { Clock } from '../../backends/clock/port.ts'
import { ConditionFailed, type Key, type Table, type TableReader, TableUnavailable, WriteConflict } from '../../backends/table/port.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { everyItem } from '../pages.ts'
import type { UserRecord } from './users.ts'

/** When a user was last seen in a company. One partition holds a company's users, so listing them takes no read per user. */
type SeenRecord = Key & {
  userId: UserId
  /** UNIX milliseconds */
  seen: number
}

/** Prefix of the partition keys. */
export const SEEN = 'SEEN#'

/** Uses of a session or token are recorded once within this time, in seconds. `last_seen` lags by up to as much. */
export const SEEN_EVERY_SECONDS = 600

const partition = (companyId: CompanyId): string => `${SEEN}${companyId}`
export const seenKey = (companyId: CompanyId, userId: UserId): Key => ({ pk: partition(companyId), sk: `USER#${userId}` })

/** Records that a user is seen now, in each of their companies. Ignores failed writes: they must not fail the request. */
export async function noteSeen(
  { table, clock }: { table: Pick<Table, 'update'>; clock: Clock },
  { userId, companies }: Pick<UserRecord, 'userId' | 'companies'>,
): Promise<void> {
  const set = { userId, seen: clock.now() }
  await Promise.all(companies.map(({ companyId }) => table.update(seenKey(companyId, userId), { set }).catch(ignoreFailedWrite)))
}

/** Swallows the errors of a table that can't take a write at the moment. @throws every other error */
export function ignoreFailedWrite(error: unknown): void {
  if (![ConditionFailed, WriteConflict, TableUnavailable].some((failure) => error instanceof failure)) throw error
}

/** When the users of a company were last seen, in UNIX milliseconds. */
export async function lastSeenIn({ table }: { table: TableReader }, companyId: CompanyId): Promise<ReadonlyMap<UserId, number>> {
  const records = await Array.fromAsync(everyItem<SeenRecord>(table, { pk: partition(companyId) }))
  return new Map(records.map(({ userId, seen }) => [userId, seen]))
}

/** When a user was last seen in a company, in UNIX milliseconds. Undefined if never. */
export async function lastSeen({ table }: { table: TableReader }, companyId: CompanyId, userId: UserId): Promise<number | undefined> {
  return (await table.get<SeenRecord>(seenKey(companyId, userId)))?.seen
}

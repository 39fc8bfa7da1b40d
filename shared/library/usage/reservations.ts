import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Operation, TableReader } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { everyItem } from '../pages.ts'

/** Room that an upload has of its company's quota, until its file is counted or the upload ends. */
export type Reservation = Key & {
  bytes: number
  /** UNIX seconds. Absent once a file or a user's open upload has the room: their end removes it. */
  ttl?: number
}

const PREFIX = 'RESERVED#'

/** @param upload its id, or the key of an object of it: `<id>/<filename>` */
export const reservationKey = (companyId: CompanyId, upload: string): Key => ({
  pk: `COMPANY#${companyId}`,
  sk: `${PREFIX}${upload.split('/', 1)[0]}`,
})

/** The write that gives the room of an upload back. It goes along with the one that counts the file, or removes it. */
export const reservationEnd = (companyId: CompanyId, upload: string): Operation => ({ delete: reservationKey(companyId, upload) })

/** Bytes that are reserved of a company's quota. */
export async function reservedIn({ table, clock }: { table: TableReader; clock: Clock }, companyId: CompanyId): Promise<number> {
  const query = { pk: `COMPANY#${companyId}`, sk: { beginsWith: PREFIX }, consistent: true }
  let bytes = 0
  for await (const reservation of everyItem<Reservation>(table, query)) {
    if (reservation.ttl === undefined || reservation.ttl * 1000 > clock.now()) bytes += reservation.bytes
  }
  return bytes
}

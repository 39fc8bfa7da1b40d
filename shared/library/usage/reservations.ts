import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Operation, TableReader } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { everyItem } from '../pages.ts'

/** Room in a company's quota that an upload has reserved until its file is counted or the upload ends. */
export type Reservation = Key & {
  bytes: number
  /** UNIX seconds. Absent once a file or a user's open upload uses the reservation: it then ends with them. */
  ttl?: number
}

const PREFIX = 'RESERVED#'

/** @param upload its id, or the key of its object: `<id>/<filename>` */
export const reservationKey = (companyId: CompanyId, upload: string): Key => ({
  pk: `COMPANY#${companyId}`,
  sk: `${PREFIX}${upload.split('/', 1)[0]}`,
})

/** The operation that ends an upload's reservation, for the transaction that counts or removes the file. */
export const reservationEnd = (companyId: CompanyId, upload: string): Operation => ({ delete: reservationKey(companyId, upload) })

/** Bytes reserved in a company's quota. */
export async function reservedIn({ table, clock }: { table: TableReader; clock: Clock }, companyId: CompanyId): Promise<number> {
  const query = { pk: `COMPANY#${companyId}`, sk: { beginsWith: PREFIX }, consistent: true }
  let bytes = 0
  for await (const reservation of everyItem<Reservation>(table, query)) {
    if (reservation.ttl === undefined || reservation.ttl * 1000 > clock.now()) bytes += reservation.bytes
  }
  return bytes
}

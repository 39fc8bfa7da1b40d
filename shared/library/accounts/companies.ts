import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import { withFreshId } from '../ids.ts'
import { everyItem } from '../pages.ts'

/** An account of the service: owns folders, files, keys; users belong to one or several. */
export type CompanyRecord = Key & {
  companyId: number
  name: string
  /** UNIX milliseconds */
  created: number
  /** May make HLS streams. */
  streaming: boolean
  /** May use the stock library. */
  stock: boolean
}

export const companyKey = (companyId: number): Key => ({ pk: `COMPANY#${companyId}`, sk: 'COMPANY' })
export const listingKey = (companyId: number): Key => ({ pk: 'COMPANIES', sk: `COMPANY#${companyId}` })

export async function createCompany(table: Table, clock: Clock, name: string): Promise<CompanyRecord> {
  return withFreshId(async (companyId) => {
    const record: CompanyRecord = { ...companyKey(companyId), companyId, name, created: clock.now(), streaming: false, stock: false }
    await table.transact({
      claim: { put: record, if: { pk: { exists: false } } },
      listing: { put: { ...listingKey(companyId), companyId } },
    })
    return record
  })
}

export async function findCompany(table: TableReader, companyId: number): Promise<CompanyRecord | undefined> {
  return table.get<CompanyRecord>(companyKey(companyId))
}

/** All companies, oldest first. For the operator. */
export async function listCompanies(table: TableReader): Promise<CompanyRecord[]> {
  const listed = await Array.fromAsync(everyItem<Key & { companyId: number }>(table, { pk: 'COMPANIES', consistent: true }))
  const companies = await table.getMany<CompanyRecord>(listed.map((item) => companyKey(item.companyId)))
  return companies.sort((a, b) => a.created - b.created)
}

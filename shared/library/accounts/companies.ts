import type { Key } from '../../backends/table/port.ts'
import { CATALOGUE, type CompanyId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { held } from '../concurrency/conditional.ts'
import { NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'

/** An account of the service: owns folders, files, keys; users belong to one or several. */
export type CompanyRecord = Key & {
  companyId: CompanyId
  name: string
  /** UNIX milliseconds */
  created: number
  /** May make HLS streams. */
  streaming: boolean
  /** May use the stock library. */
  stock: boolean
  /** Whether keywords are suggested for its pictures, for which these may leave the service. Absent until the operator decides. */
  suggestions?: boolean
  /** Whether its members sign in by password; its admins do in any case. Absent until the operator decides: they do. */
  passwordSignIn?: boolean
  /** What its originals may take, in bytes. Absent where nothing limits them. */
  quotaBytes?: number
  /** Who changed the record last. */
  by?: Actor
}

export const companyKey = (companyId: CompanyId): Key => ({ pk: `COMPANY#${companyId}`, sk: 'COMPANY' })
export const listingKey = (companyId: CompanyId): Key => ({ pk: 'COMPANIES', sk: `COMPANY#${companyId}` })

export async function createCompany({ table, clock, by }: Writing, name: string): Promise<CompanyRecord> {
  return withFreshId(async (companyId: CompanyId) => {
    const record: CompanyRecord = { ...companyKey(companyId), companyId, name, created: clock.now(), streaming: false, stock: false, by }
    await table.transact({
      claim: { put: record, if: { pk: { exists: false } } },
      listing: { put: { ...listingKey(companyId), companyId } },
    })
    return record
  })
}

export async function findCompany({ table }: Reading, companyId: CompanyId): Promise<CompanyRecord | undefined> {
  return table.get<CompanyRecord>(companyKey(companyId))
}

/** Lets the files of a company be made into public streams, or makes that end. Streams that there are stay. @throws NotFound */
export function setStreaming(library: Writing, companyId: CompanyId, streaming: boolean): Promise<void> {
  return setInCompany(library, companyId, { streaming })
}

/** Lets a company use the stock library, or makes that end at once. @throws NotFound */
export function setStock(library: Writing, companyId: CompanyId, stock: boolean): Promise<void> {
  return setInCompany(library, companyId, { stock })
}

/** Has keywords suggested for the pictures that a company imports from now on, or makes that end. @throws NotFound */
export function setSuggestions(library: Writing, companyId: CompanyId, suggestions: boolean): Promise<void> {
  return setInCompany(library, companyId, { suggestions })
}

/**
 * Lets members of a company sign in by password, or not. Sessions and tokens that they have stay: `forbidPasswordSignIn()` ends them.
 * @throws NotFound
 */
export function setPasswordSignIn(library: Writing, companyId: CompanyId, passwordSignIn: boolean): Promise<void> {
  return setInCompany(library, companyId, { passwordSignIn })
}

/** @throws NotFound */
export function renameCompany(library: Writing, companyId: CompanyId, name: string): Promise<void> {
  return setInCompany(library, companyId, { name })
}

async function setInCompany(
  { table, by }: Writing,
  companyId: CompanyId,
  attribute: Partial<Pick<CompanyRecord, 'name' | 'streaming' | 'stock' | 'suggestions' | 'passwordSignIn'>>,
): Promise<void> {
  const changed = table.update(companyKey(companyId), { set: { ...attribute, by } }, { pk: { exists: true } })
  if (!(await held(changed))) throw new NotFound('company')
}

/** Whether keywords are to be suggested for the pictures of a company. */
export async function wantsSuggestions(library: Reading, companyId: CompanyId): Promise<boolean> {
  return (await findCompany(library, companyId))?.suggestions ?? false
}

/** The first of these companies that may use the stock library; undefined where none may. */
export async function firstWithStock({ table }: Reading, companyIds: readonly CompanyId[]): Promise<CompanyId | undefined> {
  const companies = await table.getMany<CompanyRecord>(companyIds.map(companyKey))
  return companies.find(({ stock }) => stock)?.companyId
}

/** Ids of all that files belong to: the stock catalogue, and companies, oldest first. For work on the files of all. */
export async function listOwners(library: Reading): Promise<CompanyId[]> {
  return [CATALOGUE, ...(await listCompanies(library)).map(({ companyId }) => companyId)]
}

/** All companies, oldest first. For the operator. */
export async function listCompanies({ table }: Reading): Promise<CompanyRecord[]> {
  const listed = await Array.fromAsync(everyItem<Key & { companyId: CompanyId }>(table, { pk: 'COMPANIES', consistent: true }))
  const companies = await table.getMany<CompanyRecord>(listed.map((item) => companyKey(item.companyId)))
  return companies.sort((a, b) => a.created - b.created)
}

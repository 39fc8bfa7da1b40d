import type { Key } from '../../backends/table/port.ts'
import { CATALOGUE, type CompanyId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { held } from '../concurrency/conditional.ts'
import { NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import { askForTrashExpiry } from '../tree/trash.ts'

/** A tenant: owns folders, files and keys. Users belong to one or several. */
export type CompanyRecord = Key & {
  companyId: CompanyId
  name: string
  /** UNIX milliseconds */
  created: number
  /** May make HLS streams. */
  streaming: boolean
  /** May use the stock library. */
  stock: boolean
  /** Whether keywords are suggested for its pictures, which may then leave the service. Absent until the operator decides. */
  suggestions?: boolean
  /** Whether its members may sign in by password. Its admins always may. Absent means they may. */
  passwordSignIn?: boolean
  /** Quota of its originals, in bytes. Absent where unlimited. */
  quotaBytes?: number
  /** How many of a file's numbers are kept, besides pinned ones. Absent: `DEFAULT_KEPT`. */
  versionsKept?: number
  /** Latest start of its removal, in UNIX milliseconds. While it is set, nothing is created for the company. */
  removing?: number
  /** Actor of the last change. */
  by?: Actor
}

export const companyKey = (companyId: CompanyId): Key => ({ pk: `COMPANY#${companyId}`, sk: 'COMPANY' })
export const listingKey = (companyId: CompanyId): Key => ({ pk: 'COMPANIES', sk: `COMPANY#${companyId}` })

export async function createCompany(library: Writing, name: string): Promise<CompanyRecord> {
  const { table, clock, by } = library
  return withFreshId(async (companyId: CompanyId) => {
    const record: CompanyRecord = { ...companyKey(companyId), companyId, name, created: clock.now(), streaming: false, stock: false, by }
    await table.transact({
      claim: { put: record, if: { pk: { exists: false } } },
      listing: { put: { ...listingKey(companyId), companyId } },
      trashExpiry: askForTrashExpiry(library, companyId),
    })
    return record
  })
}

export async function findCompany({ table }: Reading, companyId: CompanyId): Promise<CompanyRecord | undefined> {
  return table.get<CompanyRecord>(companyKey(companyId))
}

/** Allows or forbids public streams of a company's files. Existing streams stay. @throws NotFound */
export function setStreaming(library: Writing, companyId: CompanyId, streaming: boolean): Promise<void> {
  return setInCompany(library, companyId, { streaming })
}

/** Allows or forbids a company the stock library. Takes effect at once. @throws NotFound */
export function setStock(library: Writing, companyId: CompanyId, stock: boolean): Promise<void> {
  return setInCompany(library, companyId, { stock })
}

/** Turns suggested keywords on or off for the pictures that a company imports from now on. @throws NotFound */
export function setSuggestions(library: Writing, companyId: CompanyId, suggestions: boolean): Promise<void> {
  return setInCompany(library, companyId, { suggestions })
}

/**
 * Allows or forbids members of a company to sign in by password. Existing sessions and tokens stay: `forbidPasswordSignIn()` ends them.
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

/** Whether keywords are suggested for a company's pictures. */
export async function wantsSuggestions(library: Reading, companyId: CompanyId): Promise<boolean> {
  return (await findCompany(library, companyId))?.suggestions ?? false
}

const DEFAULT_KEPT = 20

/** How many of a file's numbers a company keeps, the current one included. */
export async function versionsKept(library: Reading, companyId: CompanyId): Promise<number> {
  return (await findCompany(library, companyId))?.versionsKept ?? DEFAULT_KEPT
}

/** The first of these companies that may use the stock library. */
export async function firstWithStock({ table }: Reading, companyIds: readonly CompanyId[]): Promise<CompanyId | undefined> {
  const companies = await table.getMany<CompanyRecord>(companyIds.map(companyKey))
  return companies.find(({ stock }) => stock)?.companyId
}

/** Ids of all owners of files: the stock catalogue, then companies, oldest first. */
export async function listOwners(library: Reading): Promise<CompanyId[]> {
  return [CATALOGUE, ...(await listCompanies(library)).map(({ companyId }) => companyId)]
}

/** All companies, oldest first. For the operator. */
export async function listCompanies({ table }: Reading): Promise<CompanyRecord[]> {
  const listed = await Array.fromAsync(everyItem<Key & { companyId: CompanyId }>(table, { pk: 'COMPANIES', consistent: true }))
  const companies = await table.getMany<CompanyRecord>(listed.map((item) => companyKey(item.companyId)))
  return companies.sort((a, b) => a.created - b.created)
}

import type { Key } from '../../backends/table/port.ts'
import { apiKeyKey, idKey, type KeyRecord, listingKey as keyListingKey } from '../accounts/api-keys.ts'
import { companyKey, listingKey } from '../accounts/companies.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** What is wrong with a company's place in the list of all. */
export async function lookAtCompany({ table }: Library, company_id: number): Promise<Problem[]> {
  const [first, second] = await table.getMany<Key>([companyKey(company_id), listingKey(company_id)])
  if (!first || second) return []
  return [problem(first.sk === 'COMPANY' ? 'company_not_listed' : 'listed_company_missing', { company_id })]
}

/** What is wrong with an API key. @param key its public half */
export async function lookAtKey({ table }: Library, key: string): Promise<Problem[]> {
  const record = await table.get<KeyRecord>(apiKeyKey(key))
  if (!record) return []
  const ids = { company_id: record.companyId, key_id: record.keyId }
  const [company, listed, claim] = await Promise.all([
    table.get(companyKey(record.companyId)),
    table.get<Key & { key: string }>(keyListingKey(record.companyId, record.keyId)),
    table.get<Key & { key: string }>(idKey(record.keyId)),
  ])
  return [
    ...(company ? [] : [problem('key_of_unknown_company', ids)]),
    ...(listed?.key === key ? [] : [problem('key_not_listed', ids)]),
    ...(claim?.key === key ? [] : [problem('key_without_id', ids)]),
  ]
}

/** What is wrong with a key's place in the list of a company. */
export async function lookAtListedKey({ table }: Library, company_id: number, key_id: number): Promise<Problem[]> {
  const listed = await table.get<Key & { key: string }>(keyListingKey(company_id, key_id))
  const record = listed && (await table.get<KeyRecord>(apiKeyKey(listed.key)))
  const fits = record?.companyId === company_id && record.keyId === key_id
  return !listed || fits ? [] : [problem('listed_key_missing', { company_id, key_id })]
}

import { randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Secrets } from '../../backends/secrets/port.ts'
import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import { NotFound } from '../errors.ts'
import { withFreshId } from '../ids.ts'
import { everyItem } from '../pages.ts'
import { encryptApiSecret } from './api-secrets.ts'

/** What an application may do by its key alone, with the HMAC scheme. None by default. */
export const keyGrants = ['downloads', 'password_reset'] as const
export type KeyGrant = (typeof keyGrants)[number]

/** An application's API key. */
export type KeyRecord = Key & {
  keyId: number
  /** The public half, which clients send. */
  key: string
  companyId: number
  /** The secret half, encrypted (api-secrets.ts). */
  encryptedSecret: string
  grants: KeyGrant[]
  /** UNIX milliseconds */
  created: number
}

export const apiKeyKey = (key: string): Key => ({ pk: `KEY#${key}`, sk: 'KEY' })
export const idKey = (keyId: number): Key => ({ pk: `KEYID#${keyId}`, sk: 'KEYID' })
export const listingKey = (companyId: number, keyId: number): Key => ({ pk: `COMPANY#${companyId}`, sk: `KEY#${keyId}` })

/** Longest key that can exist; longer ones needn't be looked up. */
export const MAX_KEY_LENGTH = 100

/** @returns the record and the secret in clear */
export async function createKey(
  table: Table,
  secrets: Secrets<'apiSecretsKey'>,
  clock: Clock,
  input: { companyId: number; grants: KeyGrant[] },
): Promise<{ record: KeyRecord; secret: string }> {
  const key = randomBytes(16).toString('hex')
  const secret = randomBytes(32).toString('hex')
  const encryptedSecret = await encryptApiSecret(secrets, key, secret)
  return withFreshId(async (keyId) => {
    const record: KeyRecord = { ...apiKeyKey(key), keyId, key, encryptedSecret, created: clock.now(), ...input }
    await table.transact({
      claim: { put: { ...idKey(keyId), key }, if: { pk: { exists: false } } },
      key: { put: record, if: { pk: { exists: false } } },
      listing: { put: { ...listingKey(input.companyId, keyId), key } },
    })
    return { record, secret }
  })
}

export async function findKey(table: TableReader, key: string): Promise<KeyRecord | undefined> {
  return key.length > 0 && key.length <= MAX_KEY_LENGTH ? table.get<KeyRecord>(apiKeyKey(key)) : undefined
}

/** A company's keys, oldest first. */
export async function listKeys(table: TableReader, companyId: number): Promise<KeyRecord[]> {
  const query = { pk: `COMPANY#${companyId}`, sk: { beginsWith: 'KEY#' }, consistent: true }
  const listed = await Array.fromAsync(everyItem<Key & { key: string }>(table, query))
  const keys = await table.getMany<KeyRecord>(listed.map((item) => apiKeyKey(item.key)))
  return keys.sort((a, b) => a.created - b.created || a.keyId - b.keyId)
}

/** Tokens that were issued through the key are invalid at once. @throws NotFound */
export async function revokeKey(table: Table, key: string): Promise<void> {
  const record = await findKey(table, key)
  if (!record) throw new NotFound('API key')
  await table.transact({ key: { delete: apiKeyKey(key) }, listing: { delete: listingKey(record.companyId, record.keyId) } })
}

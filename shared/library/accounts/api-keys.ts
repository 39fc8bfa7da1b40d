import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../backends/secrets/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import { type CompanyId, type KeyId, toKeyId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import { encryptApiSecret } from './api-secrets.ts'

/** Rights of an application that authenticates with the key alone (HMAC). None by default. */
export const keyGrants = ['downloads', 'password_reset'] as const
export type KeyGrant = (typeof keyGrants)[number]

/** An application's API key. */
export type KeyRecord = Key & {
  keyId: KeyId
  /** The public half, which clients send. */
  key: string
  companyId: CompanyId
  /** The secret half, encrypted (api-secrets.ts). */
  encryptedSecret: string
  grants: KeyGrant[]
  /** UNIX milliseconds */
  created: number
  /** Who made it. */
  by?: Actor
}

export const apiKeyKey = (key: string): Key => ({ pk: `KEY#${key}`, sk: 'KEY' })
export const idKey = (keyId: KeyId): Key => ({ pk: `KEYID#${keyId}`, sk: 'KEYID' })
export const listingKey = (companyId: CompanyId, keyId: KeyId): Key => ({ pk: `COMPANY#${companyId}`, sk: `KEY#${keyId}` })

/** Longest key that can exist. Longer ones aren't looked up. */
const MAX_KEY_LENGTH = 100

/** @returns the record and the secret in clear */
export async function createKey(
  { table, apiSecretsKey, clock, by }: Writing & { apiSecretsKey: Secrets<'apiSecretsKey'> },
  input: { companyId: CompanyId; grants: KeyGrant[] },
): Promise<{ record: KeyRecord; secret: string }> {
  const key = randomBytes(16).toString('hex')
  const secret = randomBytes(32).toString('hex')
  const encryptedSecret = await encryptApiSecret({ apiSecretsKey }, key, secret)
  return withFreshId(async (keyId: KeyId) => {
    const record: KeyRecord = { ...apiKeyKey(key), keyId, key, encryptedSecret, created: clock.now(), ...input, by }
    await table.transact({
      claim: { put: { ...idKey(keyId), key }, if: { pk: { exists: false } } },
      key: { put: record, if: { pk: { exists: false } } },
      listing: { put: { ...listingKey(input.companyId, keyId), key } },
    })
    return { record, secret }
  })
}

export async function findKey({ table }: Reading, key: string): Promise<KeyRecord | undefined> {
  return key.length > 0 && key.length <= MAX_KEY_LENGTH ? table.get<KeyRecord>(apiKeyKey(key)) : undefined
}

/** A company's keys, oldest first. */
export async function listKeys({ table }: Reading, companyId: CompanyId): Promise<KeyRecord[]> {
  const query = { pk: `COMPANY#${companyId}`, sk: { beginsWith: 'KEY#' }, consistent: true }
  const listed = await Array.fromAsync(everyItem<Key & { key: string }>(table, query))
  const keys = await table.getMany<KeyRecord>(listed.map((item) => apiKeyKey(item.key)))
  return keys.sort((a, b) => a.created - b.created || a.keyId - b.keyId)
}

/** Keys by id. Includes revoked keys: their ids stay claimed. */
export async function keysWithIds({ table }: Reading, ids: Iterable<KeyId>): Promise<Map<KeyId, string>> {
  const found = await table.getMany<Key & { key: string }>(Array.from(ids, idKey))
  return new Map(found.map(({ pk, key }) => [toKeyId(Number(pk.slice('KEYID#'.length))), key]))
}

/** Revokes a key. Its tokens are invalid at once. @throws NotFound */
export async function revokeKey({ table }: { table: Table }, key: string): Promise<void> {
  const record = await findKey({ table }, key)
  if (!record) throw new NotFound('API key')
  await table.transact({ key: { delete: apiKeyKey(key) }, listing: { delete: listingKey(record.companyId, record.keyId) } })
}

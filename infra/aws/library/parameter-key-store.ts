import { GetParameterCommand, PutParameterCommand, type SSMClient } from '@aws-sdk/client-ssm'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { keyValuesOfText } from '../../../shared/backends/secrets/key-values.ts'
import { KNOWN_MS } from '../../../shared/backends/secrets/known-values.ts'
import { parameterName } from '../../../shared/backends/secrets/parameters.ts'
import { KeyReplaced, type KeyStore, type KeyValues, type ReadKey } from '../../../shared/backends/secrets/port.ts'
import type { Key, Table } from '../../../shared/backends/table/port.ts'
import { held } from '../../../shared/library/concurrency/conditional.ts'
import { asLeased, heldBy, isLeased, LEASE, type Lease, newLease } from '../../../shared/library/jobs/lease.ts'

/** Clocks of functions and of who rotates may differ so much, in milliseconds. */
const CLOCKS_MS = 30_000

/** AWS takes no request that was signed so long ago, in milliseconds: after a lease of twice that, none of its holder can arrive any more. */
const SIGNED_MS = 5 * 60_000
const LEASE_MS = 2 * SIGNED_MS

/** Who may write the parameter now, and what was written last: the version, and when, in UNIX milliseconds. */
type Writing = Partial<Lease> & { version?: number; writtenAt?: number }

/**
 * A key in a parameter of Systems Manager. That writes without conditions, so who replaces it holds a lease in the table meanwhile.
 * @param options.table of the stack that uses the key
 */
export function parameterKeyStore({ arn, client, table }: { arn: string; client: SSMClient; table: Table }): KeyStore {
  const name = parameterName(arn)
  const record: Key = { pk: `KEYWRITE#${name}`, sk: 'KEYWRITE' }

  async function read(): Promise<ReadKey> {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }))
    return { values: keyValuesOfText(Parameter!.Value!), version: String(Parameter!.Version) }
  }

  /** @returns the version that was made */
  async function write(values: KeyValues, until: number): Promise<number> {
    if (systemClock.now() > until) throw new KeyReplaced()
    const Value = JSON.stringify(values)
    const put = new PutParameterCommand({ Name: name, Value, Type: 'SecureString', Tier: 'Standard', Overwrite: true })
    return (await client.send(put)).Version!
  }

  return {
    knownMs: KNOWN_MS + CLOCKS_MS,
    read,
    async replace(known, values) {
      const before: Writing = (await table.get<Key & Writing>(record)) ?? {}
      const now = systemClock.now()
      const lease = newLease(before, now, LEASE_MS)
      if (isLeased(before, now) || !(await held(table.update(record, { set: lease }, asLeased(before))))) throw new KeyReplaced()
      const giveBack = (written: Writing) => held(table.update(record, { set: written, remove: LEASE }, heldBy(lease)))
      // What is read may be behind what was just written. The record is not.
      const { version: latest = 0, writtenAt = 0 } = before
      const isBehind = latest > Number(known.version) && writtenAt > now - LEASE_MS
      if (isBehind || (await read()).version !== known.version) {
        await giveBack({})
        throw new KeyReplaced()
      }
      // Of a write without an answer nobody knows whether it is still on its way: its lease ends by itself.
      const version = await write(values, now + SIGNED_MS)
      await giveBack({ version, writtenAt: systemClock.now() })
      return { values, version: String(version) }
    },
  }
}

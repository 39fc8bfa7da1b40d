import { randomBytes } from 'node:crypto'
import { embeddedKeyStore } from '../../../shared/backends/secrets/embedded-store.ts'
import { newSigningKey, withId } from '../../../shared/backends/secrets/signing-key.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { type KeyKind, type KeyWork, rotateKey, type Surroundings } from '../../homes/rotate-key.ts'
import { secretsKeyWork } from '../../homes/secrets-key.ts'

/** The same file signs and verifies URLs, so no other verifier must be told. */
const urlKeyWork: KeyWork = {
  makeNext: async () => withId(newSigningKey(), randomBytes(6).toString('hex')),
}

/** Rotates a key of a data folder, also while its server runs. @throws Error in a sentence */
export async function rotateLocalKey(
  kind: KeyKind,
  { secretsFile, table }: { secretsFile: string; table: Table },
  surroundings: Surroundings,
): Promise<void> {
  if (kind === 'origin') {
    throw new Error('One machine has no such key: nothing stands between its server and whoever answers. Name the stack with --stack.')
  }
  if (kind === 'url') await rotateKey(embeddedKeyStore(secretsFile, 'urlSigningKey'), urlKeyWork, surroundings)
  else await rotateKey(embeddedKeyStore(secretsFile, 'apiSecretsKey'), secretsKeyWork(table, surroundings.tell), surroundings)
}

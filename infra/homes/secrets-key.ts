import type { KeyValues } from '../../shared/backends/secrets/port.ts'
import { newSealingKey } from '../../shared/backends/secrets/sealing-key.ts'
import type { Table } from '../../shared/backends/table/port.ts'
import { resealSecrets } from '../../shared/library/sealed/reseal.ts'
import type { KeyWork } from './rotate-key.ts'

/** Most records named in a message. */
const NAMED = 10

/** Rotates the key that encrypts stored secrets. Re-encrypts all of them before the previous key ends. */
export function secretsKeyWork(table: Table, tell: (line: string) => void): KeyWork {
  return {
    makeNext: async () => newSealingKey(),
    async finish(values: KeyValues) {
      const { resealed, unreadable } = await resealSecrets({ table, apiSecretsKey: { get: async () => values } })
      if (resealed > 0) tell(`Encrypted anew: ${resealed} stored ${resealed === 1 ? 'secret' : 'secrets'}.`)
      if (unreadable.length === 0) return
      const more = unreadable.length > NAMED ? `, and of ${unreadable.length - NAMED} more,` : ''
      throw new Error(
        `The secret of ${unreadable.slice(0, NAMED).join(', of ')}${more} opens with no key that is known, so the key is not rotated. Make a new secret there, or remove it, and run the command again.`,
      )
    },
  }
}

import type { Key } from '../../backends/table/port.ts'
import type { ProviderId } from '../../vocabulary/ids.ts'
import { listingKey, providerKey } from '../accounts/providers.ts'
import type { Writing } from '../library.ts'
import { everyItem } from '../pages.ts'

/**
 * Removes a provider. Deleting its record ends the sessions that were signed on there. Then removes the identities of people. Users stay.
 * Can be repeated after an interruption.
 */
export async function removeProvider(library: Writing, providerId: ProviderId): Promise<void> {
  const { table } = library
  const key = providerKey(providerId)
  await table.transact({ provider: { delete: key }, listing: { delete: listingKey(providerId) } })
  for await (const { pk, sk } of everyItem<Key>(table, { pk: key.pk, consistent: true })) await table.delete({ pk, sk })
}

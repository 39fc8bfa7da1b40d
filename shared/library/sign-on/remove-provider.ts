import type { Key } from '../../backends/table/port.ts'
import type { ProviderId } from '../../vocabulary/ids.ts'
import { listingKey, providerKey } from '../accounts/providers.ts'
import type { Writing } from '../library.ts'
import { everyItem } from '../pages.ts'

/**
 * Removes a provider. With its record the sessions that it vouched for are over; then goes what is known of people there. Their users stay.
 * May be repeated where it was interrupted.
 */
export async function removeProvider(library: Writing, providerId: ProviderId): Promise<void> {
  const { table } = library
  const key = providerKey(providerId)
  await table.transact({ provider: { delete: key }, listing: { delete: listingKey(providerId) } })
  for await (const { pk, sk } of everyItem<Key>(table, { pk: key.pk, consistent: true })) await table.delete({ pk, sk })
}

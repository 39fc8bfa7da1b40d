import { setStock } from '../../../shared/library/accounts/companies.ts'
import type { OperatorActor } from '../../../shared/library/actor.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { OpenLibrary } from '../../homes/open-library.ts'
import { type Client, indexed } from './visit.ts'

const by: OperatorActor = { kind: 'operator', command: 'smoke-test' }

const query = { q: 'smoke', return_values: 'unique_media_id' }

/** @throws Error unless the stock library is closed to the company */
export async function stockIsClosed(client: Client, init: RequestInit): Promise<void> {
  const { status } = await client['search-stock']({ query, init })
  if (status !== 403) throw new Error(`answered with ${status} instead of 403`)
}

/** Lets a company use the stock library. */
export async function enableStock({ table, clock }: Pick<OpenLibrary, 'table' | 'clock'>, company: CompanyId): Promise<void> {
  await setStock({ table, clock, by }, company, true)
}

/** Searches the stock library, whatever is in it, and waits until its index is built. @throws Error when a provider doesn't answer */
export async function stockIsSearched(client: Client, init: RequestInit): Promise<void> {
  await indexed(() => client['search-stock']({ query, init }), init)
}

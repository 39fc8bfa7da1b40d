import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { listKeys } from '../accounts/api-keys.ts'
import { listProviders } from '../accounts/providers.ts'
import { listUsers } from '../accounts/users.ts'
import { cliquesOfCompany } from '../cliques/cliques.ts'
import type { Reading } from '../library.ts'
import { everyItem } from '../pages.ts'
import { companySharesKey } from '../shares/share.ts'
import { cdnFolders } from '../tree/system-folders.ts'
import { loadTree } from '../tree/tree-store.ts'
import { usageOfCompany } from '../usage/usage.ts'
import { webhooksOf } from '../webhooks/webhook.ts'

/** What the removal of a company deletes, in numbers. */
export interface Holdings {
  /** Users who belong to no other company. */
  users: number
  /** Users who leave, because they belong to other companies too. */
  leaving: number
  keys: number
  providers: number
  cliques: number
  webhooks: number
  folders: number
  /** Imported files, and bytes of their originals. */
  files: number
  bytes: number
  aliases: number
  shares: number
}

/** Counts what the removal of a company deletes, for the operator's decision. */
export async function holdingsOf(library: Reading, companyId: CompanyId): Promise<Holdings> {
  const { table } = library
  const [users, keys, providers, cliques, webhooks, shares, tree, { files, bytes }] = await Promise.all([
    listUsers(library, companyId),
    listKeys(library, companyId),
    listProviders(library),
    Array.fromAsync(cliquesOfCompany(library, companyId)),
    webhooksOf(library, companyId),
    Array.fromAsync(everyItem<Key>(table, { pk: companySharesKey(companyId), consistent: true })),
    loadTree(library, companyId),
    usageOfCompany(library, companyId),
  ])
  const leaving = users.filter(({ companies }) => companies.length > 1).length
  return {
    ...{ users: users.length - leaving, leaving, keys: keys.length, cliques: cliques.length, webhooks: webhooks.length },
    providers: providers.filter((provider) => provider.companyId === companyId).length,
    ...{ folders: [...tree.all()].length, files, bytes, aliases: cdnFolders(tree).length, shares: shares.length },
  }
}

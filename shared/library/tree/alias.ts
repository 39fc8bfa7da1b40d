import type { Key, Operation } from '../../backends/table/port.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import type { FolderRecord } from './folder.ts'
import type { Tree } from './tree.ts'

/** Most aliases of one company. */
export const MAX_ALIASES = 100

/** Names that a label of DNS can have. */
const PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** First segments of other paths on the host of the links. */
const RESERVED: readonly string[] = ['streams', 'player']

/** Claims an alias over all companies, and tells which folder it stands for. */
export type AliasClaim = Key & {
  alias: string
  companyId: CompanyId
  folderId: FolderId
  /** When the folder became an ordinary one again, in UNIX milliseconds. The links of its files are being ended since. */
  removing?: number
}
export const aliasKey = (alias: string): Key => ({ pk: `ALIAS#${alias}`, sk: 'ALIAS' })

/** What is wrong with an alias, as the end of a sentence; undefined when it can be used. */
export function aliasProblem(alias: string): string | undefined {
  if (!PATTERN.test(alias)) return 'must be 1 to 63 small letters (a to z), digits and hyphens, with no hyphen at either end'
  return RESERVED.includes(alias) ? `must not be ${alias}: the service needs that address itself` : undefined
}

/** The claim of an alias, where there is one. */
export async function findAlias({ table }: Reading, alias: string): Promise<AliasClaim | undefined> {
  return table.get<AliasClaim>(aliasKey(alias))
}

/** Claims an alias for a folder; fails when it is taken. */
export const claimAlias = (alias: string, { companyId, folderId }: Pick<FolderRecord, 'companyId' | 'folderId'>): Operation => ({
  put: { ...aliasKey(alias), alias, companyId, folderId } satisfies AliasClaim,
  if: { pk: { exists: false } },
})

/** A CDN folder: what lies directly in it is published under its alias. */
export type CdnFolder = FolderRecord & { system: 'cdn'; alias: string }

/** Whether files that are put into a folder are published. */
export function isCdnFolder(folder: FolderRecord): folder is CdnFolder {
  return folder.system === 'cdn' && folder.alias !== undefined
}

/** The CDN folders of a company, by alias. */
export function cdnFolders(tree: Tree): CdnFolder[] {
  const found = Iterator.from(tree.layout.folders).filter(isCdnFolder).toArray()
  return found.sort((a, b) => (a.alias < b.alias ? -1 : 1))
}
